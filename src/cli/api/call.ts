import type { Page } from '../../../packages/sdk/src/calls.ts'
import type { Http } from '../../../packages/sdk/src/http.ts'
import { list } from '../../../packages/sdk/src/lists.ts'
import { waitFor } from '../../../packages/sdk/src/operations.ts'
import type { OperationReference } from '../../../packages/sdk/src/types.gen.ts'
import { wrongUsage } from '../../lib/command-failure.ts'
import type { Call } from '../command.ts'
import { findConnection } from '../connection.ts'
import { CONNECTION_FLAGS } from '../connection-flags.ts'
import { type FlagSet, type Flags, readArgs } from '../flags.ts'
import { suggestion } from '../nearest.ts'
import { columnsOf, jsonText, printJson, printRecord, printTable } from '../output.ts'
import { clientOf, httpOf } from '../service.ts'
import type { Shell } from '../shell.ts'
import { describeOperation, listAll } from './describe.ts'
import { type ApiOperation, listOperations } from './document.ts'
import { buildRequest, type Request } from './request.ts'
import { isSwitch, schemaAt } from './values.ts'

const CALL_FLAGS: FlagSet = {
  body: { kind: 'text', value: '@FILE', text: 'the body: JSON, @file.json, or - for standard input; flags override its fields' },
  wait: { kind: 'switch', text: 'wait for the operation and print its result' },
  all: { kind: 'switch', text: 'print every page of a list' },
  'idempotency-key': { kind: 'text', value: 'KEY', text: 'makes a repeated call safe (default: a new key)' },
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
  throw wrongUsage('The token can use several workspaces, or none.', 'overture api workspaces.list   # then --workspace ID')
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
    if ((body as Page<unknown>).meta?.pagination?.nextCursor) shell.warn('There are more rows: --all prints all of them.')
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
