interface Place {
  count: number
  limit: number
  /** It was given as many as it may have, so there may be more that wait for it. */
  isFilled: boolean
}

/** How many deliveries are in hand for each endpoint, those that wait for their turn included, and when it pays to look for more that can be sent. */
export class Occupancy {
  readonly #places = new Map<string, Place>()

  get counts(): ReadonlyMap<string, number> {
    return new Map([...this.#places].map(([endpointId, place]) => [endpointId, place.count]))
  }

  isBusy(endpointId: string): boolean {
    return this.#places.has(endpointId)
  }

  enter(endpointId: string, limit: number): void {
    const place = this.#places.get(endpointId) ?? { count: 0, limit, isFilled: false }
    this.#places.set(endpointId, { ...place, count: place.count + 1, limit })
  }

  /**
   * After a claim, with the counts that it went by: an endpoint that was given less than it had room for has nothing
   * that waits. Answers that came while the claim was under way change nothing about that.
   */
  remember(before: ReadonlyMap<string, number>, claimed: readonly string[]): void {
    const given = new Map<string, number>()
    for (const endpointId of claimed) given.set(endpointId, (given.get(endpointId) ?? 0) + 1)
    for (const [endpointId, place] of this.#places) {
      place.isFilled = (before.get(endpointId) ?? 0) + (given.get(endpointId) ?? 0) >= place.limit
    }
  }

  /**
   * Looking costs a query, so a quick receiver gets several at a time: it pays at once when half of the places are
   * free, and a moment later when there are fewer.
   */
  leave(endpointId: string): 'now' | 'soon' | 'never' {
    const place = this.#places.get(endpointId)!
    place.count--
    if (place.count === 0) this.#places.delete(endpointId)
    if (!place.isFilled) return 'never'
    return place.count <= place.limit / 2 ? 'now' : 'soon'
  }
}
