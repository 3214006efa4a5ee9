/** Exponential backoff with equal jitter: half of the delay is fixed and half is random, so that retries spread out. */
export function backoffMs(attempt: number, baseMs: number, maxMs: number, random: () => number = Math.random): number {
  const full = Math.min(maxMs, baseMs * 2 ** Math.max(0, attempt - 1))
  return Math.round(full / 2 + (full / 2) * random())
}

/** Half of the time waited so far: for waiting without a limit of attempts, with growing intervals. */
export const patientMs = (waitedMs: number, minMs: number, maxMs: number): number =>
  Math.min(maxMs, Math.max(minMs, Math.round(waitedMs / 2)))

/** A delay of a fixed schedule, moved by at most a tenth either way. */
export const jittered = (ms: number, random: () => number = Math.random): number => Math.round(ms * (0.9 + 0.2 * random()))
