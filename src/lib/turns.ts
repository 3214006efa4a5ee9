import { Tally } from './tally.ts'

/** How long a refused owner is expected to come back. */
const COMES_BACK_MS = 2000

/**
 * Limits how much work runs at the same time, and lets owners take turns: what waits is taken from one owner after the other.
 * However much work one owner brings, a single piece of another owner is next.
 */
export class Turns {
  /** In the order of their turns: the first owner is next. */
  readonly #waiting = new Map<string, (() => void)[]>()
  readonly #running = new Tally()
  /** Owners that were refused, and when. They return automatically. */
  readonly #refused = new Map<string, number>()
  readonly #perOwner: number
  readonly #nowMs: () => number
  #free: number

  /** With a `perOwner` below `count`, one owner with long work leaves a place to the others. */
  constructor(count: number, { perOwner = count, nowMs = () => performance.now() }: { perOwner?: number; nowMs?: () => number } = {}) {
    this.#free = count
    this.#perOwner = perOwner
    this.#nowMs = nowMs
  }

  async run<T>(owner: string, work: () => Promise<T>): Promise<T> {
    if (this.#free > 0 && this.#running.of(owner) < this.#perOwner) this.#take(owner)
    else await new Promise<void>(resolve => this.#waiting.set(owner, [...(this.#waiting.get(owner) ?? []), resolve]))
    return this.#occupy(owner, work)
  }

  /** Null, at once, when there is no room, or when an owner with less work at the moment was refused before. */
  async tryRun<T>(owner: string, work: () => Promise<T>): Promise<T | null> {
    if (this.#free === 0 || this.#isTurnOfAnother(owner)) {
      this.#refused.set(owner, this.#nowMs())
      return null
    }
    this.#take(owner)
    this.#refused.delete(owner)
    return this.#occupy(owner, work)
  }

  #isTurnOfAnother(owner: string): boolean {
    const own = this.#running.of(owner)
    for (const [other, refusedMs] of this.#refused) {
      if (this.#nowMs() - refusedMs > COMES_BACK_MS) this.#refused.delete(other)
      else if (other !== owner && this.#running.of(other) < own) return true
    }
    return false
  }

  #take(owner: string): void {
    this.#free--
    this.#running.add(owner, 1)
  }

  async #occupy<T>(owner: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } finally {
      this.#free++
      this.#running.add(owner, -1)
      this.#next()
    }
  }

  #next(): void {
    const first = [...this.#waiting].find(([owner]) => this.#running.of(owner) < this.#perOwner)
    if (!first) return
    const [owner, [begin, ...rest]] = first
    // Behind all others that wait.
    this.#waiting.delete(owner)
    if (rest.length > 0) this.#waiting.set(owner, rest)
    // Taken here and not when the work begins, because others may end before that.
    this.#take(owner)
    begin!()
  }
}
