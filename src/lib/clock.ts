/** Rules never ask the machine for the time: they are handed this, so that a test or a simulation can own it. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/** A clock that stands still until it is moved: fourteen days of a campaign pass in a test within seconds. */
export class VirtualClock implements Clock {
  #nowMs: number

  constructor(start: Date) {
    this.#nowMs = start.getTime()
  }

  now(): Date {
    return new Date(this.#nowMs)
  }

  advance(ms: number): void {
    this.#nowMs += ms
  }

  set(now: Date): void {
    this.#nowMs = now.getTime()
  }
}
