import { isRecord } from '../../lib/canonical-json.ts'
import { type CommandFailed, wrongUsage } from '../../lib/command-failure.ts'
import { isUuid, newId } from '../../lib/ids.ts'
import type { Flags } from '../flags.ts'
import { readNamed, type Shell } from '../shell.ts'
import type { ApiOperation, Field } from './document.ts'
import { isUuidSchema, put, readValue, schemaAt } from './values.ts'

export interface Request {
  method: string
  path: string
  headers: Record<string, string>
  body?: unknown
  file?: Uint8Array<ArrayBuffer>
  workspaceId: string | undefined
}

export async function buildRequest(
  operation: ApiOperation,
  flags: Flags,
  shell: Shell,
  findWorkspace: () => Promise<string>,
): Promise<Request> {
  const located = await locate(operation, flags, findWorkspace)
  if (!operation.body) return located
  if (operation.body.mediaType !== 'application/json') return { ...located, file: await readFileBody(operation, flags, shell) }
  return { ...located, body: await readJsonBody(operation, flags, shell) }
}

/** The request without its body: the flags go into the path, the query and the headers. */
async function locate(operation: ApiOperation, flags: Flags, findWorkspace: () => Promise<string>): Promise<Request> {
  const query = new URLSearchParams()
  const headers: Record<string, string> = operation.takesKey ? { 'idempotency-key': flags.text('idempotency-key') ?? newId() } : {}
  let { path } = operation
  let workspaceId: string | undefined
  // The service may be asked for the workspace, so that comes last: a wrong flag is refused before anything is sent.
  const fields = operation.fields
    .filter(field => field.in !== 'body')
    .sort((left, right) => Number(isWorkspace(left)) - Number(isWorkspace(right)))
  for (const field of fields) {
    const value = textOf(operation, field, flags) ?? (isWorkspace(field) ? await findWorkspace() : undefined)
    if (isWorkspace(field)) workspaceId = value
    if (value === undefined) {
      if (field.isRequired) throw missing(operation, field)
    } else if (field.in === 'path') path = path.replace(`{${field.name}}`, partOfPath(operation, field, value))
    else if (field.in === 'query') query.set(field.name, value)
    else headers[field.name] = value
  }
  return { method: operation.method, path: query.size > 0 ? `${path}?${query}` : path, headers, workspaceId }
}

const isWorkspace = (field: Field): boolean => field.in === 'path' && field.name === 'workspaceId'

function textOf({ id }: ApiOperation, { name, in: place, schema }: Field, flags: Flags): string | undefined {
  if (!flags.has(name)) return undefined
  return place === 'query' ? String(readValue(flags.list(name), schema, name, `api ${id}`)) : flags.text(name)
}

/** `..` would lead to another operation, because the address of a request is resolved like a path in a file system. */
function partOfPath({ id }: ApiOperation, { name, schema }: Field, value: string): string {
  const wanted = isUuidSchema(schema) ? 'an id (a UUID)' : 'part of an address'
  const fits = isUuidSchema(schema) ? isUuid(value) : !['', '.', '..'].includes(value)
  if (!fits) throw wrongUsage(`--${name} must be ${wanted}, not "${value}".`, `overture api ${id} --help`)
  return encodeURIComponent(value)
}

const missing = ({ id }: ApiOperation, { name, description }: Field): CommandFailed =>
  wrongUsage(`--${name} is missing${description ? `: ${description}` : '.'}`, `overture api ${id} --help`)

async function readFileBody({ id }: ApiOperation, flags: Flags, shell: Shell): Promise<Uint8Array<ArrayBuffer>> {
  const named = flags.text('body')
  if (named === undefined) throw wrongUsage('The file is missing.', `overture api ${id} --body @file.csv`)
  return Uint8Array.from(await readNamed(shell, named.replace(/^@/, '')))
}

async function readJsonBody(operation: ApiOperation, flags: Flags, shell: Shell): Promise<Record<string, unknown>> {
  const command = `api ${operation.id}`
  const { schema } = operation.body!
  const body = await readGiven(flags.text('body'), shell, command)
  const fields = operation.fields.filter(field => field.in === 'body')
  for (const name of flags.names()) {
    const field = fields.find(each => each.name === name)
    const inner = field?.schema ?? (name.includes('.') ? schemaAt(schema, name.split('.')) : undefined)
    // A parameter of the path or the query is not part of the body.
    if (!inner || operation.fields.find(each => each.name === name && each.in !== 'body')) continue
    put(body, name.split('.'), readValue(flags.list(name), inner, name, command))
  }
  for (const field of fields) if (field.isRequired && !(field.name in body)) throw missing(operation, field)
  return body
}

/** The object in `--body`: as JSON, in a file, or piped in. */
async function readGiven(given: string | undefined, shell: Shell, command: string): Promise<Record<string, unknown>> {
  if (given === undefined) return {}
  const isNamed = given.startsWith('@') || given === '-'
  const text = isNamed ? (await readNamed(shell, given.replace(/^@/, ''))).toString('utf8') : given
  try {
    const value = JSON.parse(text) as unknown
    if (isRecord(value)) return value
  } catch {
    // The error below is for every text that is not an object.
  }
  throw wrongUsage('--body must be a JSON object.', `overture ${command} --help`)
}
