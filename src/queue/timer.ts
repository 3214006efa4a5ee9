import type { FastifyBaseLogger } from 'fastify'

/** Runs `work` at intervals, one run at a time, and continues after any error. */
export class Timer {
  readonly #work: () => Promise<void>
  readonly #everyMs: number
  readonly #name: string
  readonly #log: FastifyBaseLogger
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #stopped = false
  #failing = false

  constructor(name: string, everyMs: number, work: () => Promise<void>, log: FastifyBaseLogger) {
    this.#name = name
    this.#everyMs = everyMs
    this.#work = work
    this.#log = log
  }

  start(): void {
    this.#timer = setTimeout(() => this.#tick(), this.#everyMs)
  }

  #tick(): void {
    this.#running = this.#work()
      .then(() => {
        this.#failing = false
      })
      .catch(error => {
        if (!this.#failing) this.#log.warn({ err: error, timer: this.#name }, 'a timer failed; will keep trying')
        this.#failing = true
      })
      .finally(() => {
        if (!this.#stopped) this.start()
      })
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#running
  }
}
