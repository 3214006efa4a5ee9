/** The bounds of the histogram, in seconds. Longer ones count in the total alone. */
export const BOUNDS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5, 30] as const

/** How often a route was asked, how it was answered, and how long that took. */
interface RouteTally {
  /** By method and status, separated by a space. */
  counts: Map<string, number>
  /** How many took as long as each bound at most, and longer than the one before. */
  within: number[]
  count: number
  sumSeconds: number
}

/** Counts requests as they are answered. It runs for every request, so it does nothing but add. */
export class RequestTallies {
  readonly routes = new Map<string, RouteTally>()

  add(route: string, method: string, status: number, elapsedMs: number): void {
    let tally = this.routes.get(route)
    if (!tally) {
      tally = { counts: new Map(), within: BOUNDS_SECONDS.map(() => 0), count: 0, sumSeconds: 0 }
      this.routes.set(route, tally)
    }
    const answer = `${method} ${status}`
    tally.counts.set(answer, (tally.counts.get(answer) ?? 0) + 1)
    const seconds = elapsedMs / 1000
    const bound = BOUNDS_SECONDS.findIndex(each => seconds <= each)
    if (bound >= 0) tally.within[bound]!++
    tally.count++
    tally.sumSeconds += seconds
  }
}
