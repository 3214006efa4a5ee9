import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { FastifyBaseLogger } from 'fastify'
import type { FilterDocument } from '#lead-terms'
import type { Database } from '../db/client.ts'
import type { Clock } from '../lib/clock.ts'
import { type AppError, unavailable } from '../lib/errors.ts'
import type { WakeBus } from '../queue/wake-bus.ts'
import type { ExportedIds, ExportOptions, LeadCount, LeadEngine, LeadPreview, SearchOptions } from './engine.ts'
import type { EngineAnswer, EngineCall, EngineMessage, EngineOptions } from './engine-thread.ts'

/** The parts of the context that the engine needs. The engine is itself a part of the context, so it cannot take all of it. */
interface EngineContext {
  config: { dir: string; clickhouseUrl: string }
  db: Pick<Database, 'url' | 'makeRoom'>
  clock: Clock
  wake: Pick<WakeBus, 'on'>
  log: FastifyBaseLogger
}

/** The engine of this process. It starts with `start` or with the first search. */
export const createLeadEngine = (ctx: EngineContext): LeadEngine => new ThreadedEngine(ctx)

/** The time that a search waits for the first build of the index before it answers "try again later". */
const PATIENCE_MS = 20_000
const TOO_MANY_CONNECTIONS = '53300'

interface Pending {
  resolve(value: unknown): void
  reject(error: Error): void
}

/** The default engine, as callers see it: a column index in its own thread. */
class ThreadedEngine implements LeadEngine {
  readonly #ctx: EngineContext
  readonly #pending = new Map<number, Pending>()
  #worker: Worker | undefined
  #stopListening: (() => void) | undefined
  #lastId = 0
  #inTrouble = false
  #troubleCode: unknown

  constructor(ctx: EngineContext) {
    this.#ctx = ctx
  }

  start(): void {
    if (this.#worker) return
    const { config, db, wake } = this.#ctx
    const name = createHash('sha256').update(db.url).digest('hex').slice(0, 16)
    const options: EngineOptions = {
      databaseUrl: db.url,
      snapshotFile: join(config.dir, 'cache', `leads-${name}.index`),
      clickhouseUrl: config.clickhouseUrl,
    }
    const worker = new Worker(new URL('./engine-thread.ts', import.meta.url), { workerData: options })
    worker.unref()
    worker.on('message', (answer: EngineAnswer) => this.#settle(answer))
    worker.on('error', error => this.#lost(worker, error))
    worker.on('exit', () => this.#lost(worker, new Error('the thread of the lead index ended')))
    this.#worker = worker
    this.#stopListening = wake.on('directory', () => this.#send(worker, { poke: true }))
  }

  async stop(): Promise<void> {
    const worker = this.#worker
    if (!worker) return
    await this.#ask({ kind: 'stop' }).catch(() => {})
    this.#worker = undefined
    this.#stopListening?.()
    await worker.terminate()
    for (const { reject } of this.#pending.values()) reject(new Error('the lead index was stopped'))
    this.#pending.clear()
  }

  async count(filter: FilterDocument, options?: ExportOptions): Promise<LeadCount> {
    const { matchCount, verifiedCount, version } = await this.#preview(filter, false, options)
    return { matchCount, verifiedCount, version }
  }

  preview(filter: FilterDocument, options?: SearchOptions): Promise<LeadPreview> {
    return this.#preview(filter, true, options)
  }

  #preview(filter: FilterDocument, withFacets: boolean, options: ExportOptions = {}): Promise<LeadPreview> {
    return this.#ask({ kind: 'preview', question: this.#question(filter, options), withFacets })
  }

  exportIds(filter: FilterDocument, limit: number, options: ExportOptions = {}): Promise<ExportedIds> {
    return this.#ask({ kind: 'exportIds', question: this.#question(filter, options), limit })
  }

  caughtUp(): Promise<number> {
    return this.#ask({ kind: 'caughtUp' })
  }

  #question(filter: FilterDocument, { excludeIds, ...options }: ExportOptions) {
    return { filter, now: this.#ctx.clock.now(), ...options, ...(excludeIds ? { excludeIds: Uint32Array.from(excludeIds) } : {}) }
  }

  async #ask<T>(call: EngineCall): Promise<T> {
    this.start()
    const id = ++this.#lastId
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.#pending.set(id, { resolve, reject })
    const impatience = setTimeout(() => reject(this.#notReadyError()), PATIENCE_MS)
    this.#worker!.ref()
    this.#send(this.#worker!, { id, call })
    try {
      return (await promise) as T
    } finally {
      clearTimeout(impatience)
      this.#pending.delete(id)
      // The thread must not keep the process alive when nobody waits for an answer.
      if (this.#pending.size === 0) this.#worker?.unref()
    }
  }

  /** Without a connection to the database, the error names the database instead of the index. */
  #notReadyError(): Error {
    const waits = this.#troubleCode === TOO_MANY_CONNECTIONS
    return waits ? Object.assign(new Error('the lead index got no connection to the database'), { code: TOO_MANY_CONNECTIONS }) : notReady()
  }

  #send(worker: Worker, message: EngineMessage): void {
    worker.postMessage(message)
  }

  #settle(answer: EngineAnswer): void {
    if ('trouble' in answer) {
      if (!this.#inTrouble) this.#ctx.log.warn({ trouble: answer.trouble }, 'the lead index cannot follow the directory; will keep trying')
      this.#inTrouble = true
      this.#troubleCode = answer.code
      if (answer.code === TOO_MANY_CONNECTIONS) void this.#ctx.db.makeRoom()
      return
    }
    this.#inTrouble = false
    this.#troubleCode = undefined
    const pending = this.#pending.get(answer.id)
    if ('error' in answer) pending?.reject(Object.assign(new Error(answer.error), { code: answer.code }))
    else pending?.resolve(answer.value)
  }

  /** The next question starts a new thread. */
  #lost(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return
    this.#ctx.log.error({ err: error }, 'the lead index was lost and will be built again')
    this.#worker = undefined
    this.#stopListening?.()
    for (const { reject } of this.#pending.values()) reject(notReady())
  }
}

const notReady = (): AppError => unavailable('The lead index is being built. Try again in a few seconds.', 5)
