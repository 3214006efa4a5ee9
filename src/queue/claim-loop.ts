import type { FastifyBaseLogger } from 'fastify'
import type { WakeBus } from './wake-bus.ts'

export interface ClaimLoopOptions<T> {
  name: string
  /** Wakes of these topics make the loop look at once. */
  topics: string[]
  /** How often to look without being woken: for work that becomes due by time, and for lost wakes. */
  pollMs: number
  batchSize: number
  /** How many rows may be claimed and not yet done with at one time. */
  capacity: number
  /** How many batches may be under way at one time. While that many are, work piles up, and the next batch is larger. */
  batchesAtOnce?: number
  claim(limit: number): Promise<T[]>
  handle(batch: T[]): Promise<void>
}

/**
 * The one loop behind every queue: claim a batch, handle it, look again; claim more while there is room, sleep when
 * there is nothing. An error in `claim` (the database is away) is answered by waiting, never by giving up.
 */
export class ClaimLoop<T> {
  readonly #options: ClaimLoopOptions<T>
  readonly #log: FastifyBaseLogger
  readonly #stopListening: (() => void)[]
  readonly #running = new Set<Promise<void>>()
  #timer: NodeJS.Timeout | undefined
  #inFlight = 0
  #claiming: Promise<void> | undefined
  #again = false
  #stopped = false
  #failures = 0

  constructor(options: ClaimLoopOptions<T>, wake: WakeBus, log: FastifyBaseLogger) {
    this.#options = options
    this.#log = log
    this.#stopListening = options.topics.map(topic => wake.on(topic, () => this.poke()))
  }

  start(): void {
    this.poke()
  }

  poke(): void {
    if (this.#stopped) return
    if (this.#claiming) {
      this.#again = true
      return
    }
    clearTimeout(this.#timer)
    this.#claiming = this.#claimAll().finally(() => {
      this.#claiming = undefined
      if (this.#stopped) return
      if (this.#again) {
        this.#again = false
        this.poke()
      } else {
        this.#timer = setTimeout(() => this.poke(), this.#failures > 0 ? 500 : this.#options.pollMs)
      }
    })
  }

  async #claimAll(): Promise<void> {
    const { name, batchSize, capacity, batchesAtOnce = Number.POSITIVE_INFINITY } = this.#options
    while (!this.#stopped && this.#inFlight < capacity && this.#running.size < batchesAtOnce) {
      let batch: T[]
      try {
        batch = await this.#options.claim(Math.min(batchSize, capacity - this.#inFlight))
        this.#failures = 0
      } catch (error) {
        if (this.#failures++ === 0) this.#log.warn({ err: error, loop: name }, 'cannot claim work; will keep trying')
        return
      }
      if (batch.length === 0) return
      this.#handle(batch)
    }
  }

  #handle(batch: T[]): void {
    this.#inFlight += batch.length
    const work = this.#options
      .handle(batch)
      .catch(error => this.#log.error({ err: error, loop: this.#options.name }, 'a batch failed'))
      .finally(() => {
        this.#inFlight -= batch.length
        this.#running.delete(work)
        this.poke()
      })
    this.#running.add(work)
  }

  /** Takes nothing new and waits for what has been taken. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    for (const stop of this.#stopListening) stop()
    await this.#claiming
    while (this.#running.size > 0) await Promise.all(this.#running)
  }
}
