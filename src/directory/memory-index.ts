import { createHash } from 'node:crypto'
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'
import type pg from 'pg'
import { DEPARTMENTS, EMAIL_STATUSES, EMAIL_TYPES, FUNDING_STAGES, INDUSTRY_SLUGS, SENIORITIES } from '#lead-terms'
import { BudgetedThreads } from '../lib/budgeted-thread.ts'
import { MINUTE_MS } from '../lib/time.ts'
import { ColumnIndex, type Question } from './column-index.ts'
import { type Columns, SEGMENT_BYTES } from './columns.ts'
import type { NumberArray } from './company-store.ts'
import type { ExportedIds, LeadPreview } from './engine.ts'
import { type FeedPosition, hasDirectoryVersion, streamDirectory } from './feed.ts'
import type { FollowingIndex } from './index-keeper.ts'
import type { DirectoryChanges, DirectoryVersion, PlaceRecord } from './records.ts'
import { BLOCK_ROWS, type ScanPlan, type Tally, tallyBlocks } from './scan.ts'
import type { ScanTask } from './scan-thread.ts'

interface MemoryIndexOptions {
  /** Where the snapshot is kept; null for none. */
  snapshotFile: string | null
  /** Directories with fewer people need no snapshot: reading them from the database is as fast. */
  snapshotFromRows?: number
}

const SNAPSHOT_FROM_ROWS = 200_000
const SNAPSHOT_EVERY_MS = 15 * MINUTE_MS

/** The default index: columns in memory, built from a snapshot or the database, scanned with all cores. */
export class MemoryIndex implements FollowingIndex {
  readonly #options: MemoryIndexOptions
  #columns = new ColumnIndex()
  #pool = new ScanPool(this.#columns.columns)
  #versionId = ''
  #startedFrom: 'snapshot' | 'database' | undefined
  #snapshotVersion = -1
  #snapshotAtMs = 0

  constructor(options: MemoryIndexOptions) {
    this.#options = options
  }

  get position(): FeedPosition {
    return { version: this.#columns.version, titleCount: this.#columns.titles.count, placeCount: this.#columns.places.count }
  }

  get startedFrom(): 'snapshot' | 'database' | undefined {
    return this.#startedFrom
  }

  async build(client: pg.Client): Promise<void> {
    const kept = this.#options.snapshotFile ? await readSnapshot(this.#options.snapshotFile) : undefined
    if (kept && (await hasDirectoryVersion(client, { version: kept.index.version, id: kept.versionId }))) {
      this.#use(kept.index, kept.versionId, 'snapshot')
      this.#snapshotVersion = kept.index.version
      return
    }
    const index = new ColumnIndex()
    const current = await streamDirectory(
      client,
      { version: 0, titleCount: 1, placeCount: 1 },
      {
        title: record => index.titles.add(record),
        place: record => index.places.add(record),
        company: record => index.companies.set(record),
        person: index.setRow,
        deleted: () => {},
      },
    )
    index.version = current.version
    this.#use(index, current.id, 'database')
  }

  #use(index: ColumnIndex, versionId: string, startedFrom: 'snapshot' | 'database'): void {
    this.#columns = index
    this.#pool = new ScanPool(index.columns)
    this.#versionId = versionId
    this.#startedFrom = startedFrom
  }

  async apply(changes: DirectoryChanges, current: DirectoryVersion): Promise<void> {
    this.#columns.apply(changes, current.version)
    this.#versionId = current.id
  }

  preview(question: Question, withFacets: boolean): Promise<LeadPreview> {
    return this.#columns.preview(question, withFacets, this.#pool.tally)
  }

  async exportIds(question: Question, limit: number): Promise<ExportedIds> {
    return this.#columns.exportIds(question, limit)
  }

  async settle(): Promise<void> {
    const { snapshotFile, snapshotFromRows = SNAPSHOT_FROM_ROWS } = this.#options
    const { version, columns } = this.#columns
    if (!snapshotFile || columns.rowCount <= snapshotFromRows || this.#snapshotVersion === version) return
    const isRecent = this.#snapshotVersion >= 0 && performance.now() - this.#snapshotAtMs < SNAPSHOT_EVERY_MS
    if (isRecent) return
    this.#snapshotAtMs = performance.now()
    this.#snapshotVersion = version
    await writeSnapshot(this.#columns, this.#versionId, snapshotFile)
  }

  async close(): Promise<void> {
    await this.#pool.stop()
  }
}

const MAX_HELPERS = 3
/** With fewer rows, waking another thread costs more than it saves. */
const SHARED_FROM_ROWS = 8 * BLOCK_ROWS

/** Scans with one thread per core, including the calling thread. */
export class ScanPool {
  readonly #columns: Columns
  readonly #helpers: BudgetedThreads<ScanTask, Tally>
  readonly #size: number
  readonly #sharedFromRows: number

  constructor(columns: Columns, threads: number = availableParallelism(), sharedFromRows: number = SHARED_FROM_ROWS) {
    this.#columns = columns
    this.#sharedFromRows = sharedFromRows
    this.#size = Math.min(MAX_HELPERS, Math.max(0, threads - 1))
    this.#helpers = new BudgetedThreads(new URL('./scan-thread.ts', import.meta.url), {
      threads: this.#size,
      maxHeapMb: null,
      // A question would wait for their start, and they hold next to nothing.
      idleMs: null,
    })
  }

