/** A receiver that usually answers within this time processes everything that was claimed ahead within two seconds. */
const QUICK_MS = 250
const AHEAD = 56
/** The weight of the latest answer in the average. */
const WEIGHT = 0.2
const MOST_KNOWN = 1000

/**
 * How quickly endpoints answer, and so how many deliveries may be claimed for them ahead of their turn: a claim of many costs little more
 * than a claim of one. A slow endpoint gets none, because a claimed delivery cannot be cancelled.
 */
export class Pace {
  readonly #averageMs = new Map<string, number>()

  note(endpointId: string, durationMs: number, isAccepted: boolean): void {
    const latest = isAccepted ? durationMs : QUICK_MS * 10
    if (this.#averageMs.size >= MOST_KNOWN) this.#averageMs.clear()
    const before = this.#averageMs.get(endpointId) ?? latest
    // Reacts at once when the endpoint gets slower, and gradually when it gets faster.
    this.#averageMs.set(endpointId, latest > QUICK_MS ? Math.max(before, latest) : before + (latest - before) * WEIGHT)
  }

  /** False for an endpoint that has not answered yet. */
  isSlow(endpointId: string): boolean {
    return (this.#averageMs.get(endpointId) ?? 0) > QUICK_MS
  }

  aheadOf(endpointId: string): number {
    return (this.#averageMs.get(endpointId) ?? Number.POSITIVE_INFINITY) <= QUICK_MS ? AHEAD : 0
  }
}
