import { isLockedByOthers } from '../db/client.ts'
import type { OutsideTask } from './tasks.ts'

const MOST = 100

type Finish = Awaited<ReturnType<OutsideTask['run']>>

/** Keeps outside work that is done while its operation waits for a locked row: a message that was sent is not sent again for that. */
export class Unfinished {
  readonly #kept = new Map<string, Finish>()

  async finish(id: string, run: () => Promise<Finish>, conclude: (finish: Finish) => Promise<void>): Promise<void> {
    const kept = this.#kept.get(id)
    this.#kept.delete(id)
    const finish = kept ?? (await run())
    try {
      await conclude(finish)
    } catch (error) {
      if (isLockedByOthers(error)) this.#keep(id, finish)
      throw error
    }
  }

  /** The oldest goes when there are too many: another process may have carried it out meanwhile. */
  #keep(id: string, finish: Finish): void {
    this.#kept.set(id, finish)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > MOST) this.#kept.delete(oldest!)
  }
}
