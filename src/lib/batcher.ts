interface Waiting<I, O> {
  item: I
  resolve: (result: O) => void
  reject: (error: unknown) => void
}

export interface BatcherOptions {
  maxSize: number
  /** The number of batches that may run at the same time. */
  batchesAtOnce?: number
  concernsAll?: (error: unknown) => boolean
  /** Starts a batch, of as many items as wait by then; batchers that share this function start together. */
  start?: (begin: () => void, waiting: number) => void
}

/**
 * Group commit for any kind of work: requests that arrive while one batch is running go into the next one. A lone request starts at once,
 * so no request waits for others. When a batch of several items fails, each item is tried alone, so that one bad item does not fail the
 * others. An error that concerns all items (the database is not reachable) is passed to all callers at once, including those that still
 * wait.
 */
export class Batcher<I, O> {
  readonly #run: (items: I[]) => Promise<O[]>
  readonly #maxSize: number
  #waiting: Waiting<I, O>[] = []
  #running = 0
  readonly #batchesAtOnce: number
  readonly #concernsAll: (error: unknown) => boolean
  readonly #start: BatcherOptions['start']

  constructor(run: (items: I[]) => Promise<O[]>, options: BatcherOptions) {
    this.#run = run
    this.#maxSize = options.maxSize
    this.#batchesAtOnce = options.batchesAtOnce ?? 1
    this.#concernsAll = options.concernsAll ?? (() => false)
    this.#start = options.start
  }

  submit(item: I): Promise<O> {
    return new Promise((resolve, reject) => {
      const isFirst = this.#waiting.push({ item, resolve, reject }) === 1
      // Starts in the next turn, so that requests of the same turn share a batch. `start` may have waited for this item.
      if (isFirst || this.#start) this.#begin(setImmediate)
    })
  }

  readonly #pump = (): void => {
    while (this.#running < this.#batchesAtOnce && this.#waiting.length > 0) {
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
    ;(this.#start ?? usual)(this.#pump, this.#waiting.length)
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
