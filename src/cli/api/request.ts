import { newId } from '../../lib/ids.ts'
import { UsageError } from '../failures.ts'
import type { Flags } from '../flags.ts'
import { readNamed, type Shell } from '../shell.ts'
import type { ApiOperation, Field } from './document.ts'
import { put, readValue, schemaAt } from './values.ts'

export interface Request {
  method: string
  path: string
  headers: Record<string, string>
  body?: unknown
  file?: Uint8Array<ArrayBuffer>
  workspaceId: string | undefined
}

/** Turns the flags into the request of the operation. */
export async function buildRequest(
  operation: ApiOperation,
  flags: Flags,
  shell: Shell,
  findWorkspace: () => Promise<string>,
): Promise<Request> {
  const command = `api ${operation.id}`
  const missing = (field: Field): never => {
    throw new UsageError(`--${field.name} is missing${field.description ? `: ${field.description}` : '.'}`, `overture ${command} --help`)
  }
  const read = (field: Field): unknown => readValue(flags.list(field.name), field.schema, field.name, command)
  const query = new URLSearchParams()
  const headers: Record<string, string> = operation.method === 'GET' ? {} : { 'idempotency-key': flags.text('idempotency-key') ?? newId() }
  let { path } = operation
  let workspaceId: string | undefined
  for (const field of operation.fields) {
    const isGiven = flags.has(field.name)
    if (field.in === 'path') {
      const isWorkspace = field.name === 'workspaceId'
      const value = isGiven ? flags.text(field.name)! : isWorkspace ? await findWorkspace() : missing(field)
      if (isWorkspace) workspaceId = value
      path = path.replace(`{${field.name}}`, encodeURIComponent(value))
    } else if (field.in === 'query' && isGiven) {
      query.set(field.name, String(read(field)))
    } else if (field.in === 'header' && isGiven) {
      headers[field.name] = flags.text(field.name)!
    } else if (!isGiven && field.isRequired && field.in !== 'body') missing(field)
  }
  const located = { method: operation.method, path: query.size > 0 ? `${path}?${query}` : path, headers, workspaceId }
  if (!operation.body) return located
  if (operation.body.mediaType !== 'application/json') return { ...located, file: await readFileBody(flags, shell, command) }
  return { ...located, body: await readJsonBody(operation, flags, shell, missing) }
}

async function readFileBody(flags: Flags, shell: Shell, command: string): Promise<Uint8Array<ArrayBuffer>> {
  const named = flags.text('body')
  if (named === undefined) throw new UsageError('The file is missing.', `overture ${command} --body @file.csv`)
  return Uint8Array.from(await readNamed(shell, named.replace(/^@/, '')))
}

async function readJsonBody(operation: ApiOperation, flags: Flags, shell: Shell, missing: (field: Field) => never): Promise<unknown> {
  const command = `api ${operation.id}`
  const { schema } = operation.body!
  const given = flags.text('body')
  const body =
    given === undefined
      ? {}
      : parse(given.startsWith('@') || given === '-' ? (await readNamed(shell, given.replace(/^@/, ''))).toString('utf8') : given)
  const fields = operation.fields.filter(field => field.in === 'body')
  for (const name of flags.names()) {
    const field = fields.find(each => each.name === name)
    const inner = field?.schema ?? (name.includes('.') ? schemaAt(schema, name.split('.')) : undefined)
    // A parameter of the path or the query is not part of the body.
    if (!inner || operation.fields.find(each => each.name === name && each.in !== 'body')) continue
    put(body as Record<string, unknown>, name.split('.'), readValue(flags.list(name), inner, name, command))
  }
  for (const field of fields) if (field.isRequired && !(field.name in (body as object))) missing(field)
  return body

  function parse(text: string): unknown {
    try {
      const value = JSON.parse(text) as unknown
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
    } catch {
      // Told below.
    }
    throw new UsageError('--body must be a JSON object.', `overture ${command} --help`)
  }
}
