import { createHash } from 'node:crypto'
import { type FileHandle, open, rm, truncate, writeFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { parse } from 'csv-parse'
import type { Context } from '../../context/context.ts'
import { guessDelimiter } from '../../lib/csv-rows.ts'
import { MergeMemory } from '../people/merge-memory.ts'
import { type MergeResult, mergeIntoDirectory, withoutVerification } from '../people/people.ts'
import { ERASED, PERSON_FIELDS, type PersonField, type RawPerson, readPerson } from '../people/person-input.ts'
import type { NewPerson } from '../people/schema.ts'
import { type VerifyOptions, verifyPeople } from '../people/verify-people.ts'
import { type ColumnMapping, describeMapping, mapColumns } from './csv-columns.ts'
import { type CsvBatch, readCsv } from './csv-reader.ts'
import { commitWithoutWaiting, findImport, type ImportPosition, saveImport } from './queries.ts'

interface FileImportOptions {
  file: string
  /** `field=Header`, over what is guessed. */
  map?: readonly string[]
  /** Start from the beginning, even when the file was imported before. */
  again?: boolean
  verify?: VerifyOptions
  /** The people become this workspace's own. What the file says about verified addresses does not count; what `verify` finds out does. */
  workspaceId?: string
  batchRows?: number
  onMapping?: (shown: string) => void
  onResume?: (at: ImportPosition) => void
  onProgress?: (progress: ImportProgress) => void
}

export interface ImportProgress {
  rowCount: number
  bytePosition: number
  byteCount: number
}

export interface FileImportResult extends ImportPosition {
  rejectedFile: string
  /** How often a value was there and could not be read, by field. */
  unread: Partial<Record<PersonField, number>>
  /** The file had been imported completely before; nothing was done. */
  wasFinished: boolean
}

const BATCH_ROWS = 15_000
/** Rows that are read without a look at anything else: a millisecond or two. */
const SLICE_ROWS = 100
const EDGE_BYTES = 65_536

/**
 * Imports a file of any size in batches: the next ones are read while the database merges the one before, and never more
 * than three are in memory. The place in the file is committed with each batch, so an import that is cut off goes on
 * where it was.
 */
export async function importFile(ctx: Pick<Context, 'db' | 'clock' | 'secrets'>, options: FileImportOptions): Promise<FileImportResult> {
  const file = resolve(options.file)
  const rejectedFile = file.replace(/(\.csv)?$/i, '.rejected.csv')
  const head = await readHead(file)
  const mapping = mapColumns(head.headers, options.map)
  options.onMapping?.(describeMapping(head.headers, mapping))

  const { workspaceId } = options
  const fingerprint = fingerprintOf(head, mapping, workspaceId)
  const kept = options.again ? undefined : await findImport(ctx.db, fingerprint)
  const at: ImportPosition = kept ?? {
    bytePosition: head.headerBytes,
    rowCount: 0,
    insertedCount: 0,
    updatedCount: 0,
    rejectedCount: 0,
    rejectedBytes: 0,
    finished: false,
  }
  const unread: Partial<Record<PersonField, number>> = {}
  if (at.finished) return { ...at, rejectedFile, unread, wasFinished: true }
  if (kept) options.onResume?.(kept)

  const rejects = new RejectFile(rejectedFile, head.headers)
  await rejects.open(at.rejectedBytes)
  const memory = new MergeMemory()
  const merge = async (batch: CsvBatch, { people, indexes, rejected }: Prepared): Promise<void> => {
    const rowsBefore = at.rowCount
    at.bytePosition = batch.bytePosition
    at.rowCount += batch.rows.length
    at.rejectedCount += rejected.length
    at.rejectedBytes = await rejects.append(rejected)
    await ctx.db.inTransaction(async tx => {
      await commitWithoutWaiting(tx)
      const now = ctx.clock.now()
      const from = {
        source: `file:${basename(file)}`,
        now,
        secrets: ctx.secrets,
        ...(workspaceId ? { workspaceId, isCheckedByUs: true } : {}),
      }
      const result: MergeResult = await mergeIntoDirectory(tx, people, from, memory)
      at.insertedCount += result.insertedCount
      at.updatedCount += result.updatedCount
      at.rejectedCount += result.erased.length
      at.rejectedBytes = await rejects.append(result.erased.map(person => rejectedRow(batch, rowsBefore, indexes[person]!, ERASED)))
      await saveImport(tx, fingerprint, basename(file), at, now)
    })
    options.onProgress?.({ rowCount: at.rowCount, bytePosition: at.bytePosition, byteCount: head.byteCount })
  }
  let rowsRead = at.rowCount
  let mergingBefore: Promise<void> = Promise.resolve()
  let merging: Promise<void> = Promise.resolve()
  try {
    for await (const batch of readCsv(file, head.delimiter, at.bytePosition, options.batchRows ?? BATCH_ROWS)) {
      const prepared = await prepare(batch, mapping, rowsRead, options, ctx.clock.now(), unread)
      rowsRead += batch.rows.length
      await mergingBefore
      mergingBefore = merging
      merging = merging.then(() => merge(batch, prepared))
      // Its failure is met two turns on; until then nobody may call it unhandled.
      merging.catch(() => {})
    }
    await merging
    at.finished = true
    // This one waits for the disk, and so for everything before it.
    await ctx.db.inTransaction(tx => saveImport(tx, fingerprint, basename(file), at, ctx.clock.now()))
  } finally {
    await merging.catch(() => {})
    await rejects.close()
  }
  return { ...at, rejectedFile, unread, wasFinished: false }
}

interface FileHead {
  headers: string[]
  headerBytes: number
  delimiter: string
  byteCount: number
  edges: Buffer
}

async function readHead(file: string): Promise<FileHead> {
  const handle = await open(file).catch(error => {
    throw new Error(`${file} cannot be read: ${(error as Error).message}`)
  })
  try {
    const { size } = await handle.stat()
    const start = await readAt(handle, 0, Math.min(size, EDGE_BYTES))
    const end = await readAt(handle, Math.max(0, size - EDGE_BYTES), Math.min(size, EDGE_BYTES))
    const lineEnd = start.indexOf(10)
    const line = (lineEnd === -1 ? start : start.subarray(0, lineEnd)).toString('utf8').replace(/^\uFEFF/, '')
    const delimiter = guessDelimiter(line)
    const parser = parse(line, { delimiter, relax_quotes: true, trim: true })
    const [headers] = (await parser.toArray()) as [string[]?]
    if (!headers || headers.length === 0) throw new Error(`${file} is empty.`)
    return { headers, headerBytes: lineEnd === -1 ? size : lineEnd + 1, delimiter, byteCount: size, edges: Buffer.concat([start, end]) }
  } finally {
    await handle.close()
  }
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length)
  const { bytesRead } = await handle.read(buffer, 0, length, position)
  return buffer.subarray(0, bytesRead)
}

