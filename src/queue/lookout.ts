import assert from 'node:assert/strict'
import type { FastifyBaseLogger } from 'fastify'
import type { WakeBus } from './wake-bus.ts'

interface LookoutOptions {
  name: string
  /** Wakes of these topics make it look at once. */
  topics: readonly string[]
  /** How often to look without being woken: for work that becomes due by time, and for lost wakes. */
  pollMs: number
  /** Looks once. Returns true when there may be more, so that it looks again at once. */
  look: () => Promise<boolean>
}

type Mode = 'new' | 'asleep' | 'looking' | 'looking, and asked again' | 'stopped'

const AFTER_FAILURE_MS = 500

/** Looks for work when it is woken, and at intervals. A failed look (the database is not reachable) is repeated without end. */
export class Lookout {
  readonly #options: LookoutOptions
  readonly #log: FastifyBaseLogger
  readonly #wake: WakeBus
  #stopListening: (() => void)[] = []
  #mode: Mode = 'new'
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> = Promise.resolve()
  #failures = 0

  constructor(options: LookoutOptions, wake: WakeBus, log: FastifyBaseLogger) {
    this.#options = options
    this.#log = log
    this.#wake = wake
  }

  start(): void {
    assert.equal(this.#mode, 'new')
    this.#stopListening = this.#options.topics.map(topic => this.#wake.on(topic, () => this.poke()))
    this.#mode = 'asleep'
    this.poke()
  }

  /** Makes it look at once. */
  poke(): void {
    if (this.#mode === 'new' || this.#mode === 'stopped') return
    if (this.#mode === 'asleep') {
      clearTimeout(this.#timer)
      this.#mode = 'looking'
      this.#looking = this.#look()
    } else this.#mode = 'looking, and asked again'
  }

  async #look(): Promise<void> {
    try {
      while (this.#mode !== 'stopped' && (await this.#options.look()));
      this.#failures = 0
    } catch (error) {
      if (this.#failures++ === 0) this.#log.warn({ err: error, queue: this.#options.name }, 'cannot look for work; will keep trying')
    }
    if (this.#mode === 'stopped') return
    const again = this.#mode === 'looking, and asked again' && this.#failures === 0
    this.#mode = 'asleep'
    if (again) this.poke()
    else this.#timer = setTimeout(() => this.poke(), this.#failures > 0 ? AFTER_FAILURE_MS : this.#options.pollMs)
  }

  async stop(): Promise<void> {
    this.#mode = 'stopped'
    clearTimeout(this.#timer)
    for (const stop of this.#stopListening) stop()
    await this.#looking
  }
}