  /** Each thread takes the next block until none is left. A thread that dies fails this scan; the next scan starts a new one. */
  readonly tally = async (plan: ScanPlan, withFacets: boolean): Promise<Tally> => {
    const { segments, memories, rowCount } = this.#columns
    const next = new Int32Array(new SharedArrayBuffer(4))
    if (rowCount < this.#sharedFromRows) return tallyBlocks(segments, plan, rowCount, next, withFacets)
    const answers = Array.from({ length: this.#size }, () => this.#helpers.run({ memories, plan, rowCount, next, withFacets }))
    const tally = tallyBlocks(segments, plan, rowCount, next, withFacets)
    for (const part of await Promise.all(answers)) {
      for (let index = 0; index < tally.length; index++) tally[index]! += part[index]!
    }
    return tally
  }

  stop(): Promise<void> {
    return this.#helpers.stop()
  }
}

/** Increased with every change of the layout, so that older snapshots are built again instead of being misread. */
const FORMAT = 2

/** Columns contain codes, so a snapshot is only valid for the vocabularies of its release. */
const VOCABULARY = createHash('sha256')
  .update(JSON.stringify([SENIORITIES, DEPARTMENTS, EMAIL_STATUSES, EMAIL_TYPES, FUNDING_STAGES, INDUSTRY_SLUGS]))
  .digest('base64url')

const ARRAYS = { Uint8Array, Uint16Array, Uint32Array, Int32Array, Float64Array }
type ArrayKind = keyof typeof ARRAYS

interface Header {
  format: number
  vocabulary: string
  version: number
  versionId: string
  rowCount: number
  ownerCount: number
  segments: number
  companyCount: number
  arrays: { kind: ArrayKind; length: number }[]
  /** Bytes of the JSON that ends the file: titles, places, words. */
  textBytes: number
}

interface Texts {
  titles: string[]
  places: PlaceRecord[]
  words: string[]
}

const HEADER_BYTES = 4096

/**
 * Writes the index to a file, so that a restart reads a hundred megabytes instead of millions of rows. The index can change meanwhile: the
 * file states the version at the start of the writing, and a reader applies all changes after it again.
 */
async function writeSnapshot(index: ColumnIndex, versionId: string, file: string): Promise<void> {
  const { columns, version } = index
  const dump = index.companies.dump()
  const texts: Texts = { titles: index.titles.titles, places: index.places.records.slice(1) as PlaceRecord[], words: dump.words }
  const text = Buffer.from(JSON.stringify(texts))
  const arrays = [...dump.columns, dump.domains]
  const memories = [...columns.memories]
  const header: Header = {
    format: FORMAT,
    vocabulary: VOCABULARY,
    version,
    versionId,
    rowCount: columns.rowCount,
    ownerCount: index.ownerCount,
    segments: memories.length,
    companyCount: dump.count,
    arrays: arrays.map(array => ({ kind: array.constructor.name as ArrayKind, length: array.length })),
    textBytes: text.length,
  }
  const head = Buffer.alloc(HEADER_BYTES, ' ')
  head.write(JSON.stringify(header))
  await mkdir(dirname(file), { recursive: true })
  const fresh = `${file}.${process.pid}`
  const handle = await open(fresh, 'w', 0o600)
  try {
    await writeAll(handle, head)
    for (const memory of memories) await writeAll(handle, new Uint8Array(memory))
    for (const array of arrays) await writeAll(handle, new Uint8Array(array.buffer, array.byteOffset, array.byteLength))
    await writeAll(handle, text)
  } catch (error) {
    await rm(fresh, { force: true })
    throw error
  } finally {
    await handle.close()
  }
  await rename(fresh, file)
}

/** Reads a snapshot of this release; undefined when there is none. */
async function readSnapshot(file: string): Promise<{ index: ColumnIndex; versionId: string } | undefined> {
  const handle = await open(file, 'r').catch(() => undefined)
  if (!handle) return undefined
  try {
    const head = Buffer.alloc(HEADER_BYTES)
    await readAll(handle, head)
    const header = JSON.parse(head.toString()) as Header
    if (header.format !== FORMAT || header.vocabulary !== VOCABULARY) return undefined
    const index = new ColumnIndex()
    for (let number = 0; number < header.segments; number++) {
      const memory = new SharedArrayBuffer(SEGMENT_BYTES)
      await readAll(handle, new Uint8Array(memory))
      index.columns.add(memory)
    }
    index.columns.rowCount = header.rowCount
    index.ownerCount = header.ownerCount
    const arrays: NumberArray[] = []
    for (const { kind, length } of header.arrays) {
      const array = new ARRAYS[kind](length)
      await readAll(handle, new Uint8Array(array.buffer))
      arrays.push(array)
    }
    const text = Buffer.alloc(header.textBytes)
    await readAll(handle, text)
    const texts = JSON.parse(text.toString()) as Texts
    texts.titles.forEach((title, id) => {
      if (id > 0) index.titles.add({ id, title })
    })
    for (const place of texts.places) index.places.add(place)
    const domains = arrays.pop() as Float64Array
    index.companies.restore({ count: header.companyCount, columns: arrays, words: texts.words, domains })
    index.version = header.version
    return { index, versionId: header.versionId }
  } catch {
    return undefined // Cut short or damaged: the store of record is asked instead.
  } finally {
    await handle.close()
  }
}

const PIECE_BYTES = 8 * 1024 * 1024

async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, at, Math.min(PIECE_BYTES, bytes.length - at))
    at += bytesWritten
  }
}

async function readAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesRead } = await handle.read(bytes, at, Math.min(PIECE_BYTES, bytes.length - at))
    if (bytesRead === 0) throw new Error('the file ends too early')
    at += bytesRead
  }
}
