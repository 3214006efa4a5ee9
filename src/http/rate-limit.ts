import type { Clock } from '../lib/clock.ts'
import { AppError } from '../lib/errors.ts'

const WINDOW_SECONDS = 60
/** The maximum number of them whose use is remembered at the same time. */
const MAX_WINDOWS = 10_000

interface Window {
  startedAt: number
  used: number
}

/** A fixed window per token, address or person, counted in this process. */
export class RateLimiter {
  readonly #perMinute: number
  readonly #policy: string
  readonly #noun: string
  readonly #clock: Clock
  readonly #windows = new Map<string, Window>()

  constructor(perMinute: number, clock: Clock, noun = 'requests') {
    this.#perMinute = perMinute
    this.#noun = noun
    this.#policy = `"token";q=${perMinute};w=${WINDOW_SECONDS}`
    this.#clock = clock
  }

  take(who: string): void {
    const window = this.#window(who)
    window.used++
    if (window.used > this.#perMinute) throw this.#refusal(window)
  }

  /** For requests that are counted later, and only if they fail. */
  check(who: string): void {
    const window = this.#window(who)
    if (window.used >= this.#perMinute) throw this.#refusal(window)
  }

  count(who: string): void {
    this.#window(who).used++
  }

  headers(who: string): Record<string, string> {
    const window = this.#window(who)
    const left = Math.max(0, this.#perMinute - window.used)
    return { 'ratelimit-policy': this.#policy, ratelimit: `"token";r=${left};t=${this.#secondsLeft(window)}` }
  }

  #refusal(window: Window): AppError {
    const seconds = String(this.#secondsLeft(window))
    return new AppError('rate_limited', `More than ${this.#perMinute} ${this.#noun} in a minute. Try again in ${seconds} s.`, null, {
      'retry-after': seconds,
    })
  }

  #secondsLeft(window: Window): number {
    return Math.max(1, Math.ceil(WINDOW_SECONDS - (this.#clock.now().getTime() - window.startedAt) / 1000))
  }

  /** Windows are in the order of their start: ended ones are at the front, followed by the oldest. */
  #makeRoom(nowMs: number): void {
    for (const [who, window] of this.#windows) {
      const isOver = nowMs - window.startedAt >= WINDOW_SECONDS * 1000
      if (!isOver && this.#windows.size < MAX_WINDOWS) return
      this.#windows.delete(who)
    }
  }

  #window(who: string): Window {
    const nowMs = this.#clock.now().getTime()
    let window = this.#windows.get(who)
    // A window that begins in the future was created before the clock was set back.
    if (!window || nowMs < window.startedAt || nowMs - window.startedAt >= WINDOW_SECONDS * 1000) {
      this.#windows.delete(who)
      this.#makeRoom(nowMs)
      window = { startedAt: nowMs, used: 0 }
      this.#windows.set(who, window)
    }
    return window
  }
}
