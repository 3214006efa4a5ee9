import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { backoffMs } from '../lib/backoff.ts'
import type { WorkerIdentity } from './identity.ts'
import { Lookout } from './lookout.ts'
import type { WakeBus } from './wake-bus.ts'

/** Rows that are processed together, until the promise ends. */
export interface Piece<T> {
  rows: readonly T[]
  /** Rejects when the result could not be stored: then the rows still have our number and are given back. */
  done: Promise<void>
}

export interface LeasedQueueOptions<T extends { id: string }> {
  name: string
  topics: readonly string[]
  pollMs: number
  /** The number of rows that may be claimed now, by the number that is already in hand. */
  room: (inHand: number) => number
  /** Takes up to `limit` rows in the name of this worker. */
  claim: (workerId: number, limit: number) => Promise<T[]>
  /** Whether a claim that got these rows may have left others. Usually when it got any. */
  mayHaveLeft?: (rows: T[], limit: number) => boolean
  /** Starts work on the claimed rows, one by one. */
  begin: (rows: T[], workerId: number) => Piece<T>[]
  /** Returns every row with this worker's number to the queue, except those with these ids. */
  giveBackExcept: (workerId: number, ids: string[]) => Promise<unknown>
  /** The time that `stop` waits for running work before it aborts it. Without it, `stop` waits until the work is done. */
  graceMs?: number
}

interface Claimed<T> {
  rows: T[]
  workerId: number
  mayHaveLeft: boolean
}

type Mode = 'new' | 'running' | 'draining' | 'stopped'
const NEXT: Record<Mode, readonly Mode[]> = { new: ['running', 'draining'], running: ['draining'], draining: ['stopped'], stopped: [] }

const RETRY_MS = 250
const RETRY_MAX_MS = 10_000

/**
 * A leased queue: rows are claimed in batches in the name of a worker, processed, and their results recorded. When the response to a claim or
 * to a result is lost, rows keep our number although nothing here processes them, and no other worker would free them while this one lives.
 * So whenever that may have happened, all rows that are not in hand are given back before the next claim.
 */
export class LeasedQueue<T extends { id: string }> {
  readonly #options: LeasedQueueOptions<T>
  readonly #identity: Pick<WorkerIdentity, 'id'>
  readonly #log: FastifyBaseLogger
  readonly #lookout: Lookout
  readonly #inHand = new Map<string, T>()
  readonly #pieces = new Set<Promise<void>>()
  readonly #abort = new AbortController()
  #mode: Mode = 'new'
  #stopping: Promise<void> | undefined
  /** `uncertain`: rows may have our number although nothing here processes them. */
  #claims: 'certain' | 'uncertain' = 'certain'

  constructor(
    { wake, log }: { wake: WakeBus; log: FastifyBaseLogger },
    identity: Pick<WorkerIdentity, 'id'>,
    options: LeasedQueueOptions<T>,
  ) {
    this.#options = options
    this.#identity = identity
    this.#log = log
    const { name, topics, pollMs } = options
    this.#lookout = new Lookout({ name, topics, pollMs, look: () => this.#look() }, wake, log)
  }

  get inHand(): number {
    return this.#inHand.size
  }

  /** Aborted when work that is under way must end. */
  get signal(): AbortSignal {
    return this.#abort.signal
  }

  start(): void {
    this.#enter('running')
    this.#lookout.start()
  }

  poke(): void {
    if (this.#mode === 'running') this.#lookout.poke()
  }

  /** Processes everything that is due at this instant and returns the number of rows: for callers that control the clock. */
  async workAll(): Promise<number> {
    assert.equal(this.#mode, 'new', 'a queue that runs by itself is not worked off by hand')
    for (let total = 0; ; ) {
      const claimed = await this.#claim()
      if (claimed.rows.length === 0) return total
      total += claimed.rows.length
      await Promise.all(this.#begin(claimed))
    }
  }

  /** Claims nothing new, lets running work finish, and gives back the rest. */
  stop(): Promise<void> {
    this.#stopping ??= this.#drain()
    return this.#stopping
  }

  async #drain(): Promise<void> {
    this.#enter('draining')
    await this.#lookout.stop()
    const { graceMs } = this.#options
    const timer = graceMs === undefined ? undefined : setTimeout(() => this.#abort.abort(), graceMs)
    while (this.#pieces.size > 0) await Promise.all(this.#pieces)
    clearTimeout(timer)
    this.#abort.abort()
    // If this fails, other workers give the rows back when they notice that this worker is gone.
    if (this.#claims === 'uncertain') await this.#giveBack().catch(() => {})
    this.#enter('stopped')
  }

  /** Repeats until it succeeds: an outcome must be stored, however long the database is not reachable. */
  async record(store: () => Promise<void>): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await store()
      } catch (error) {
        if (this.signal.aborted) throw error
        if (attempt === 1) this.#log.warn({ err: error, queue: this.#options.name }, 'a result cannot be recorded; will keep trying')
        await sleep(backoffMs(attempt, RETRY_MS, RETRY_MAX_MS), undefined, { signal: this.signal })
      }
    }
  }

  #enter(mode: Mode): void {
    assert.ok(NEXT[this.#mode].includes(mode), `the queue of ${this.#options.name} is ${this.#mode} and cannot become ${mode}`)
    this.#mode = mode
  }

  async #look(): Promise<boolean> {
    const claimed = await this.#claim()
    this.#begin(claimed)
    return claimed.mayHaveLeft
  }

  async #claim(): Promise<Claimed<T>> {
    const limit = this.#options.room(this.#inHand.size)
    if (limit <= 0) return { rows: [], workerId: 0, mayHaveLeft: false }
    const workerId = await this.#identity.id()
    if (this.#claims === 'uncertain') await this.#giveBack()
    try {
      const rows = await this.#options.claim(workerId, limit)
      return { rows, workerId, mayHaveLeft: rows.length > 0 && (this.#options.mayHaveLeft?.(rows, limit) ?? true) }
    } catch (error) {
      this.#claims = 'uncertain'
      throw error
    }
  }

  #begin({ rows, workerId }: Claimed<T>): Promise<void>[] {
    if (rows.length === 0) return []
    for (const row of rows) this.#inHand.set(row.id, row)
    return this.#options.begin(rows, workerId).map(piece => {
      const work = piece.done
        .catch(error => {
          this.#claims = 'uncertain'
          if (!this.signal.aborted) this.#log.warn({ err: error, queue: this.#options.name }, 'work was not recorded; it is given back')
        })
        .finally(() => {
          this.#pieces.delete(work)
          // After a lost connection, the same row may have been claimed again under our next number.
          for (const row of piece.rows) if (this.#inHand.get(row.id) === row) this.#inHand.delete(row.id)
          this.poke()
        })
      this.#pieces.add(work)
      return work
    })
  }

  async #giveBack(): Promise<void> {
    // Set before the rows are given back, so that a result that is lost meanwhile can set it to uncertain again.
    this.#claims = 'certain'
    try {
      await this.#options.giveBackExcept(await this.#identity.id(), [...this.#inHand.keys()])
    } catch (error) {
      this.#claims = 'uncertain'
      throw error
    }
  }
}
