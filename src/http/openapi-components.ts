import { NOT_BLANK } from './schema.ts'

export type Json = Record<string, unknown>

/** Moves schemas with a name to `schemas` and leaves a reference, with a description where this place describes the schema in its own words. */
export function hoist(schema: unknown, schemas: Record<string, Json>): unknown {
  if (Array.isArray(schema)) return schema.map(item => hoist(item, schemas))
  if (schema === null || typeof schema !== 'object') return schema
  const { title, 'x-shown': shown, ...own } = schema as Json
  // An `$id` would give the schema a second address, which tools that resolve references stumble over.
  const { title: _, $id: __, ...rest } = (shown ?? own) as Json
  if (rest.format === NOT_BLANK) Object.assign(rest, { format: undefined, pattern: '\\S' })
  const walked = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, key === 'examples' ? value : hoist(value, schemas)]))
  if (Array.isArray(walked.enum) && walked.enum.includes(null)) return orNull(walked)
  if (typeof title !== 'string' || !/^\w+$/.test(title) || rest.type === 'string') return walked
  const reference = { $ref: `#/components/schemas/${title}` }
  const { description } = walked
  const described = schemas[title]?.description ?? description
  schemas[title] = described === undefined ? walked : { ...walked, description: described }
  return description === undefined || description === described ? reference : { ...reference, description }
}

/** Code generators do not support an enum with null in it. */
function orNull({ type: _, enum: values, ...rest }: Json): Json {
  return { ...rest, anyOf: [{ type: 'string', enum: (values as unknown[]).filter(value => value !== null) }, { type: 'null' }] }
}

/** One use of a component. */
interface Use {
  name: string
  value: Json
  replace(reference: Json): void
}

/**
 * Components that are used more than once get a name under `components`. When different ones have the same name, the most frequent one gets
 * it, and the others stay inline.
 */
export function shareRepeated(kind: string, uses: readonly Use[]): Record<string, Json> {
  const shared: Record<string, Json> = {}
  for (const [name, ofName] of Map.groupBy(uses, use => use.name)) {
    const alike = [...Map.groupBy(ofName, use => JSON.stringify(use.value)).values()].sort((a, b) => b.length - a.length)[0]!
    if (alike.length < 2) continue
    shared[name] = alike[0]!.value
    for (const use of alike) use.replace({ $ref: `#/components/${kind}/${name}` })
  }
  return Object.fromEntries(Object.entries(shared).sort(([a], [b]) => (a < b ? -1 : 1)))
}
