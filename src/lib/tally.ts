/** Counts by key, such as the work in hand of each owner. A key without a count is forgotten. */
export class Tally {
  readonly counts = new Map<string, number>()

  of(key: string): number {
    return this.counts.get(key) ?? 0
  }

  /** Returns the new count. */
  add(key: string, change: number): number {
    const count = this.of(key) + change
    if (count > 0) this.counts.set(key, count)
    else this.counts.delete(key)
    return count
  }
}
