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

/** How many deliveries are in hand for each endpoint, those that wait for their turn included, and when it pays to look for more that can be sent. */
export class Occupancy {
  readonly #places = new Map<string, Place>()
  readonly #atOnce: number
  readonly #aheadOf: (endpointId: string) => number

  /** `atOnce`: how many deliveries to one endpoint may be under way. `aheadOf`: how many more of them may be in hand, which changes with its pace. */
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
   * After a claim, with the counts that it went by: an endpoint that was given less than it had room for has nothing
   * that waits. Answers that came while the claim was under way change nothing about that.
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
   * After a fan-out: whether there are more events for those that it says something about. One without room for more was left out, so there may be.
   */
  rememberBehind(reached: readonly { reportedId: string; isBehind: boolean }[], before: ReadonlyMap<string, number>): void {
    this.#lowerLimits()
    const isBehind = new Map(reached.map(({ reportedId, isBehind }) => [reportedId, isBehind]))
    for (const [endpointId, place] of this.#places) {
      const hadNoRoom = (before.get(endpointId) ?? 0) >= place.limit
      place.more.events = isBehind.get(endpointId) ?? (hadNoRoom || place.more.events)
    }
  }

  /** One that has become slow since it was given its places was given nothing by the claim, although few of them are taken. */
  #lowerLimits(): void {
    for (const [endpointId, place] of this.#places) place.limit = Math.min(place.limit, this.#atOnce + this.#aheadOf(endpointId))
  }

  /**
   * Where to look for more, and when. Looking costs a query, so a quick receiver gets several at a time: it pays at once when half of the places
   * are free, and a moment later when fewer are in hand than can be under way.
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
