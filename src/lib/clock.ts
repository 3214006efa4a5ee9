/** Rules never read the time of the machine. They get this clock, so that a test or a simulation can control the time. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }

/** A clock that moves only when a test moves it: fourteen days of a campaign pass within seconds. */
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
