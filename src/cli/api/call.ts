import type { Page } from '../../../packages/sdk/src/calls.ts'
import type { Http } from '../../../packages/sdk/src/http.ts'
import { list } from '../../../packages/sdk/src/lists.ts'
import { waitFor } from '../../../packages/sdk/src/operations.ts'
import type { OperationReference } from '../../../packages/sdk/src/types.gen.ts'
import { isRecord, parsedJson } from '../../lib/canonical-json.ts'
import { type CommandFailed, wrongUsage } from '../../lib/command-failure.ts'
import { isUuid, newId } from '../../lib/ids.ts'
import type { Call } from '../command.ts'
import { clientOf, findConnection, httpOf } from '../connection.ts'
import { CONNECTION_FLAGS, type FlagSet, type Flags, flagLines, readArgs, suggestion } from '../flags.ts'
import { columnsOf, jsonText, printJson, printRecord, printTable } from '../output.ts'
import { readNamed, type Shell } from '../shell.ts'
import {
  type ApiOperation,
  type Field,
  isSwitch,
  isUuidSchema,
  listOperations,
  propertiesOf,
  put,
  readValue,
  schemaAt,
  typeName,
  typesOf,
} from './document.ts'

const CALL_FLAGS: FlagSet = {
  body: { kind: 'text', value: '@FILE', text: 'the body: JSON, @file.json, or - for standard input; flags override its fields' },
  wait: { kind: 'switch', text: 'wait for the operation and print its result' },
  all: { kind: 'switch', text: 'print all pages of a list' },
  'idempotency-key': { kind: 'text', value: 'KEY', text: 'make it safe to repeat the call (default: a new key)' },
  help: { kind: 'switch', text: 'describe the operation' },
  ...CONNECTION_FLAGS,
}

/** `overture api campaigns.create --name Spring`: made from the OpenAPI document, so it knows every operation. */
export async function callOperation({ args, shell }: Call): Promise<void> {
  const [id, ...rest] = args
  if (id === undefined || id.startsWith('-') || id === 'list') return shell.print(listAll(listOperations()))
  const operations = listOperations()
  const operation = operations.find(each => each.id.toLowerCase() === id.toLowerCase())
  if (!operation) {
    const ids = operations.map(each => each.id)
    throw wrongUsage(`There is no operation "${id}".${suggestion(id, ids)}`, 'overture api list')
  }
  const command = `api ${operation.id}`
  const { positionals, flags } = readFlags(operation, rest, command)
  if (flags.isOn('help')) return shell.print(describeOperation(operation, CALL_FLAGS))
  if (positionals.length > 0) throw wrongUsage(`Unexpected argument "${positionals[0]}".`, `overture ${command} --help`)

  const connection = await findConnection(shell, flags)
  const http = httpOf(shell, connection)
  const request = await buildRequest(operation, flags, shell, async () => connection.workspaceId ?? (await onlyWorkspace(http)))
  if (operation.isStream) return follow(shell, flags, clientOf(shell, { ...connection, workspaceId: request.workspaceId }))
  return answer(shell, http, operation, request, flags)
}

function readFlags(operation: ApiOperation, args: readonly string[], command: string) {
  const fields = new Map(operation.fields.map(field => [field.name, field]))
  const kindOf = (name: string) => {
    const field = fields.get(name)
    if (field) return isSwitch(field) ? 'switch' : 'list'
    if (Object.hasOwn(CALL_FLAGS, name)) return CALL_FLAGS[name]!.kind
    const inner = name.includes('.') && operation.body ? schemaAt(operation.body.schema, name.split('.')) : undefined
    return inner && (isSwitch({ schema: inner }) ? 'switch' : 'list')
  }
  return readArgs(args, kindOf, [...fields.keys(), ...Object.keys(CALL_FLAGS)], command)
}

async function onlyWorkspace(http: Http): Promise<string> {
  const { data } = await http.json<{ data: { id: string; name: string }[] }>({ method: 'GET', path: '/v1/workspaces?limit=2' })
  if (data.length === 1) return data[0]!.id
  throw wrongUsage('The token can access several workspaces, or none.', 'overture api workspaces.list   # then --workspace ID')
}

async function answer(shell: Shell, http: Http, operation: ApiOperation, request: Request, flags: Flags): Promise<void> {
  const asJson = flags.isOn('json')
  if (operation.isRaw) {
    const response = await http.raw(request)
    for await (const piece of response.body ?? []) process.stdout.write(piece)
    return
  }
  if (operation.isList && flags.isOn('all')) return everyPage(shell, http, request, asJson)
  const wanted = flags.isOn('wait') && operation.isAccepted
  const headers = wanted ? { ...request.headers, prefer: 'wait=20' } : request.headers
  const body = await http.json<unknown>({ ...request, headers })
  if (wanted && (body as OperationReference | null)?.id) {
    const { id } = body as OperationReference
    return show(shell, await waitFor(http, id), asJson)
  }
  if ((body as OperationReference | undefined)?.status === 'failed' && operation.isAccepted)
    await waitFor(http, (body as OperationReference).id)
  return show(shell, body, asJson)
}

