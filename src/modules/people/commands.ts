import { readFile } from 'node:fs/promises'
import type { FilterDocument } from '#lead-terms'
import type { Context } from '../../context/context.ts'
import { repeatWhileLocked } from '../../db/errors.ts'
import { unreadable, wrongUsage } from '../../lib/command-failure.ts'
import { isEmail } from '../../lib/email.ts'
import { AppError } from '../../lib/errors.ts'
import { isUuid } from '../../lib/ids.ts'
import { type ErasePerson, type ErasureCounts, NOTHING_ERASED } from '../erasures/erasures.ts'
import { listWorkspaceIds } from '../workspaces/queries.ts'
import { type FileImportResult, importFile } from './csv-import-tasks.ts'
import { erasePeople, mergeIntoDirectory, readFilters } from './people.ts'
import { PERSON_FIELDS, type PersonField, type RawPerson, readPerson } from './person-input.ts'
import type { NewPerson } from './schema.ts'

interface DirectoryValues extends PullValues {
  map?: string[] | undefined
  verify?: boolean | undefined
  'probe-from'?: string | undefined
  again?: boolean | undefined
  /** An option that the command line knows already. */
  workspace?: string | undefined
}

/** Shows what is being done, and how far it has come. */
type ShowProgress = (what: string, work: (note: (text: string) => void) => Promise<FileImportResult>) => Promise<FileImportResult>

/** `overture people import` and `overture people pull`. Not `leads`: those belong to campaigns and are imported over the API. */
export async function runDirectoryCommand(
  ctx: Context,
  positionals: readonly string[],
  values: DirectoryValues,
  showProgress: ShowProgress,
): Promise<void> {
  const [command, file] = positionals
  if (command === 'import' && file) return importCommand(ctx, file, values, showProgress)
  if (command === 'pull' && file) return pullCommand(ctx, file, values)
  throw wrongUsage('Specify a file.', 'overture help server')
}

async function importCommand(ctx: Context, file: string, values: DirectoryValues, showProgress: ShowProgress): Promise<void> {
  const probe = values['probe-from']
    ? { helloName: new URL(ctx.config.baseUrl || 'http://localhost').hostname, from: values['probe-from'] }
    : undefined
  const result = await showProgress(`Importing ${file}`, note =>
    importFile(ctx, {
      file,
      map: values.map ?? [],
      again: values.again ?? false,
      ...(values.workspace ? { workspaceId: readWorkspaceOption(values.workspace) } : {}),
      ...(values.verify || probe ? { verify: probe ? { probe } : {} } : {}),
      onMapping: shown => console.log(`Columns of ${file}:\n${shown}`),
      onResume: at => console.log(`Continuing after row ${at.rowCount}.`),
      onProgress: ({ rowCount, bytePosition, byteCount }) =>
        note(`${Math.floor((100 * bytePosition) / byteCount)} %, ${rowCount.toLocaleString('en-US')} rows`),
    }),
  )
  console.log(describeResult(result))
}

function readWorkspaceOption(id: string): string {
  if (!isUuid(id)) throw wrongUsage('--workspace needs the id of a workspace.', 'overture api workspaces.list')
  return id.toLowerCase()
}

function describeResult(result: FileImportResult): string {
  if (result.wasFinished) return 'This file was already imported. Use --again to import it once more.'
  const count = (value: number): string => value.toLocaleString('en-US')
  const lines = [
    `${count(result.rowCount)} rows: ${count(result.insertedCount)} new people, ${count(result.updatedCount)} updated, ${count(result.rejectedCount)} rejected.`,
  ]
  if (result.rejectedCount > 0) lines.push(`Rejected rows, with reasons: ${result.rejectedFile}`)
  const unread = Object.entries(result.unread)
  if (unread.length > 0)
    lines.push(
      `Values that could not be read and were ignored: ${unread.map(([field, times]) => `${field} (${count(times)})`).join(', ')}.`,
    )
  return lines.join('\n')
}

interface PullValues {
  filters?: string | undefined
  limit?: string | undefined
  'key-file'?: string | undefined
}

/** `overture people pull` */
async function pullCommand(ctx: Context, file: string, values: PullValues): Promise<void> {
  const shape = await readSource(file)
  const key = values['key-file'] ? (await readFile(values['key-file'], 'utf8')).trim() : ''
  const filters = readFilterOption(values.filters)
  const limit = Number(values.limit ?? 100)
  if (!Number.isInteger(limit) || limit < 1)
    throw wrongUsage('--limit needs a whole number.', 'overture people pull SOURCE.json --limit 100')
  const result = await pullFromSource(ctx, new HttpSource(shape, key), filters, limit)
  console.log(
    `${result.foundCount} found: ${result.insertedCount} new people, ${result.updatedCount} updated, ${result.rejectedCount} rejected.`,
  )
}

