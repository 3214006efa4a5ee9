/** Limits how much work runs at the same time. The rest waits, in order: heavy work must not take every connection. */
export class Slots {
  readonly #waiting: (() => void)[] = []
  #free: number

  constructor(count: number) {
    this.#free = count
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>(resolve => this.#waiting.push(resolve))
    return this.#occupy(work)
  }

  async #occupy<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free++
    }
  }
}