async function everyPage(shell: Shell, http: Http, request: Request, asJson: boolean): Promise<void> {
  const pages = list(cursor => {
    const { pathname, searchParams } = new URL(request.path, 'http://any')
    if (cursor !== undefined) searchParams.set('cursor', cursor)
    return http.json<Page<Record<string, unknown>>>({ ...request, path: searchParams.size > 0 ? `${pathname}?${searchParams}` : pathname })
  })
  const rows: Record<string, unknown>[] = []
  for await (const row of pages) rows.push(row)
  if (asJson) return printJson(shell, { data: rows })
  return printTable(shell, rows, columnsOf(rows))
}

function show(shell: Shell, body: unknown, asJson: boolean): void {
  const data = (body as { data?: unknown } | undefined)?.data ?? body
  if (data === undefined) {
    if (!asJson) shell.print('Done.')
  } else if (asJson) printJson(shell, body)
  else if (!Array.isArray(data)) printRecord(shell, data as Record<string, unknown>)
  else {
    printTable(shell, data, columnsOf(data))
    if ((body as Page<unknown>).meta?.pagination?.nextCursor) shell.warn('There are more rows. --all prints all of them.')
  }
}

async function follow(shell: Shell, flags: Flags, client: ReturnType<typeof clientOf>): Promise<void> {
  const after = flags.text('after')
  const type = flags.text('type')
  const stream = client.events.stream({
    ...(after === undefined ? {} : { after: Number(after) }),
    ...(type === undefined ? {} : { types: [type as never] }),
    campaignId: flags.text('campaignId'),
    leadId: flags.text('leadId'),
  })
  for await (const event of stream) shell.print(jsonText(event))
}

function listAll(operations: readonly ApiOperation[]): string {
  const width = Math.max(...operations.map(({ id }) => id.length))
  return operations.map(({ id, summary }) => `${id.padEnd(width)}  ${summary}`.trimEnd()).join('\n')
}

function describeOperation(operation: ApiOperation, ownFlags: FlagSet): string {
  const { id, method, path, summary, description, scope, fields, body } = operation
  const sections = (['path', 'query', 'header', 'body'] as const).flatMap(place => {
    const own = fields.filter(field => field.in === place)
    return own.length === 0 ? [] : ['', `In the ${place}:`, ...flagLines(Object.fromEntries(own.flatMap(flagOf)))]
  })
  const fileNote = body && body.mediaType !== 'application/json' ? ['', `The body is a file (${body.mediaType}). Use --body @file`] : []
  const usable = Object.entries(ownFlags).filter(([name]) => isUsable(operation, name))
  return [
    `overture api ${id}`,
    '',
    `  ${[summary, description].filter(text => text !== '').join('\n  ')}`,
    `  ${method} ${path}${scope ? `, needs the scope ${scope}` : ''}`,
    ...sections,
    ...fileNote,
    '',
    'Other flags:',
    ...flagLines(Object.fromEntries(usable)),
  ].join('\n')
}

const isUsable = ({ body, isAccepted, isList, takesKey }: ApiOperation, flag: string): boolean =>
  flag === 'body' ? body !== null : flag === 'wait' ? isAccepted : flag === 'all' ? isList : flag !== 'idempotency-key' || takesKey

/** A field, and one level of what is in it. */
function flagOf(field: Field): [string, FlagSet[string]][] {
  const isList = typesOf(field.schema).includes('array')
  const needs = field.isRequired && field.name !== 'workspaceId' ? 'required. ' : ''
  const own: [string, FlagSet[string]] = [
    field.name,
    { kind: isSwitch(field) ? 'switch' : isList ? 'list' : 'text', value: typeName(field.schema), text: `${needs}${field.description}` },
  ]
  const { properties } = propertiesOf(field.schema)
  const inner = Object.entries(properties).map(([name, schema]): [string, FlagSet[string]] => [
    `${field.name}.${name}`,
    { kind: isSwitch({ schema }) ? 'switch' : 'text', value: typeName(schema), text: schema.description ?? '' },
  ])
  return [own, ...inner]
}

interface Request {
  method: string
  path: string
  headers: Record<string, string>
  body?: unknown
  file?: Uint8Array<ArrayBuffer>
  workspaceId: string | undefined
}

async function buildRequest(operation: ApiOperation, flags: Flags, shell: Shell, findWorkspace: () => Promise<string>): Promise<Request> {
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
  const value = parsedJson(text)
  if (isRecord(value)) return value
  throw wrongUsage('--body must be a JSON object.', `overture ${command} --help`)
}
