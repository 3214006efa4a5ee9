import type pg from 'pg'
import { MINUTE_MS } from '../lib/time.ts'
import { ColumnIndex, type Question } from './column-index.ts'
import type { ExportedIds, LeadPreview } from './engine.ts'
import { type FeedPosition, hasDirectoryVersion, streamDirectory } from './feed.ts'
import type { FollowingIndex } from './index-keeper.ts'
import type { DirectoryChanges, DirectoryVersion } from './records.ts'
import { ScanPool } from './scan-pool.ts'
import { readSnapshot, writeSnapshot } from './snapshot.ts'

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