/** The same file with another mapping, or for somebody else, is another import. */
function fingerprintOf(head: FileHead, mapping: ColumnMapping, workspaceId: string | undefined): string {
  return createHash('sha256')
    .update(head.edges)
    .update(JSON.stringify([head.byteCount, mapping.columns, ...(workspaceId ? [workspaceId] : [])]))
    .digest('base64url')
}

interface Rejected {
  row: string[]
  rowNumber: number
  reason: string
}

/** `indexes` says which row of the batch each person comes from. */
interface Prepared {
  people: NewPerson[]
  indexes: number[]
  rejected: Rejected[]
}

const rejectedRow = (batch: CsvBatch, rowsBefore: number, index: number, reason: string): Rejected => ({
  row: batch.rows[index]!,
  rowNumber: rowsBefore + index + 1,
  reason,
})

async function prepare(
  batch: CsvBatch,
  { columns }: ColumnMapping,
  rowsBefore: number,
  { verify, workspaceId }: Pick<FileImportOptions, 'verify' | 'workspaceId'>,
  now: Date,
  unread: Partial<Record<PersonField, number>>,
): Promise<Prepared> {
  const fields = PERSON_FIELDS.filter(field => columns[field] !== undefined)
  const positions = fields.map(field => columns[field]!)
  const rejected: Rejected[] = []
  const people: NewPerson[] = []
  const indexes: number[] = []
  const reject = (index: number, reason: string): void => {
    rejected.push(rejectedRow(batch, rowsBefore, index, reason))
  }
  const raw: RawPerson = {}
  for (let index = 0; index < batch.rows.length; index++) {
    // The batch before is being merged meanwhile, and its connection waits for every answer.
    if (index % SLICE_ROWS === SLICE_ROWS - 1) await breathe()
    const row = batch.rows[index]!
    for (let at = 0; at < fields.length; at++) raw[fields[at]!] = row[positions[at]!] ?? ''
    const result = readPerson(raw)
    if ('rejected' in result) {
      reject(index, result.rejected)
      continue
    }
    for (const field of result.unread) unread[field] = (unread[field] ?? 0) + 1
    people.push(workspaceId ? withoutVerification(result.person) : result.person)
    indexes.push(index)
  }
  if (!verify) return { people, indexes, rejected }
  const verdicts = await verifyPeople(people, verify, now)
  verdicts.forEach((reason, position) => {
    if (reason != null) reject(indexes[position]!, reason)
  })
  const isTaken = (_: unknown, position: number): boolean => verdicts[position] == null
  return { people: people.filter(isTaken), indexes: indexes.filter(isTaken), rejected }
}

/** Rows that were not taken, as they were, with the reason: to be mended and imported again. */
class RejectFile {
  readonly #path: string
  readonly #headers: readonly string[]
  #handle: FileHandle | undefined
  #bytes = 0

  constructor(path: string, headers: readonly string[]) {
    this.#path = path
    this.#headers = headers
  }

  /** What was written after the last commit is written again, so it is cut off first. */
  async open(bytes: number): Promise<void> {
    if (bytes === 0) await writeFile(this.#path, '')
    else await truncate(this.#path, bytes)
    this.#handle = await open(this.#path, 'a')
    this.#bytes = bytes
  }

  async append(rejected: readonly Rejected[]): Promise<number> {
    if (rejected.length === 0) return this.#bytes
    const lines = rejected.map(({ row, rowNumber, reason }) =>
      csvLine([...this.#headers.map((_, index) => row[index] ?? ''), String(rowNumber), reason]),
    )
    if (this.#bytes === 0) lines.unshift(csvLine([...this.#headers, 'row', 'reason']))
    const text = Buffer.from(lines.join(''))
    await this.#handle!.appendFile(text)
    this.#bytes += text.length
    return this.#bytes
  }

  async close(): Promise<void> {
    await this.#handle?.close()
    if (this.#bytes === 0) await rm(this.#path, { force: true })
  }
}

const csvLine = (cells: readonly string[]): string =>
  `${cells.map(cell => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`
