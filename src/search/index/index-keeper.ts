import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Question } from '../engine/column-index.ts'
import type { ExportedIds, LeadPreview } from '../engine/engine.ts'
import type { DirectoryChanges } from '../engine/records.ts'
import { gazetteer } from '../terms/gazetteer.ts'
import { type DirectoryVersion, type FeedPosition, readChanges, readDirectoryVersion } from './feed.ts'

/** Something that can be brought from one version of the directory to the next, and searched. */
export interface FollowingIndex {
  readonly position: FeedPosition
  /** Makes it fit to answer: afterwards it is at some version that the directory had. */
  build(client: pg.Client): Promise<void>
  apply(changes: DirectoryChanges, current: DirectoryVersion): Promise<void>
  preview(question: Question, withFacets: boolean): Promise<LeadPreview>
  exportIds(question: Question, limit: number): Promise<ExportedIds>
  /** Called after every look at the directory, when there is time. */
  settle(): Promise<void>
  close(): Promise<void>
}

interface KeeperOptions {
  databaseUrl: string
  onTrouble?: (error: unknown) => void
}

const POLL_MS = 1000
const RETRY_MS = 500

/**
 * Keeps an index in step with the directory and answers from it. A search and a change never overlap, so every answer
 * is of exactly one version. While the database is away, answers go on from what was seen last.
 */
export class IndexKeeper {
  readonly #options: KeeperOptions
  readonly #index: FollowingIndex
  readonly #ready = Promise.withResolvers<void>()
  readonly #settled = Promise.withResolvers<void>()
  #client: pg.Client | undefined
  #stopped = false
  #poke: () => void = () => {}
  #turn: Promise<unknown> = Promise.resolve()
  #following: Promise<void> | undefined
  #asking: (() => void)[] = []
  #isReading = false
  #looking: Promise<unknown> = Promise.resolve()

  constructor(index: FollowingIndex, options: KeeperOptions) {
    this.#index = index
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
    return this.#index.position.version
  }

  get ready(): Promise<void> {
    return this.#ready.promise
  }

  /** Resolves once everything that comes after the first look is done, a snapshot included. */
  get settled(): Promise<void> {
    return this.#settled.promise
  }

  async preview(question: Question, withFacets: boolean): Promise<LeadPreview> {
    await this.ready
    return this.#alone(() => this.#index.preview(question, withFacets))
  }

  async exportIds(question: Question, limit: number): Promise<ExportedIds> {
    await this.ready
    return this.#alone(() => this.#index.exportIds(question, limit))
  }

  async apply(changes: DirectoryChanges, current: DirectoryVersion): Promise<void> {
    await this.#alone(() => this.#index.apply(changes, current))
  }

  /**
   * Resolves once the index has seen everything that was in the directory at this moment. It asks over the connection that
   * follows the directory and takes no other. While that one is reading, inside of a transaction that sees an earlier
   * moment, or is away, the next look answers.
   */
  async caughtUp(): Promise<number> {
    await this.ready
    if (this.#client && !this.#isReading) {
      const seen = await this.#look(this.#client).catch(() => null)
      if (seen && seen.version <= this.version) return this.version
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#asking.push(resolve)
    this.poke()
    await promise
    return this.version
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#poke()
    // A long read ends with its connection.
    await this.#client?.end().catch(() => {})
    await this.#following
    await this.#index.close()
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
          await this.#reading(() => this.#index.build(client))
          isBuilt = true
          this.#ready.resolve()
          // Reading it takes a moment, and the first filter that names a city should not be the one to wait.
          gazetteer()
        }
        await this.#catchUp(client)
        await this.#index.settle()
        this.#settled.resolve()
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

  /** A connection carries out one statement at a time: the next look begins after the one before. */
  #look(client: pg.Client): Promise<DirectoryVersion> {
    const look = this.#looking.then(() => readDirectoryVersion(client))
    this.#looking = look.catch(() => {})
    return look
  }

  async #reading<T>(work: () => Promise<T>): Promise<T> {
    this.#isReading = true
    try {
      // A look that has begun must not end up inside the transaction of this read, which sees an earlier moment.
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

  async #catchUp(client: pg.Client): Promise<void> {
    // A caller from here on needs data that may be written after the query below.
    const asking = this.#asking.length
    while ((await this.#look(client)).version > this.version) {
      const { changes, current } = await this.#reading(() => readChanges(client, this.#index.position))
      await this.apply(changes, current)
    }
    for (const resolve of this.#asking.splice(0, asking)) resolve()
  }
}
