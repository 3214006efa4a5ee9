import { resolve, type Schema, type Schemas } from './document.ts'

const BY_FORMAT: Readonly<Record<string, string>> = {
  uuid: '0197b1c2-4f6a-7000-8000-000000000001',
  'date-time': '2026-03-02T08:00:00.000Z',
  email: 'ann@example.com',
  uri: 'https://example.com/',
}

const MOST_DEPTH = 8

/** A value that fits: the example that the schema gives, or one made from what it allows. */
export function exampleOf(schema: Schema, schemas: Schemas, depth = 0): unknown {
  const { schema: given } = resolve(schema, schemas)
  if (given.examples) return given.examples[0]
  if (given.const !== undefined) return given.const
  if (given.default !== undefined) return given.default
  if (given.enum) return given.enum[0]
  const option = (given.oneOf ?? given.anyOf)?.[0]
  if (option) return exampleOf(option, schemas, depth)
  const type = Array.isArray(given.type) ? given.type[0] : given.type
  if (type === 'object' || given.properties) return depth > MOST_DEPTH ? {} : objectExample(given, schemas, depth)
  if (type === 'array') return given.items && depth <= MOST_DEPTH ? [exampleOf(given.items, schemas, depth + 1)] : []
  if (type === 'string') return BY_FORMAT[given.format ?? ''] ?? 'text'
  if (type === 'boolean') return true
  return type === 'integer' || type === 'number' ? (given.minimum ?? 1) : null
}

const objectExample = ({ properties = {} }: Schema, schemas: Schemas, depth: number): unknown =>
  Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, exampleOf(inner, schemas, depth + 1)]))
