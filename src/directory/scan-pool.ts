import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Columns } from './columns.ts'
import { BLOCK_ROWS, type ScanPlan, type Tally, tallyBlocks } from './scan.ts'
import type { ScanOrder } from './scan-thread.ts'

const MAX_HELPERS = 3
/** With fewer rows, waking another thread costs more than it saves. */
const SHARED_FROM_ROWS = 8 * BLOCK_ROWS

/** Scans with one thread per core, including the calling thread. */
export class ScanPool {
  readonly #columns: Columns
  readonly #helpers: { worker: Worker; memories: number }[] = []
  readonly #size: number
  readonly #sharedFromRows: number

  constructor(columns: Columns, threads: number = availableParallelism(), sharedFromRows: number = SHARED_FROM_ROWS) {
    this.#columns = columns
    this.#sharedFromRows = sharedFromRows
    this.#size = Math.min(MAX_HELPERS, Math.max(0, threads - 1))
  }

  readonly tally = async (plan: ScanPlan, withFacets: boolean): Promise<Tally> => {
    const { segments, rowCount } = this.#columns
    const next = new Int32Array(new SharedArrayBuffer(4))
    if (rowCount < this.#sharedFromRows) return tallyBlocks(segments, plan, rowCount, next, withFacets)
    const answers = this.#helping().map(helper => {
      this.#order(helper.worker, { kind: 'tally', plan, rowCount, next, withFacets })
      return once(helper.worker, 'message') as Promise<[Tally]>
    })
    const tally = tallyBlocks(segments, plan, rowCount, next, withFacets)
    for (const [part] of await Promise.all(answers)) {
      for (let index = 0; index < tally.length; index++) tally[index]! += part[index]!
    }
    return tally
  }

  /** Returns the helper threads, started on first use, after sending them the segments that were added since. */
  #helping(): { worker: Worker }[] {
    while (this.#helpers.length < this.#size) {
      const worker = new Worker(new URL('./scan-thread.ts', import.meta.url))
      worker.unref()
      const helper = { worker, memories: 0 }
      // A helper that dies fails the current scan; the next scan starts a new one.
      worker.on('error', () => this.#helpers.splice(this.#helpers.indexOf(helper), 1))
      this.#helpers.push(helper)
    }
    const { memories } = this.#columns
    for (const helper of this.#helpers) {
      if (helper.memories < memories.length) this.#order(helper.worker, { kind: 'memories', memories: memories.slice(helper.memories) })
      helper.memories = memories.length
    }
    return this.#helpers
  }

  #order(worker: Worker, order: ScanOrder): void {
    worker.postMessage(order)
  }

  async stop(): Promise<void> {
    await Promise.all(this.#helpers.splice(0).map(({ worker }) => worker.terminate()))
  }
}
