export const GROUP_SIZE = 128
/**
 * One group at a time, as large as possible: groups of one workspace would only wait for each other when events get their numbers. When a
 * group takes longer than this, others may start beside it.
 */
const SLOW_MS = 200
const GROUPS_AT_ONCE = 3
/** From this size on, operations arrive so quickly that the next group is larger when it begins a little later. */
const MANY = 8
const GROW_MS = 10

/** Decides when the next group of operations is claimed. All times are of `performance.now()`. */
export class GroupPace {
  #begunMs = Number.NEGATIVE_INFINITY
  #size = 0

  noteClaim(size: number): void {
    this.#size = size
  }

  noteBegin(nowMs: number): void {
    this.#begunMs = nowMs
  }

  mayBegin(running: number, nowMs: number): boolean {
    return running === 0 || (running < GROUPS_AT_ONCE && nowMs - this.#begunMs >= SLOW_MS)
  }

  /**
   * How long the next claim waits for more operations: each group takes the same dozen statements, however small it is. Operations that come
   * one by one do not wait, and neither do those that a full claim has left behind.
   */
  waitMs(nowMs: number): number {
    const isLoaded = this.#size >= MANY && this.#size < GROUP_SIZE && nowMs - this.#begunMs < SLOW_MS
    return isLoaded ? GROW_MS : 0
  }
}
