import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { ColumnIndex, type Question } from '../../leadsearch/engine/column-index.ts'
import type { ExportedIds, LeadPreview } from '../../leadsearch/engine/engine.ts'
import type { DirectoryChanges } from '../../leadsearch/engine/records.ts'
import { ScanPool } from '../../leadsearch/engine/scan-pool.ts'
import { readSnapshot, writeSnapshot } from '../../leadsearch/engine/snapshot.ts'
import { gazetteer } from '../../leadsearch/gazetteer.ts'
import { type FeedPosition, hasDirectoryVersion, readChanges, readDirectoryVersion, streamDirectory } from './feed.ts'

export interface KeeperOptions {
  databaseUrl: string
  /** Where the snapshot is kept; null for none. */
  snapshotFile: string | null
  /** Fewer people than this are asked for again instead of being kept in a file. */
  snapshotFromRows?: number
  onTrouble?: (error: unknown) => void
}

/** Below this, asking the database is as fast as reading a file. */
const SNAPSHOT_FROM_ROWS = 200_000
const SNAPSHOT_EVERY_MS = 15 * 60_000
const POLL_MS = 1000
const RETRY_MS = 500

/**
 * Keeps a column index in step with the directory: builds it from a snapshot or from the database, follows by version,
 * and answers from it. A scan and a change never overlap, so every answer is of exactly one version.
 */
export class IndexKeeper {
  readonly #options: KeeperOptions
  #index = new ColumnIndex()
  #pool = new ScanPool(this.#index.columns)
  #client: pg.Client | undefined
  #versionId = ''
  #startedFrom: 'snapshot' | 'database' | undefined
  #snapshotTurn = Promise.withResolvers<void>()
  #snapshotVersion = -1
  #snapshotAtMs = 0
  #stopped = false
  #poke: () => void = () => {}
  #turn: Promise<unknown> = Promise.resolve()
  #following: Promise<void> | undefined
  #ready = Promise.withResolvers<void>()
  #waiting: { version: number; resolve: () => void }[] = []

  constructor(options: KeeperOptions) {
    this.#options = options
  }

  start(): void {
    this.#following ??= this.#follow()
  }

  /** There may be something new. */
  poke(): void {
    this.#poke()
  }

  get version(): number {
    return this.#index.version
  }

  /** What the index was built from. */
  get startedFrom(): 'snapshot' | 'database' | undefined {
    return this.#startedFrom
  }

  /** Resolves once the first turn of following, with its snapshot, is over. */
  snapshotKept(): Promise<void> {
    return this.#snapshotTurn.promise
  }

  get ready(): Promise<void> {
    return this.#ready.promise
  }

  async preview(question: Question, withFacets: boolean): Promise<LeadPreview> {
    await this.ready
    return this.#alone(() => this.#index.preview(question, withFacets, this.#pool.tally))
  }

  async exportIds(question: Question, limit: number): Promise<ExportedIds> {
    await this.ready
    return this.#alone(async () => this.#index.exportIds(question, limit))
  }

  async apply(changes: DirectoryChanges, version: number): Promise<void> {
    await this.#alone(async () => this.#index.apply(changes, version))
  }

  async caughtUp(): Promise<number> {
    await this.ready
    const own = new pg.Client({ connectionString: this.#options.databaseUrl, application_name: 'overture-leads' })
    await own.connect()
    const { version } = await readDirectoryVersion(own).finally(() => own.end())
    if (this.version < version) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#waiting.push({ version, resolve })
      this.poke()
      await promise
    }
    return this.version
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#poke()
    // What waits for something that is not coming is let go by the end of the connection.
    await this.#client?.end().catch(() => {})
    await this.#following
    await this.#pool.stop()
  }

  /** One at a time, in the order of asking. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work, work)
    this.#turn = result.catch(() => {})
    return result
  }

  async #follow(): Promise<void> {
    let isBuilt = false
    while (!this.#stopped) {
      const asked = new Promise<void>(resolve => {
        this.#poke = resolve
      })
      try {
        const client = await this.#connect()
        if (!isBuilt) {
          await this.#build(client)
          isBuilt = true
          this.#ready.resolve()
          // Reading it takes a moment, and the first filter that names a city should not be the one to wait.
          gazetteer()
        }
        await this.#catchUp(client)
        await this.#keepSnapshot()
        this.#snapshotTurn.resolve()
        await Promise.race([asked, sleep(POLL_MS, undefined, { ref: false })])
      } catch (error) {
        if (this.#stopped) return
        this.#options.onTrouble?.(error)
        await this.#client?.end().catch(() => {})
        this.#client = undefined
        await sleep(RETRY_MS, undefined, { ref: false })
      }
    }
  }

  async #connect(): Promise<pg.Client> {
    if (this.#client) return this.#client
    const client = new pg.Client({
      connectionString: this.#options.databaseUrl,
      application_name: 'overture-leads',
      connectionTimeoutMillis: 2000,
    })
    client.on('error', () => {
      if (this.#client === client) this.#client = undefined
    })
    await client.connect()
    this.#client = client
    return client
  }

  async #build(client: pg.Client): Promise<void> {
    const kept = this.#options.snapshotFile ? await readSnapshot(this.#options.snapshotFile) : undefined
    if (kept && (await hasDirectoryVersion(client, { version: kept.index.version, id: kept.versionId }))) {
      this.#use(kept.index)
      this.#versionId = kept.versionId
      this.#snapshotVersion = kept.index.version
      this.#startedFrom = 'snapshot'
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
        person: (...row) => index.setRow(...row),
        deleted: () => {},
      },
    )
    index.version = current.version
    this.#versionId = current.id
    this.#startedFrom = 'database'
    this.#use(index)
  }

  #use(index: ColumnIndex): void {
    this.#index = index
    this.#pool = new ScanPool(index.columns)
  }

  async #catchUp(client: pg.Client): Promise<void> {
    for (;;) {
      const since: FeedPosition = { version: this.version, titleCount: this.#index.titles.count, placeCount: this.#index.places.count }
      if ((await readDirectoryVersion(client)).version <= since.version) break
      const { changes, current } = await readChanges(client, since)
      await this.apply(changes, current.version)
      this.#versionId = current.id
    }
    this.#waiting = this.#waiting.filter(({ version, resolve }) => {
      if (version > this.version) return true
      resolve()
      return false
    })
  }

  async #keepSnapshot(): Promise<void> {
    const { snapshotFile } = this.#options
    if (
      !snapshotFile ||
      this.#index.columns.rowCount <= (this.#options.snapshotFromRows ?? SNAPSHOT_FROM_ROWS) ||
      this.#snapshotVersion === this.version
    )
      return
    const isRecent = this.#snapshotVersion >= 0 && performance.now() - this.#snapshotAtMs < SNAPSHOT_EVERY_MS
    if (isRecent) return
    this.#snapshotAtMs = performance.now()
    this.#snapshotVersion = this.version
    await writeSnapshot(this.#index, this.#versionId, snapshotFile)
  }
}
