import { openApiDocument } from '../../scripts/openapi-document.ts'

interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  properties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  items?: Schema
  discriminator?: { mapping: Record<string, string> }
}

const { schemas } = (openApiDocument() as { components: { schemas: Record<string, Schema> } }).components

/** For texts that must look like something: the first of these that does. */
const LOOKS = ['DE', 'DE-BE', 'salesforce', 'mx.example.com', '-----BEGIN CERTIFICATE-----', 'ab'.repeat(32)]

/** A document for a reader: each text is chosen by the test wherever the schema allows it. */
export interface Filling {
  text: string
  /** For fields that are an address. */
  email: string
}

/** The variant of a union, such as the operation of an action or the event of a type. */
export const variantOf = (union: string, name: string): Schema => resolved({ $ref: schemas[union]!.discriminator!.mapping[name]! })

/** Every kind that a union has. */
export const namesOf = (union: string): string[] => Object.keys(schemas[union]!.discriminator!.mapping)

function resolved(schema: Schema): Schema {
  return schema.$ref ? resolved(schemas[schema.$ref.split('/').at(-1)!]!) : schema
}

/** A value with every field that the schema knows, optional ones, too. */
export function filled(given: Schema, filling: Filling, name = ''): unknown {
  const schema = resolved(given)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const option = (schema.anyOf ?? schema.oneOf)?.find(each => each.type !== 'null')
  if (option) return filled(option, filling, name)
  const type = [schema.type].flat()[0]
  if (schema.properties) {
    return Object.fromEntries(Object.entries(schema.properties).map(([key, inner]) => [key, filled(inner, filling, key)]))
  }
  if (type === 'object') {
    const { additionalProperties: inner } = schema
    return typeof inner === 'object' ? { some: filled(inner, filling, 'some') } : {}
  }
  if (type === 'array') return schema.items ? [filled(schema.items, filling, name)] : []
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1
  return textFor(schema, filling, name)
}

function textFor({ format, pattern, minLength = 0, maxLength = Infinity }: Schema, { text, email }: Filling, name: string): string {
  if (format === 'uuid') return '0197b1c2-4f6a-7000-8000-000000000001'
  if (format === 'date-time') return '2026-03-02T08:00:00.000Z'
  if (format === 'date') return '2026-03-02'
  if (format === 'uri') return name === 'url' ? `https://hooks.example/?for=${email}` : 'https://overture.example/'
  if (format === 'email' || /email$/i.test(name)) return email
  const fits = (each: string): boolean =>
    each.length >= minLength && each.length <= maxLength && (!pattern || new RegExp(pattern, 'u').test(each))
  return [text, email, ...LOOKS].find(fits)!
}
