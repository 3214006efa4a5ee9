interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  pattern?: string
  enum?: unknown[]
  const?: unknown
  default?: unknown
  examples?: unknown[]
  minimum?: number
  minLength?: number
  minItems?: number
  anyOf?: Schema[]
  oneOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
}

type Schemas = Record<string, object>

const BY_FORMAT: Record<string, string> = {
  uuid: '0197b1c2-4f6a-7000-8000-000000000001',
  'date-time': '2026-03-02T08:00:00.000Z',
  date: '2026-03-02',
  email: 'ann@example.com',
  uri: 'https://example.com/',
}

/** Typical values for fields with these names. */
const BY_NAME: Record<string, string> = {
  email: 'ann@example.com',
  fromEmail: 'jo@example.com',
  firstName: 'Ann',
  lastName: 'Miller',
  fullName: 'Ann Miller',
  company: 'Example Ltd',
  jobTitle: 'Head of Sales',
  timezone: 'Europe/Berlin',
  name: 'Spring',
  subject: 'A question about {{company}}',
  lastFour: '7f3a',
  reason: 'The address is not valid.',
  message: 'The address is not valid.',
  host: 'go.example.com',
  city: 'Berlin',
  country: 'Germany',
  industry: 'Software',
}

/** A value that fits the schema: its own example, or one that is generated from it. */
export function exampleOf(schema: object, schemas: Schemas, name = ''): unknown {
  const given = schema as Schema
  if (given.$ref) return exampleOf(schemas[given.$ref.split('/').at(-1)!] ?? {}, schemas, name)
  if (given.examples) return given.examples[0]
  if (given.const !== undefined) return given.const
  if (given.default !== undefined) return given.default
  if (given.enum) return given.enum[0]
  const option = (given.oneOf ?? given.anyOf)?.[0]
  if (option) return exampleOf(option, schemas, name)
  const type = Array.isArray(given.type) ? given.type[0] : given.type
  if (type === 'object' || given.properties) return objectExample(given, schemas)
  if (type === 'array') return (given.minItems ?? 1) > 0 && given.items ? [exampleOf(given.items, schemas, name)] : []
  if (type === 'string') return textExample(given, name) ?? (Array.isArray(given.type) ? null : 'text'.padEnd(given.minLength ?? 0, '.'))
  if (type === 'boolean') return true
  return type === 'integer' || type === 'number' ? (given.minimum ?? 1) : null
}

function objectExample({ properties = {}, required = [] }: Schema, schemas: Schemas): unknown {
  // Optional fields are left out, unless nothing would be left.
  const shown = required.length > 0 ? required : Object.keys(properties).slice(0, 1)
  return Object.fromEntries(shown.map(name => [name, exampleOf(properties[name] ?? {}, schemas, name)]))
}

/** Undefined when the schema says nothing about the text: then null is the better example, where it is allowed. */
function textExample({ format, minLength = 0 }: Schema, name: string): string | undefined {
  return (BY_FORMAT[format ?? ''] ?? BY_NAME[name])?.padEnd(minLength, '.')
}

/** Every object and every choice between objects gets an example, unless it has one. */
export function withExamples(schemas: Record<string, Record<string, unknown>>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      if (schema.examples || !(schema.properties || schema.oneOf || schema.anyOf)) return [name, schema]
      return [name, { ...schema, examples: [exampleOf(schema, schemas)] }]
    }),
  )
}

/** For content that is not JSON: the beginning of an example. */
export const TEXT_EXAMPLES: Record<string, string> = {
  'text/csv': 'email,firstName\r\nann@example.com,Ann\r\n',
  'text/html': '<!doctype html><title>Overture</title>',
  'text/event-stream': ': following\nid: 4711\n\nid: 4712\nevent: campaign.paused\ndata: {"seq":4712,"type":"campaign.paused"}\n\n',
}
