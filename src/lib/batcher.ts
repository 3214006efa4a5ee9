interface Waiting<I, O> {
  item: I
  resolve: (result: O) => void
  reject: (error: unknown) => void
}

export interface BatcherOptions {
  maxSize: number
  /** How many batches may be under way at once. */
  lanes?: number
  concernsAll?: (error: unknown) => boolean
  /** Says when a batch begins, for batchers that begin together. */
  start?: (begin: () => void) => void
}

/**
 * Group commit for any kind of work: requests that arrive while one batch is running go into the next one. A lone
 * request starts at once, so no request waits for others.
 *
 * When a batch of several fails, each of its items is tried alone: one bad item must not take the others down. An error
 * that concerns all (the database is away) goes to everybody instead, also to those who are still waiting: they would
 * only learn the same later.
 */
export class Batcher<I, O> {
  readonly #run: (items: I[]) => Promise<O[]>
  readonly #maxSize: number
  #waiting: Waiting<I, O>[] = []
  #running = 0
  readonly #lanes: number
  readonly #concernsAll: (error: unknown) => boolean
  readonly #start: ((begin: () => void) => void) | undefined

  constructor(run: (items: I[]) => Promise<O[]>, options: BatcherOptions) {
    this.#run = run
    this.#maxSize = options.maxSize
    this.#lanes = options.lanes ?? 1
    this.#concernsAll = options.concernsAll ?? (() => false)
    this.#start = options.start
  }

  submit(item: I): Promise<O> {
    return new Promise((resolve, reject) => {
      // A moment later, so that requests of the same moment stay together.
      if (this.#waiting.push({ item, resolve, reject }) === 1) this.#begin(setImmediate)
    })
  }

  readonly #pump = (): void => {
    while (this.#running < this.#lanes && this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#maxSize)
      this.#running++
      void this.#settle(batch).then(this.#next)
    }
  }

  readonly #next = (): void => {
    this.#running--
    if (this.#waiting.length > 0) this.#begin(pump => pump())
  }

  #begin(usual: (begin: () => void) => void): void {
    ;(this.#start ?? usual)(this.#pump)
  }

  async #settle(batch: Waiting<I, O>[]): Promise<void> {
    try {
      const results = await this.#run(batch.map(waiting => waiting.item))
      batch.forEach((waiting, index) => {
        waiting.resolve(results[index]!)
      })
    } catch (error) {
      if (this.#concernsAll(error)) batch.push(...this.#waiting.splice(0))
      else if (batch.length > 1) return this.#settleSingly(batch)
      for (const waiting of batch) waiting.reject(error)
    }
  }

  async #settleSingly(batch: Waiting<I, O>[]): Promise<void> {
    for (const waiting of batch) await this.#settle([waiting])
  }
}
