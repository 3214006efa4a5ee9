import { readFile } from 'node:fs/promises'
import type { FilterDocument } from '#lead-terms'
import type { Context } from '../../context/context.ts'
import { repeatWhileLocked } from '../../db/errors.ts'
import { wrongUsage } from '../../lib/command-failure.ts'
import { isEmail } from '../../lib/email.ts'
import { isUuid } from '../../lib/ids.ts'
import { type ErasePerson, type ErasureCounts, NOTHING_ERASED } from '../erasures/erasures.ts'
import { listWorkspaceIds } from '../workspaces/queries.ts'
import { type FileImportResult, type ImportProgress, importFile } from './csv-import-tasks.ts'
import { HttpSource, type HttpSourceShape, type LeadSource } from './http-source.ts'
import { erasePeople, mergeIntoDirectory } from './people.ts'
import { readPerson } from './person-input.ts'
import { readFilters } from './read-filters.ts'
import type { NewPerson } from './schema.ts'

interface DirectoryValues extends PullValues {
  map?: string[] | undefined
  verify?: boolean | undefined
  'probe-from'?: string | undefined
  again?: boolean | undefined
  /** An option that the command line knows already. */
  workspace?: string | undefined
}

/** `overture people import` and `overture people pull`. Not `leads`: those belong to campaigns and are imported over the API. */
export async function runDirectoryCommand(ctx: Context, positionals: readonly string[], values: DirectoryValues): Promise<void> {
  const [command, file] = positionals
  if (command === 'import' && file) return importCommand(ctx, file, values)
  if (command === 'pull' && file) return pullCommand(ctx, file, values)
  throw wrongUsage('Name a file.', 'overture help server')
}

async function importCommand(ctx: Context, file: string, values: DirectoryValues): Promise<void> {
  const display = new ProgressDisplay(process.stderr)
  const probe = values['probe-from']
    ? { helloName: new URL(ctx.config.baseUrl || 'http://localhost').hostname, from: values['probe-from'] }
    : undefined
  const result = await importFile(ctx, {
    file,
    map: values.map ?? [],
    again: values.again ?? false,
    ...(values.workspace ? { workspaceId: readWorkspaceOption(values.workspace) } : {}),
    ...(values.verify || probe ? { verify: probe ? { probe } : {} } : {}),
    onMapping: shown => console.log(`Columns of ${file}:\n${shown}`),
    onResume: at => console.log(`Continuing after row ${at.rowCount}.`),
    onProgress: progress => display.show(progress),
  }).finally(() => display.end())
  console.log(describeResult(result))
}

function readWorkspaceOption(id: string): string {
  if (!isUuid(id)) throw wrongUsage('--workspace needs the id of a workspace.', 'overture api workspaces.list')
  return id.toLowerCase()
}

function describeResult(result: FileImportResult): string {
  if (result.wasFinished) return 'This file was imported before. --again imports it once more.'
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

const BAR_WIDTH = 24
const LINE_EVERY_MS = 5000

/** A bar that redraws itself at a terminal, and a line now and then everywhere else. */
class ProgressDisplay {
  readonly #stream: NodeJS.WriteStream
  readonly #startedMs = performance.now()
  #first: ImportProgress | undefined
  #shownMs = 0

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream
  }

  show(progress: ImportProgress): void {
    this.#first ??= { ...progress, rowCount: 0, bytePosition: 0 }
    const nowMs = performance.now()
    if (!this.#stream.isTTY && nowMs - this.#shownMs < LINE_EVERY_MS) return
    this.#shownMs = nowMs
    const seconds = Math.max(0.001, (nowMs - this.#startedMs) / 1000)
    const done = progress.bytePosition / progress.byteCount
    const rate = progress.rowCount / seconds
    const left = Math.round((seconds / done) * (1 - done))
    const bar = '#'.repeat(Math.round(done * BAR_WIDTH)).padEnd(BAR_WIDTH, '.')
    const time = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
    const text = `[${bar}] ${String(Math.floor(done * 100)).padStart(3)}%  ${progress.rowCount.toLocaleString('en-US')} rows  ${Math.round(rate).toLocaleString('en-US')} rows/s  ${time} left`
    this.#stream.write(this.#stream.isTTY ? `\r${text}\u001b[K` : `${text}\n`)
  }

  end(): void {
    if (this.#stream.isTTY && this.#first) this.#stream.write('\n')
  }
}

interface PullValues {
  filters?: string | undefined
  limit?: string | undefined
  'key-file'?: string | undefined
}

/** `overture people pull` */
async function pullCommand(ctx: Context, file: string, values: PullValues): Promise<void> {
  const shape = JSON.parse(await readFile(file, 'utf8')) as HttpSourceShape
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

/** The same document that the API takes, shorthand included, and refused in the same words. */
export function readFilterOption(text = '{}'): FilterDocument {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch (error) {
    throw wrongUsage(`--filters wants JSON: ${(error as Error).message}`, 'overture help server')
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
    throw wrongUsage('Name a command of `people`: import, pull or erase.', 'overture help server')
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
  const { erasedCount } = await repeatWhileLocked(() => ctx.db.inTransaction(tx => erasePeople(tx, ctx.secrets, [email], ctx.clock.now())))
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
    `Erased from the lead directory (${personCount === 0 ? 'was not in it' : 'was in it'}) and suppressed in ${workspaceCount} workspaces.`,
    `${leadCount} leads, ${messageCount} messages, ${replyCount} replies, ${eventCount} events, ${exportCount} exports, ${operationCount} operations.`,
  ].join('\n')
}
