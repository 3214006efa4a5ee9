import { wrongUsage } from '../../lib/command-failure.ts'
import type { JsonSchema } from '../../lib/openapi.ts'
import { type Field, propertiesOf, resolved } from './document.ts'

/** The types that a value may have, whichever of its shapes it takes. */
export function typesOf(schema: JsonSchema): string[] {
  const whole = resolved(schema)
  const own = whole.type === undefined ? [] : [whole.type].flat()
  const others = [...(whole.anyOf ?? []), ...(whole.oneOf ?? [])].flatMap(typesOf)
  return [...new Set([...own, ...others])]
}

const enumOf = (schema: JsonSchema): unknown[] | undefined => {
  const whole = resolved(schema)
  return whole.enum ?? [...(whole.anyOf ?? []), ...(whole.oneOf ?? [])].map(enumOf).find(Boolean)
}

/** How the type is called in the help. */
export function typeName(schema: JsonSchema): string {
  const choices = enumOf(schema)
  if (choices && choices.length <= 8) return choices.join('|')
  const types = typesOf(schema).filter(type => type !== 'null')
  if (types.includes('array')) return `${typeName(resolved(schema).items ?? {})}...`
  if (types.length === 1 && types[0] === 'string') return resolved(schema).format?.toUpperCase() ?? 'TEXT'
  return types.length === 0 ? 'JSON' : types.map(type => (type === 'object' ? 'JSON' : type.toUpperCase())).join('|')
}

/** The schema at `schedule.timezone`; undefined when there is nothing. */
export function schemaAt(schema: JsonSchema, path: readonly string[]): JsonSchema | undefined {
  const [name, ...rest] = path
  if (name === undefined) return schema
  const whole = resolved(schema)
  const { properties } = propertiesOf(whole)
  const next = Object.hasOwn(properties, name) ? properties[name] : undefined
  return next && schemaAt(next, rest)
}

/** Converts the text of a flag to the type of the schema. */
export function readValue(texts: readonly string[], schema: JsonSchema, name: string, command: string): unknown {
  const types = typesOf(schema)
  if (types.includes('array') && !(texts.length === 1 && texts[0]!.startsWith('['))) {
    const items =
      resolved(schema).items ??
      resolved(schema)
        .anyOf?.map(each => resolved(each).items)
        .find(Boolean) ??
      {}
    return texts.map(text => readOne(text, items, name, command))
  }
  return readOne(texts.at(-1)!, schema, name, command)
}

function readOne(text: string, schema: JsonSchema, name: string, command: string): unknown {
  const refuse = (what: string): never => {
    throw wrongUsage(`--${name} must be ${what}, not "${text}".`, `overture ${command} --help`)
  }
  const types = typesOf(schema)
  const choices = enumOf(schema)
  if (text === 'null' && types.includes('null')) return null
  if (choices && types.every(type => type === 'string' || type === 'null')) {
    return choices.includes(text) ? text : refuse(`one of ${choices.join(', ')}`)
  }
  if ((types.includes('integer') || types.includes('number')) && /^-?\d+(\.\d+)?$/.test(text)) {
    return types.includes('number') || Number.isInteger(Number(text)) ? Number(text) : refuse('a whole number')
  }
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  if (types.includes('string')) return text
  if (types.includes('object') || types.includes('array') || types.length === 0) {
    try {
      return JSON.parse(text)
    } catch {
      // When every type is allowed, it stays a text.
      if (types.length === 0) return text
      return refuse('JSON')
    }
  }
  return refuse(types.filter(type => type !== 'null').join(' or '))
}

/** Puts a value at `schedule.timezone`. */
export function put(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [name, ...rest] = path as [string, ...string[]]
  if (rest.length === 0) {
    target[name] = value
    return
  }
  const inner = Object.hasOwn(target, name) ? target[name] : undefined
  const next = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {}
  target[name] = next
  put(next, rest, value)
}

export const isSwitch = ({ schema }: Pick<Field, 'schema'>): boolean => {
  const types = typesOf(schema).filter(type => type !== 'null')
  return types.length === 1 && types[0] === 'boolean'
}

export const isUuidSchema = (schema: JsonSchema): boolean => resolved(schema).format === 'uuid'
