/** Where there may be more for an endpoint: deliveries that wait in the queue, or events that are not deliveries yet. */
export interface Source {
  waiting: boolean
  events: boolean
}

interface Place {
  count: number
  limit: number
  more: Source
}

/** Counts the claimed deliveries of each endpoint, including those that wait for their turn, and decides when to look for more. */
export class Occupancy {
  readonly #places = new Map<string, Place>()
  readonly #atOnce: number
  readonly #aheadOf: (endpointId: string) => number

  /** `atOnce`: how many deliveries to one endpoint may be sent at a time. `aheadOf`: how many more may be claimed, which depends on its pace. */
  constructor(atOnce: number, aheadOf: (endpointId: string) => number) {
    this.#atOnce = atOnce
    this.#aheadOf = aheadOf
  }

  get counts(): ReadonlyMap<string, number> {
    return new Map([...this.#places].map(([endpointId, place]) => [endpointId, place.count]))
  }

  isBusy(endpointId: string): boolean {
    return this.#places.has(endpointId)
  }

  enter(endpointId: string, limit: number): void {
    const place = this.#places.get(endpointId) ?? { count: 0, limit, more: { waiting: false, events: false } }
    this.#places.set(endpointId, { ...place, count: place.count + 1, limit })
  }

  /**
   * After a claim, with the counts that it used: an endpoint that got fewer than it had room for has no waiting
   * deliveries, whatever answers came during the claim.
   */
  remember(before: ReadonlyMap<string, number>, claimed: readonly string[]): void {
    const given = new Map<string, number>()
    for (const endpointId of claimed) given.set(endpointId, (given.get(endpointId) ?? 0) + 1)
    this.#lowerLimits()
    for (const [endpointId, place] of this.#places) {
      place.more.waiting = (before.get(endpointId) ?? 0) + (given.get(endpointId) ?? 0) >= place.limit
    }
  }

  /**
   * After a fan-out: notes whether there are more events for its endpoints. An endpoint without room was left out, so it may have more.
   */
  rememberBehind(reached: readonly { reportedId: string; isBehind: boolean }[], before: ReadonlyMap<string, number>): void {
    this.#lowerLimits()
    const isBehind = new Map(reached.map(({ reportedId, isBehind }) => [reportedId, isBehind]))
    for (const [endpointId, place] of this.#places) {
      const hadNoRoom = (before.get(endpointId) ?? 0) >= place.limit
      place.more.events = isBehind.get(endpointId) ?? (hadNoRoom || place.more.events)
    }
  }

  /** An endpoint that has become slow meanwhile got nothing from the claim, although it has few deliveries. */
  #lowerLimits(): void {
    for (const [endpointId, place] of this.#places) place.limit = Math.min(place.limit, this.#atOnce + this.#aheadOf(endpointId))
  }

  /**
   * Where to look for more, and when. Each look is a query, so a fast receiver gets several at a time: at once when half of the places
   * are free, and a moment later when fewer are claimed than can be sent at a time.
   */
  leave(endpointId: string): { when: 'now' | 'soon' | 'never'; more: Source } {
    const place = this.#places.get(endpointId)!
    place.count--
    if (place.count === 0) this.#places.delete(endpointId)
    const { more, count, limit } = place
    if (!more.waiting && !more.events) return { when: 'never', more }
    if (count <= limit / 2) return { when: 'now', more }
    return { when: count < this.#atOnce ? 'soon' : 'never', more }
  }
}
