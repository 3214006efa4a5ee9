import { exampleOf, FIELDS } from './openapi-texts.ts'

interface Schema {
  $ref?: string
  description?: string
  examples?: unknown[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  discriminator?: { mapping: Record<string, string> }
}

interface Endpoint {
  summary: string
  'x-action'?: string
}

export interface EventsDocument {
  paths: Record<string, Record<string, Endpoint>>
  components: { schemas: Record<string, Schema> }
}

const WIDTH = 120

/** JSON with short objects and lists in one line. */
function print(value: unknown, indent = ''): string {
  const line = JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ').replace(/\[ /g, '[').replace(/ \]/g, ']')
  if (typeof value !== 'object' || value === null || indent.length + line.length <= WIDTH) return line
  const inner = `${indent}  `
  const parts = Array.isArray(value)
    ? value.map(item => print(item, inner))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${print(item, inner)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${parts.map(part => inner + part).join(',\n')}\n${indent}${close}`
}

const json = (value: unknown): string => `\`\`\`json\n${print(value)}\n\`\`\``

/** The generated parts of the events page, by the name of their marker. */
export function describeEvents({ paths, components: { schemas } }: EventsDocument): Record<string, string> {
  const at = ({ $ref }: Schema): Schema => schemas[$ref!.split('/').at(-1)!]!
  const variantsOf = (name: string) =>
    Object.entries(schemas[name]!.discriminator!.mapping).map(([type, $ref]) => [type, at({ $ref })] as const)

  const events = variantsOf('Event').map(([type, schema]) => {
    const { data } = schema.examples![0] as { data: object }
    const fields = Object.entries(at(schema.properties!.data!).properties!).filter(
      ([name, field]) => field.description && field.description !== FIELDS[name],
    )
    const notes = fields.map(([name, field]) => `- \`${name}\`: ${field.description}`)
    return [`### \`${type}\``, schema.description!, json(data), ...(notes.length > 0 ? [notes.join('\n')] : [])].join('\n\n')
  })

  const requests = new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, endpoint]) =>
        endpoint['x-action']
          ? [
              [
                endpoint['x-action'],
                { endpoint, call: `${method.toUpperCase()} ${path.replace('/v1/workspaces/{workspaceId}/', '…/')}` },
              ] as const,
            ]
          : [],
      ),
    ),
  )
  const byResult = Map.groupBy(variantsOf('Operation'), ([, schema]) => schema.properties!.result!.anyOf![0]!.$ref!)
  const results = [...byResult].map(([$ref, variants]) => {
    const rows = variants.map(([action]) => {
      const request = requests.get(action)
      return `| \`${action}\` | ${request ? `${request.endpoint.summary} | \`${request.call}\`` : ' | '} |`
    })
    const table = ['| action | what is done | request |', '|---|---|---|', ...rows].join('\n')
    return [`### ${$ref.split('/').at(-1)}`, table, json(exampleOf({ $ref }, schemas))].join('\n\n')
  })
  return { events: `\n${events.join('\n\n')}\n`, results: `\n${results.join('\n\n')}\n` }
}
