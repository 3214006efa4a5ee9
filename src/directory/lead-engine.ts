import type { FastifyBaseLogger } from 'fastify'
import type { FilterDocument } from '#lead-terms'
import type { Database } from '../db/client.ts'
import { BudgetExceeded, BudgetedThreads } from '../lib/budgeted-thread.ts'
import type { Clock } from '../lib/clock.ts'
import { type AppError, unavailable } from '../lib/errors.ts'
import { within } from '../lib/time.ts'
import type { WakeBus } from '../queue/wake-bus.ts'
import type { EngineCall, EngineOptions, Trouble } from './engine-thread.ts'
import type { ExportedIds, LeadCount, LeadPreview, SearchOptions } from './records.ts'

/** The parts of the context that the engine needs. The engine is itself a part of the context, so it cannot take all of it. */
interface EngineContext {
  config: { clickhouseUrl: string }
  db: Pick<Database, 'url' | 'makeRoom'>
  clock: Clock
  wake: Pick<WakeBus, 'on'>
  log: FastifyBaseLogger
}

/** The time that a search waits for the first build of the index before it answers "try again later". */
const PATIENCE_MS = 20_000
const TOO_MANY_CONNECTIONS = '53300'
/** Calls wait for the index in its thread, and not for each other. */
const MOST_CALLS = 10_000

/**
 * The search over the lead directory. PostgreSQL holds the data; the engine has a copy of the searchable values in a thread of its own, follows
 * the directory by version, and returns its version with every response.
 */
export class LeadEngine {
  readonly #ctx: EngineContext
  readonly #thread: BudgetedThreads<EngineCall, unknown>
  #stopListening: (() => void) | undefined
  #inTrouble = false
  #troubleCode: unknown

  constructor(ctx: EngineContext) {
    this.#ctx = ctx
    const { config, db, log } = ctx
    const data: EngineOptions = { databaseUrl: db.url, clickhouseUrl: config.clickhouseUrl }
    this.#thread = new BudgetedThreads(new URL('./engine-thread.ts', import.meta.url), {
      tasksPerThread: MOST_CALLS,
      maxHeapMb: null,
      // It follows the directory between the questions, too.
      idleMs: null,
      data,
      onNotice: trouble => this.#note(trouble as Trouble),
      // The next question starts a new thread.
      onLost: why => log.error({ err: why }, 'the lead index was lost and will be built again'),
    })
  }

  /** Starts building in the background. A search starts it too, and waits until it is built. */
  start(): void {
    if (this.#stopListening) return
    this.#stopListening = this.#ctx.wake.on('directory', () => void this.#thread.run({ kind: 'poke' }).catch(() => {}))
    this.#thread.warmUp()
  }

  async stop(): Promise<void> {
    if (!this.#stopListening) return
    this.#stopListening()
    await this.#thread.run({ kind: 'stop' }).catch(() => {})
    await this.#thread.stop()
  }

  async count(filter: FilterDocument, options?: SearchOptions): Promise<LeadCount> {
    const { matchCount, verifiedCount, version } = await this.#preview(filter, false, options)
    return { matchCount, verifiedCount, version }
  }

  /** Counts and facets of one version, from one scan. */
  preview(filter: FilterDocument, options?: SearchOptions): Promise<LeadPreview> {
    return this.#preview(filter, true, options)
  }

  #preview(filter: FilterDocument, withFacets: boolean, options: SearchOptions = {}): Promise<LeadPreview> {
    return this.#ask({ kind: 'preview', question: this.#question(filter, options), withFacets })
  }

  /** The first `limit` matching people, in ascending order of id: the same question at the same version returns the same ids. */
  exportIds(filter: FilterDocument, limit: number, options: SearchOptions = {}): Promise<ExportedIds> {
    return this.#ask({ kind: 'exportIds', question: this.#question(filter, options), limit })
  }

  /** Resolves when answers include everything that was committed before the call. Returns the version. */
  caughtUp(): Promise<number> {
    return this.#ask({ kind: 'caughtUp' })
  }

  #question(filter: FilterDocument, { excludeIds, ...options }: SearchOptions) {
    return { filter, now: this.#ctx.clock.now(), ...options, ...(excludeIds ? { excludeIds: Uint32Array.from(excludeIds) } : {}) }
  }

  async #ask<T>(call: EngineCall): Promise<T> {
    this.start()
    try {
      const answer = await within(PATIENCE_MS, this.#thread.run(call), () => this.#notReadyError())
      this.#inTrouble = false
      this.#troubleCode = undefined
      return answer as T
    } catch (error) {
      throw error instanceof BudgetExceeded && error.reason !== 'stopped' ? notReady() : error
    }
  }

  /** Without a connection to the database, the error names the database instead of the index. */
  #notReadyError(): Error {
    const waits = this.#troubleCode === TOO_MANY_CONNECTIONS
    return waits ? Object.assign(new Error('the lead index got no connection to the database'), { code: TOO_MANY_CONNECTIONS }) : notReady()
  }

  #note({ trouble, code }: Trouble): void {
    if (!this.#inTrouble) this.#ctx.log.warn({ trouble }, 'the lead index cannot follow the directory; will keep trying')
    this.#inTrouble = true
    this.#troubleCode = code
    if (code === TOO_MANY_CONNECTIONS) void this.#ctx.db.makeRoom()
  }
}

const notReady = (): AppError => unavailable('The lead index is being built. Try again in a few seconds.', 5)
