import type { Call } from './calls.ts'
import { type Endpoint, resolve, type Schemas, successesOf } from './document.ts'
import { typescriptLiteral } from './literals.ts'

type Kind = 'list' | 'data' | 'accepted' | 'nothing' | 'raw' | 'stream'

/** What the method of the client gives: see `scripts/sdk-types`, which makes it. */
function kindOf(endpoint: Endpoint, { answers, isAccepted }: Call, schemas: Schemas): Kind {
  if (answers === 'nothing' || answers === 'stream') return answers
  if (answers === 'bytes') return 'raw'
  if (isAccepted) return 'accepted'
  const { schema } = successesOf(endpoint).find(answer => answer.schema)!
  const { properties } = resolve(schema!, schemas).schema
  return properties?.data && properties.meta ? 'list' : 'data'
}

/** The call itself; `overture` is the client. */
export function typescriptCall(endpoint: Endpoint, call: Call, schemas: Schemas): string {
  const kind = kindOf(endpoint, call, schemas)
  const method = `overture.${endpoint.id}`
  if (kind === 'stream') return `for await (const event of ${method}({ after: 0 })) {\n  console.log(event.seq, event.type)\n}`
  const text = `${method}(${argumentsOf(endpoint, call, kind).join(', ')})`
  if (kind === 'list') return `for await (const item of ${text}) {\n  console.log(item)\n}`
  if (kind === 'accepted') return `const result = await ${text}.wait()\nconsole.log(result)`
  if (kind === 'raw') return `const response = await ${text}\nconsole.log(await response.text())`
  return kind === 'nothing' ? `await ${text}` : `const answer = await ${text}\nconsole.log(answer)`
}

/** The ids of the path, then the query, the body or the file, and options. */
function argumentsOf(endpoint: Endpoint, call: Call, kind: Kind): string[] {
  // The client knows the workspace.
  const path = endpoint.path.replace('/v1/workspaces/{workspaceId}/', '')
  const args = [...path.matchAll(/\{(\w+)\}/g)].map(match => typescriptLiteral(call.parts[match[1]!]))
  const takesQuery = kind !== 'stream' && endpoint.parameters.some(parameter => parameter.in === 'query')
  const hasMore = call.body !== undefined || call.file !== null || call.ifMatch !== null
  if (takesQuery && (Object.keys(call.query).length > 0 || hasMore)) args.push(typescriptLiteral(call.query))
  if (call.body !== undefined) args.push(typescriptLiteral(call.body))
  if (call.file) args.push(typescriptLiteral(call.file.text))
  if (call.ifMatch) args.push(`{ ifMatch: ${typescriptLiteral(call.ifMatch)} }`)
  return args
}
