import { comment, printObject, printType } from './print-type.ts'
import { type Document, nameOf, type Schema } from './schema-types.ts'

export const HEADER = '// Generated from openapi.json by `npm run generate`. Do not edit.\n'

/** Every named schema of the document as a type of the same name. The members of a large union share a base type. */
export function printModels({ components: { schemas } }: Document): string {
  const bases = new Map<string, { name: string; shared: Schema }>()
  for (const [name, { discriminator, oneOf = [] }] of Object.entries(schemas)) {
    if (!discriminator) continue
    const members = oneOf.map(({ $ref }) => nameOf($ref!))
    const base = { name: `${name}Base`, shared: sharedBy(members.map(member => schemas[member]!)) }
    for (const member of members) bases.set(member, base)
  }
  const models = Object.entries(schemas).map(([name, schema]) => {
    const base = bases.get(name)
    const isObject = schema.type === 'object' && Object.keys(schema.properties ?? {}).length > 0
    const own = base ? { ...schema, properties: without(schema.properties!, base.shared.properties!) } : schema
    const head = base ? `${name} extends ${base.name}` : name
    const body = isObject ? `interface ${head} ${printObject(own, '')}` : `type ${name} = ${printType(schema)}`
    return `${comment(schema.description, '')}export ${body}\n`
  })
  const printed = [...new Set(bases.values())].map(({ name, shared }) => `export interface ${name} ${printObject(shared, '')}\n`)
  return [HEADER, ...printed, ...models].join('\n')
}

/** The properties that all of these schemas have in common. */
function sharedBy(schemas: Schema[]): Schema {
  const [first, ...others] = schemas.map(({ properties = {}, required = [] }) =>
    Object.entries(properties).map(([name, property]) => ({ name, property, text: JSON.stringify([property, required.includes(name)]) })),
  )
  const shared = first?.filter(({ name, text }) => others.every(other => other.some(one => one.name === name && one.text === text))) ?? []
  return { properties: Object.fromEntries(shared.map(({ name, property }) => [name, property])), required: schemas[0]?.required ?? [] }
}

const without = (all: Record<string, Schema>, some: Record<string, Schema>): Record<string, Schema> =>
  Object.fromEntries(Object.entries(all).filter(([name]) => !(name in some)))
