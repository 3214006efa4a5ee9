/** A receiver that answers within this time, as a rule, has worked off what was claimed ahead within two seconds. */
const QUICK_MS = 250
const AHEAD = 56
/** What an endpoint did lately counts, and what it did before counts less and less. */
const WEIGHT = 0.2
const MOST_KNOWN = 1000

/**
 * How quickly endpoints answer, and so how many deliveries may be claimed for them ahead of their turn: a claim of many costs little more
 * than a claim of one. A slow endpoint gets none, because what waits here for long is not in the queue, where it could be called off.
 */
export class Pace {
  readonly #averageMs = new Map<string, number>()

  note(endpointId: string, durationMs: number, isAccepted: boolean): void {
    const latest = isAccepted ? durationMs : QUICK_MS * 10
    if (this.#averageMs.size >= MOST_KNOWN) this.#averageMs.clear()
    const before = this.#averageMs.get(endpointId) ?? latest
    // At once when it gets slower, bit by bit when it gets quicker.
    this.#averageMs.set(endpointId, latest > QUICK_MS ? Math.max(before, latest) : before + (latest - before) * WEIGHT)
  }

  /** False for one that has not answered yet: it is slow when it proves to be. */
  isSlow(endpointId: string): boolean {
    return (this.#averageMs.get(endpointId) ?? 0) > QUICK_MS
  }

  aheadOf(endpointId: string): number {
    return (this.#averageMs.get(endpointId) ?? Number.POSITIVE_INFINITY) <= QUICK_MS ? AHEAD : 0
  }
}