async function readSource(file: string): Promise<HttpSourceShape> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as HttpSourceShape
  } catch (error) {
    throw unreadable(file, error, 'overture help server')
  }
}

/** The same document that the API takes, shorthand included, and refused in the same words. */
export function readFilterOption(text = '{}'): FilterDocument {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch (error) {
    throw wrongUsage(`--filters must be JSON: ${(error as Error).message}`, 'overture help server')
  }
  return readFilters(document).filters
}

const PAGE_SIZE = 100

interface PullResult {
  foundCount: number
  insertedCount: number
  updatedCount: number
  rejectedCount: number
}

/** Fetches up to `limit` people from a source, page by page, each page merged before the next is asked for. */
export async function pullFromSource(
  ctx: Pick<Context, 'db' | 'clock' | 'secrets'>,
  source: LeadSource,
  filters: FilterDocument,
  limit: number,
): Promise<PullResult> {
  const result: PullResult = { foundCount: 0, insertedCount: 0, updatedCount: 0, rejectedCount: 0 }
  let cursor: string | null = null
  do {
    const page = await source.search(filters, Math.min(PAGE_SIZE, limit - result.foundCount), cursor)
    const found = page.people.slice(0, limit - result.foundCount)
    const people = found.map(readPerson).flatMap((read): NewPerson[] => ('person' in read ? [read.person] : []))
    const merged = await ctx.db.inTransaction(tx =>
      mergeIntoDirectory(tx, people, { source: `source:${source.name}`, now: ctx.clock.now(), secrets: ctx.secrets }),
    )
    result.foundCount += found.length
    result.insertedCount += merged.insertedCount
    result.updatedCount += merged.updatedCount
    result.rejectedCount += found.length - people.length + merged.erased.length
    // A provider that returns the same cursor again would make this loop endless.
    cursor = found.length === 0 || page.cursor === cursor ? null : page.cursor
  } while (cursor !== null && result.foundCount < limit)
  return result
}

/** `overture people erase` */
export async function runErasureCommand(ctx: Context, positionals: readonly string[], erasePerson: ErasePerson): Promise<void> {
  const [command, email, ...rest] = positionals
  if (command !== 'erase' || !email || rest.length > 0)
    throw wrongUsage('Specify a subcommand: import, pull or erase.', 'overture help server')
  if (!isEmail(email.trim())) throw wrongUsage('This is not an email address.', 'overture people erase ann@example.com')
  console.log(describeErasure(await eraseEverywhere(ctx, email, erasePerson)))
}

interface EverywhereErased {
  /** People in the lead directory. */
  personCount: number
  workspaceCount: number
  counts: ErasureCounts
}

/** The directory first: from then on no import and no search brings the person back into a workspace. */
async function eraseEverywhere(ctx: Context, email: string, erasePerson: ErasePerson): Promise<EverywhereErased> {
  const erasedCount = await repeatWhileLocked(() => ctx.db.inTransaction(tx => erasePeople(tx, ctx.secrets, [email], ctx.clock.now())))
  let counts: ErasureCounts = NOTHING_ERASED
  const save = async (_: unknown, found: ErasureCounts): Promise<void> => {
    counts = { ...found }
  }
  const workspaceIds = await listWorkspaceIds(ctx.db)
  const { signal } = new AbortController()
  for (const workspaceId of workspaceIds) {
    await repeatWhileLocked(() => erasePerson(ctx, workspaceId, email, signal, { before: counts, save }))
  }
  return { personCount: erasedCount, workspaceCount: workspaceIds.length, counts }
}

function describeErasure({ personCount, workspaceCount, counts }: EverywhereErased): string {
  const { leadCount, messageCount, replyCount, eventCount, exportCount, operationCount } = counts
  return [
    `Erased from the lead directory (${personCount === 0 ? 'no record found' : 'record found'}) and suppressed in ${workspaceCount} workspaces.`,
    `${leadCount} leads, ${messageCount} messages, ${replyCount} replies, ${eventCount} events, ${exportCount} exports, ${operationCount} operations.`,
  ].join('\n')
}

interface SourcePage {
  people: RawPerson[]
  /** The start of the next page; null after the last. */
  cursor: string | null
}

/** An external directory. Its results are imported into ours, with its name as the source. */
export interface LeadSource {
  readonly name: string
  search(filters: FilterDocument, limit: number, cursor: string | null): Promise<SourcePage>
}

/**
 * The description of a provider's API, written by an operator. `{limit}`, `{cursor}`, `{key}`, `{filters}` and paths
 * into the filters such as `{filters.jobTitles.include}` are filled in, in the address, the headers and the body. A
 * text that is nothing but one of them becomes the value itself; a member of the body whose value is absent is left out.
 */
export interface HttpSourceShape {
  name: string
  url: string
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: unknown
  /** The path of the people in the response: `data.people`. Empty or absent: the response is the list. */
  items?: string
  /** The path of the cursor of the next page. Absent: there is only one page. */
  cursor?: string
  /** The path of each value within a person: `{"email": "contact.email", "company": "organization.name"}`. */
  fields: Partial<Record<PersonField, string>>
}

