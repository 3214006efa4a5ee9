import { nameOf, type Schema } from './schema-types.ts'

const PLAIN: Record<string, string> = { string: 'string', integer: 'number', number: 'number', boolean: 'boolean', null: 'null' }

/** The TypeScript type of a schema. */
export function printType(schema: Schema, indent = ''): string {
  if (schema.$ref) return nameOf(schema.$ref)
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum) return unionOf(schema.enum.map(literal))
  const options = schema.oneOf ?? schema.anyOf
  if (options) return unionOf(options.map(option => printType(option, indent)))
  if (schema.allOf) return schema.allOf.map(part => inParentheses(printType(part, indent))).join(' & ')
  const types = Array.isArray(schema.type) ? schema.type : [schema.type]
  return unionOf(types.map(type => printOne(schema, type, indent)))
}

function printOne(schema: Schema, type: string | undefined, indent: string): string {
  if (type === 'array') return `${inParentheses(printType(schema.items ?? {}, indent))}[]`
  if (type === 'object' || (type === undefined && schema.properties)) return printObject(schema, indent)
  return type === undefined ? 'unknown' : (PLAIN[type] ?? 'unknown')
}

/** The braces of an object type, with a comment on each field that has a description. */
export function printObject(schema: Schema, indent: string): string {
  const fields = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const mark = schema.required?.includes(name) ? '' : '?'
    return `${comment(property.description, `${indent}  `)}${indent}  ${fieldName(name)}${mark}: ${printType(property, `${indent}  `)}`
  })
  const other = Object.values(schema.patternProperties ?? {})[0] ?? schema.additionalProperties
  if (fields.length === 0) return other && other !== true ? `Record<string, ${printType(other, indent)}>` : emptyObject(other)
  return `{\n${fields.join('\n')}\n${indent}}`
}

const emptyObject = (other: unknown): string => (other === false ? 'Record<string, never>' : 'Record<string, unknown>')

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : JSON.stringify(value)
const fieldName = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : literal(name))
const unionOf = (types: string[]): string => [...new Set(types)].join(' | ')
const inParentheses = (type: string): string => (/^[\w.]+$/.test(type) || type.startsWith('{') ? type : `(${type})`)

export function comment(text: string | undefined, indent: string): string {
  if (!text) return ''
  const lines = text.replaceAll('*/', '* /').split('\n').filter(Boolean)
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`
  return `${indent}/**\n${lines.map(line => `${indent} * ${line}\n`).join('')}${indent} */\n`
}
