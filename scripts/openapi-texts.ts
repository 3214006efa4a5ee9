import type { JsonSchema } from '../src/lib/openapi.ts'
import texts from './openapi-texts.data.json' with { type: 'json' }

/**
 * The meaning of fields with these names everywhere in the API. A field that means something else, or more, has a description in its schema, which
 * takes precedence.
 */
export const FIELDS: Readonly<Record<string, string>> = texts.fields
/** The meaning of a field of one schema, by its path, where that of its name says too little. */
const PLACES: Readonly<Record<string, string>> = texts.places
/** The meaning of parameters with these names in every query. */
const PARAMETERS: Readonly<Record<string, string>> = texts.parameters
const EXAMPLES_BY_FORMAT: Readonly<Record<string, string>> = texts.examplesByFormat
const EXAMPLES_BY_NAME: Readonly<Record<string, string>> = texts.examplesByName

/** For content that is not JSON: the beginning of an example. */
export const TEXT_EXAMPLES: Readonly<Record<string, string>> = texts.examplesByMediaType

type Json = Record<string, unknown>
type Schemas = Readonly<Record<string, JsonSchema>>

/** The description of a parameter that has none of its own. */
export function describeParameter(name: string, where: string): string | undefined {
  if (where === 'query') return PARAMETERS[name]
  return name.endsWith('Id') ? `The id of the ${words(name === 'providerId' ? 'mailbox' : name.slice(0, -2))}.` : undefined
}

const words = (name: string): string => name.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)

/** Gives each property its description: its own, that of the schema that it refers to, or the one of its name. */
export function describeFields(schema: unknown, schemas: Schemas, place = ''): void {
  if (Array.isArray(schema)) for (const item of schema) describeFields(item, schemas, place)
  if (schema === null || typeof schema !== 'object' || Array.isArray(schema)) return
  const { properties = {}, items, additionalProperties, anyOf, oneOf } = schema as JsonSchema & { additionalProperties?: unknown }
  for (const [name, property] of Object.entries(properties)) {
    const path = `${place}.${name}`
    const meaning = PLACES[path] ?? (Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined)
    if (meaning !== undefined && !isDescribed(property, schemas)) property.description = meaning
    describeFields(property, schemas, path)
  }
  for (const part of [items, additionalProperties, anyOf, oneOf]) describeFields(part, schemas, place)
}

function isDescribed({ description, $ref, anyOf }: JsonSchema, schemas: Schemas): boolean {
  if (description !== undefined) return true
  if ($ref !== undefined) return schemas[$ref.split('/').at(-1)!]?.description !== undefined
  return anyOf?.some(option => '$ref' in option && isDescribed(option, schemas)) ?? false
}

/** A value that fits the schema: its own example, or one that is generated from it. */
export function exampleOf(schema: object, schemas: Readonly<Record<string, object>>, name = ''): unknown {
  const given = schema as JsonSchema
  if (given.$ref) return exampleOf(schemas[given.$ref.split('/').at(-1)!] ?? {}, schemas, name)
  if (given.examples) return given.examples[0]
  if (given.const !== undefined) return given.const
  if (given.default !== undefined) return given.default
  if (given.enum) return given.enum[0]
  const option = (given.oneOf ?? given.anyOf)?.[0]
  if (option) return exampleOf(option, schemas, name)
  const [type] = [given.type].flat()
  if (type === 'object' || given.properties) return objectExample(given, schemas)
  if (type === 'array') return (given.minItems ?? 1) > 0 && given.items ? [exampleOf(given.items, schemas, name)] : []
  if (type === 'string') return textExample(given, name)
  if (type === 'boolean') return true
  return type === 'integer' || type === 'number' ? (given.minimum ?? 1) : null
}

function objectExample({ properties = {}, required = [] }: JsonSchema, schemas: Readonly<Record<string, object>>): unknown {
  // Optional fields are left out, unless nothing would be left.
  const shown = required.length > 0 ? required : Object.keys(properties).slice(0, 1)
  return Object.fromEntries(shown.map(name => [name, exampleOf(properties[name] ?? {}, schemas, name)]))
}

/** When the schema says nothing about the text, null is the better example, where it is allowed. */
function textExample({ type, format, minLength = 0 }: JsonSchema, name: string): string | null {
  const known = EXAMPLES_BY_FORMAT[format ?? ''] ?? EXAMPLES_BY_NAME[name]
  return known === undefined && Array.isArray(type) ? null : (known ?? 'text').padEnd(minLength, '.')
}

/** Every object and every choice between objects gets an example, unless it has one. */
export const withExamples = (schemas: Record<string, Json>): Record<string, object> =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      if (schema.examples || !(schema.properties || schema.oneOf || schema.anyOf)) return [name, schema]
      return [name, { ...schema, examples: [exampleOf(schema, schemas)] }]
    }),
  )
