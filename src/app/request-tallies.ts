/** The bounds of the histogram, in seconds. Longer ones count in the total alone. */
export const BOUNDS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5, 30] as const

/** The number of requests of a route, their statuses and their durations. */
interface RouteTally {
  /** By method and status, separated by a space. */
  counts: Map<string, number>
  /** The number of requests up to each bound and above the one before. */
  within: number[]
  count: number
  sumSeconds: number
}

/** Counts requests when they are answered. It runs for every request, so it only adds. */
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
