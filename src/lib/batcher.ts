interface Waiting<I, O> {
  item: I
  resolve: (result: O) => void
  reject: (error: unknown) => void
}

/**
 * Group commit for anything: whatever is asked while one batch is under way goes into the next one. A lone
 * request starts at once, so nothing is ever delayed in the hope of company.
 *
 * When a batch of several fails, each of its items is tried alone: one bad item must not take the others down.
 */
export class Batcher<I, O> {
  readonly #run: (items: I[]) => Promise<O[]>
  readonly #maxSize: number
  #waiting: Waiting<I, O>[] = []
  #running = 0
  readonly #lanes: number

  constructor(run: (items: I[]) => Promise<O[]>, options: { maxSize: number; lanes?: number }) {
    this.#run = run
    this.#maxSize = options.maxSize
    this.#lanes = options.lanes ?? 1
  }

  submit(item: I): Promise<O> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject })
      this.#pump()
    })
  }

  #pump(): void {
    while (this.#running < this.#lanes && this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#maxSize)
      this.#running++
      this.#settle(batch).finally(() => {
        this.#running--
        this.#pump()
      })
    }
  }

  async #settle(batch: Waiting<I, O>[]): Promise<void> {
    try {
      const results = await this.#run(batch.map(waiting => waiting.item))
      batch.forEach((waiting, index) => {
        waiting.resolve(results[index]!)
      })
    } catch (error) {
      if (batch.length === 1) return batch[0]!.reject(error)
      for (const waiting of batch) await this.#settle([waiting])
    }
  }
}
