import { type Endpoint, resolve, type Schema, type Schemas } from './document.ts'

interface Entry {
  endpoint: Endpoint
  /** What people mostly look for, and what also belongs to it: all in small letters. */
  title: string
  path: string
  rest: string
}

export type Index = readonly Entry[]

export const indexOf = (endpoints: readonly Endpoint[], schemas: Schemas): Index =>
  endpoints.map(endpoint => ({
    endpoint,
    title: `${endpoint.id} ${endpoint.id.replace(/[._]|(?=[A-Z])/g, ' ')} ${endpoint.summary}`.toLowerCase(),
    path: `${endpoint.method} ${endpoint.path}`.toLowerCase(),
    rest: [
      endpoint.tag,
      endpoint.about,
      endpoint.scope,
      endpoint.action,
      ...endpoint.parameters.map(parameter => parameter.name),
      ...endpoint.answers.flatMap(answer => answer.codes),
      ...(endpoint.body ? fieldNames(endpoint.body.schema, schemas) : []),
    ]
      .join(' ')
      .toLowerCase(),
  }))

const fieldNames = (schema: Schema, schemas: Schemas): string[] => Object.keys(resolve(schema, schemas).schema.properties ?? {})

/** Every word must be found; titles count more than paths, and those more than the rest. Without words: everything. */
export function find(index: Index, text: string): Endpoint[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return index.map(entry => entry.endpoint)
  return index
    .map(entry => ({ entry, score: words.reduce((sum, word) => sum + worthOf(entry, word), 0) }))
    .filter(({ score }) => score > Number.NEGATIVE_INFINITY)
    .sort((a, b) => b.score - a.score)
    .map(({ entry }) => entry.endpoint)
}

function worthOf({ title, path, rest }: Entry, word: string): number {
  if (title.split(' ').includes(word)) return 12
  if (title.includes(word)) return 8
  if (path.includes(word)) return 4
  return rest.includes(word) ? 1 : Number.NEGATIVE_INFINITY
}