const TIMEOUT_MS = 20_000
const ANSWER_LIMIT_BYTES = 20 * 1024 * 1024

export class HttpSource implements LeadSource {
  readonly name: string
  readonly #shape: HttpSourceShape
  readonly #key: string

  constructor(shape: HttpSourceShape, key = '') {
    const unknown = Object.keys(shape.fields ?? {}).filter(field => !(PERSON_FIELDS as readonly string[]).includes(field))
    if (!shape.name || !shape.url || !shape.fields) throw new Error('A source needs name, url and fields.')
    if (unknown.length > 0) throw new Error(`A source cannot fill ${unknown.join(', ')}. Fields: ${PERSON_FIELDS.join(', ')}`)
    this.name = shape.name
    this.#shape = shape
    this.#key = key
  }

  async search(filters: FilterDocument, limit: number, cursor: string | null): Promise<SourcePage> {
    const values = { filters, limit, cursor: cursor ?? undefined, key: this.#key }
    const { method = 'GET', headers = {}, body } = this.#shape
    const filled = body === undefined ? undefined : JSON.stringify(fill(body, values))
    const answer = await this.#send(fillText(this.#shape.url, values, encodeURIComponent), {
      method,
      headers: {
        accept: 'application/json',
        ...(filled ? { 'content-type': 'application/json' } : {}),
        ...(fill(headers, values) as Record<string, string>),
      },
      body: filled ?? null,
    })
    const items = this.#shape.items ? at(answer, this.#shape.items) : answer
    if (!Array.isArray(items)) throw this.#failure(`the response has no list at ${this.#shape.items ?? 'its top level'}`)
    const next = this.#shape.cursor ? at(answer, this.#shape.cursor) : undefined
    return { people: items.map(item => this.#person(item)), cursor: next == null || next === '' ? null : String(next) }
  }

  async #send(url: string, options: { method: 'GET' | 'POST'; headers: Record<string, string>; body: string | null }): Promise<unknown> {
    try {
      const { request } = await import('undici')
      const answer = await request(url, { ...options, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS })
      const chunks: Buffer[] = []
      let size = 0
      for await (const chunk of answer.body as AsyncIterable<Buffer>) {
        size += chunk.length
        if (size > ANSWER_LIMIT_BYTES) throw this.#failure('the response is too large')
        chunks.push(chunk)
      }
      if (answer.statusCode < 200 || answer.statusCode > 299) throw this.#failure(`it returned ${answer.statusCode}`)
      return JSON.parse(Buffer.concat(chunks).toString('utf8'))
    } catch (error) {
      if (error instanceof AppError) throw error
      throw this.#failure(error instanceof SyntaxError ? 'the response is not JSON' : 'it cannot be reached')
    }
  }

  #person(item: unknown): RawPerson {
    const raw: RawPerson = {}
    for (const [field, path] of Object.entries(this.#shape.fields) as [PersonField, string][]) {
      const value = at(item, path)
      if (value == null || typeof value === 'object') {
        if (Array.isArray(value)) raw[field] = value.filter(part => typeof part !== 'object').join(';')
      } else raw[field] = String(value)
    }
    return raw
  }

  #failure(what: string): AppError {
    return new AppError('upstream_unavailable', `The lead source ${this.name} returned no people: ${what}.`)
  }
}

/** The value at a dotted path; `*` takes every element of a list. */
export function at(value: unknown, path: string): unknown {
  const [name, ...rest] = path.split('.') as [string, ...string[]]
  if (value == null || typeof value !== 'object') return undefined
  if (name === '*')
    return Array.isArray(value) ? value.map(element => (rest.length > 0 ? at(element, rest.join('.')) : element)) : undefined
  const member = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
  return rest.length > 0 ? at(member, rest.join('.')) : member
}

const PLACEHOLDER = /\{((?:filters|limit|cursor|key)[\w.*]*)\}/g

function fillText(text: string, values: unknown, encode: (text: string) => string = String): string {
  return text.replace(PLACEHOLDER, (_, path: string) => {
    const value = at(values, path)
    return value === undefined ? '' : encode(typeof value === 'object' ? JSON.stringify(value) : String(value))
  })
}

function fill(template: unknown, values: unknown): unknown {
  if (typeof template === 'string') {
    const whole = new RegExp(`^${PLACEHOLDER.source}$`).exec(template)
    return whole ? at(values, whole[1]!) : fillText(template, values)
  }
  if (Array.isArray(template)) return template.map(element => fill(element, values)).filter(element => element !== undefined)
  if (template === null || typeof template !== 'object') return template
  const members = Object.entries(template).map(([name, value]) => [name, fill(value, values)] as const)
  return Object.fromEntries(members.filter(([, value]) => value !== undefined))
}
