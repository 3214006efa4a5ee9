import { resolve, type Schema, type Schemas } from './document.ts'

/** A schema as people read it. */
export interface Described {
  /** `string`, `uuid`, `array of Lead`, `Lead or null`. */
  type: string
  /** What a value must keep to, besides its type. */
  limits: string[]
  values: unknown[]
  about: string | null
}

export function describe(schema: Schema, schemas: Schemas): Described {
  const { isNullable, inner } = withoutNull(schema, schemas)
  const { schema: given } = resolve(inner, schemas)
  const values = (given.enum ?? (given.const === undefined ? [] : [given.const])).filter(value => value !== null)
  return {
    type: typeOf(inner, schemas) + (isNullable ? ' or null' : ''),
    limits: limitsOf(given),
    values,
    about: schema.description ?? given.description ?? null,
  }
}

/** A schema that also allows null, and the same without. */
export function withoutNull(schema: Schema, schemas: Schemas): { isNullable: boolean; inner: Schema } {
  const { schema: given } = resolve(schema, schemas)
  if (Array.isArray(given.type) && given.type.includes('null')) {
    const types = given.type.filter(type => type !== 'null')
    return { isNullable: true, inner: { ...given, type: types.length === 1 ? types[0]! : types } }
  }
  const options = given.anyOf?.filter(option => option.type !== 'null') ?? []
  if (!given.anyOf || options.length === given.anyOf.length) return { isNullable: false, inner: schema }
  const { anyOf: _, ...beside } = given
  return { isNullable: true, inner: options.length === 1 ? { ...options[0]!, ...beside } : { ...beside, anyOf: options } }
}

function typeOf(schema: Schema, schemas: Schemas): string {
  const { schema: given, name } = resolve(schema, schemas)
  if (given.items) return `array of ${typeOf(withoutNull(given.items, schemas).inner, schemas)}`
  if (name) return name
  if (given.oneOf || given.anyOf) return `one of ${(given.oneOf ?? given.anyOf)!.length} shapes`
  if (given.format) return given.format
  if (given.const !== undefined && given.type === undefined) return typeof given.const
  if (given.enum && given.type === undefined) return 'enum'
  return [given.type ?? (given.properties ? 'object' : 'any')].flat().join(' or ')
}

function limitsOf(given: Schema): string[] {
  const limits: string[] = []
  const range = (least: number | undefined, most: number | undefined, unit: string): void => {
    if (least !== undefined && most !== undefined) limits.push(least === most ? `exactly ${least}${unit}` : `${least} to ${most}${unit}`)
    else if (least !== undefined) limits.push(`at least ${least}${unit}`)
    else if (most !== undefined) limits.push(`at most ${most}${unit}`)
  }
  range(given.minimum, given.maximum, '')
  range(given.minLength, given.maxLength, ' characters')
  range(given.minItems, given.maxItems, ' items')
  range(given.minProperties, given.maxProperties, ' fields')
  if (given.uniqueItems) limits.push('no item twice')
  if (given.pattern) limits.push(given.pattern === '\\S' ? 'not blank' : `matches ${given.pattern}`)
  return limits
}

/** What one can look into: the fields of an object, and of the items of a list. */
export interface Inside {
  fields: { name: string; schema: Schema; isRequired: boolean }[]
  /** Shapes of which one applies, each with the name that it is chosen by. */
  variants: { name: string; schema: Schema }[]
}

export function insideOf(schema: Schema, schemas: Schemas): Inside {
  const { schema: given } = resolve(withoutNull(schema, schemas).inner, schemas)
  if (given.items) return insideOf(given.items, schemas)
  const options = given.oneOf ?? given.anyOf ?? []
  if (options.length > 1) return { fields: [], variants: variantsOf(given, options, schemas) }
  if (options.length === 1) return insideOf(options[0]!, schemas)
  const fields = Object.entries(given.properties ?? {}).map(([name, inner]) => ({
    name,
    schema: inner,
    isRequired: given.required?.includes(name) ?? false,
  }))
  const others = [given.additionalProperties, ...Object.values(given.patternProperties ?? {})]
  const other = others.find((inner): inner is Schema => typeof inner === 'object' && Object.keys(inner).length > 0)
  if (other) fields.push({ name: 'any other name', schema: other, isRequired: false })
  return { fields, variants: [] }
}

function variantsOf({ discriminator }: Schema, options: Schema[], schemas: Schemas): Inside['variants'] {
  const mapping = Object.entries(discriminator?.mapping ?? {})
  return options.map((option, index) => {
    const { schema, name } = resolve(option, schemas)
    const constant = Object.values(schema.properties ?? {}).find(inner => inner.const !== undefined)?.const
    const own = name ?? schema.title ?? (constant === undefined ? describe(option, schemas).type : String(constant))
    // One shape may belong to several values, and is then called by its own name.
    const values = mapping.filter(([, ref]) => ref === option.$ref).map(([value]) => value)
    return { name: values.length === 1 ? values[0]! : own === 'object' ? `shape ${index + 1}` : own, schema: option }
  })
}
