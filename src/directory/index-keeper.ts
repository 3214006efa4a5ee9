import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { gazetteer } from '#lead-terms'
import { readChanges, readDirectoryVersion } from './feed.ts'
import type { DirectoryChanges, DirectoryVersion, ExportedIds, LeadPreview, Question } from './records.ts'

/** An index that can be searched, and updated from one version of the directory to the next. */
interface SearchIndex {
  readonly version: number
  readonly titles: { readonly count: number }
  readonly places: { readonly count: number }
  apply(changes: DirectoryChanges, current: DirectoryVersion): Promise<void> | void
  preview(question: Question, withFacets: boolean): Promise<LeadPreview> | LeadPreview
  exportIds(question: Question, limit: number): Promise<ExportedIds> | ExportedIds
  close?(): Promise<void>
}

/** Builds an index at some version of the directory. Every attempt begins with a new one, because a failed attempt may have filled the old one. */
export type BuildIndex = (client: pg.Client) => Promise<SearchIndex>

interface KeeperOptions {
  databaseUrl: string
  onTrouble?: (error: unknown) => void
}

const POLL_MS = 1000
const RETRY_MS = 500

/**
 * Keeps an index up to date with the directory and answers from it. A search and a change never overlap, so every response is from exactly
 * one version. When the database is not reachable, answers continue from the last known version.
 */
export class IndexKeeper {
  readonly #options: KeeperOptions
  readonly #build: BuildIndex
  readonly #built = Promise.withResolvers<SearchIndex>()
  #index: SearchIndex | undefined
  #client: pg.Client | undefined
  #stopped = false
  #poke: () => void = () => {}
  #turn: Promise<unknown> = Promise.resolve()
  #following: Promise<void> | undefined
  #asking: (() => void)[] = []
  #isReading = false
  #looking: Promise<unknown> = Promise.resolve()

  constructor(build: BuildIndex, options: KeeperOptions) {
    this.#build = build
    this.#options = options
  }

  start(): void {
    this.#following ??= this.#follow()
  }

  poke(): void {
    this.#poke()
  }

  async preview(question: Question, withFacets: boolean): Promise<LeadPreview> {
    const index = await this.#built.promise
    return this.#alone(() => index.preview(question, withFacets))
  }

  async exportIds(question: Question, limit: number): Promise<ExportedIds> {
    const index = await this.#built.promise
    return this.#alone(() => index.exportIds(question, limit))
  }

  /**
   * Resolves when the index has everything that was in the directory at the time of the call. It checks over the connection that follows
   * the directory and opens no other. While this connection is busy with a read, whose transaction sees an earlier state, or is lost, the
   * next check answers.
   */
  async caughtUp(): Promise<number> {
    const index = await this.#built.promise
    if (this.#client && !this.#isReading) {
      const seen = await this.#look(this.#client).catch(() => null)
      if (seen && seen.version <= index.version) return index.version
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#asking.push(resolve)
    this.poke()
    await promise
    return index.version
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#poke()
    // A long read ends when its connection ends.
    await this.#client?.end().catch(() => {})
    await this.#following
    await this.#index?.close?.()
  }

  /** Runs one piece of work at a time, in the order of the calls. */
  #alone<T>(work: () => Promise<T> | T): Promise<T> {
    const result = this.#turn.then(work, work)
    this.#turn = result.catch(() => {})
    return result
  }

  async #follow(): Promise<void> {
    while (!this.#stopped) {
      const asked = new Promise<void>(resolve => {
        this.#poke = resolve
      })
      try {
        const client = await this.#connect()
        if (!this.#index) {
          this.#index = await this.#reading(() => this.#build(client))
          this.#built.resolve(this.#index)
          // Loads the gazetteer now, so that the first filter with a city does not wait for it.
          gazetteer()
        }
        await this.#catchUp(client, this.#index)
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

  /** A connection runs one statement at a time, so each check waits for the one before. */
  #look(client: pg.Client): Promise<DirectoryVersion> {
    const look = this.#looking.then(() => readDirectoryVersion(client))
    this.#looking = look.catch(() => {})
    return look
  }

  async #reading<T>(work: () => Promise<T>): Promise<T> {
    this.#isReading = true
    try {
      // A check must not run inside the transaction of this read, because the transaction sees an earlier state.
      await this.#looking
      return await work()
    } finally {
      this.#isReading = false
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

  async #catchUp(client: pg.Client, index: SearchIndex): Promise<void> {
    // A caller from here on needs data that may be written after the query below.
    const asking = this.#asking.length
    while ((await this.#look(client)).version > index.version) {
      const position = { version: index.version, titleCount: index.titles.count, placeCount: index.places.count }
      const { changes, current } = await this.#reading(() => readChanges(client, position))
      await this.#alone(() => index.apply(changes, current))
    }
    for (const resolve of this.#asking.splice(0, asking)) resolve()
  }
}
