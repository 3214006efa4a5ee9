import type { TestClock } from '../context/test-clock.ts'
import { isRecord } from '../lib/is-record.ts'

/**
 * When operations with these results have ended: not before the changes that they show, so that what happened after a change can be told
 * by it. Changes of one millisecond get different times, so the last of them may be ahead of the clock. Operations go by real time, and
 * what they change by the test clock.
 */
export function endOf({ real, offsetMs }: Pick<TestClock, 'real' | 'offsetMs'>, results: readonly unknown[]): Date {
  const changesMs = results.flatMap(timesOfChange).map(text => Date.parse(text) - offsetMs)
  return new Date(Math.max(real.now().getTime(), ...changesMs))
}

/** A result is what was changed, or has it as a field. */
function timesOfChange(result: unknown): string[] {
  if (!isRecord(result)) return []
  return [result, ...Object.values(result)].flatMap(part => (isRecord(part) && typeof part.updatedAt === 'string' ? [part.updatedAt] : []))
}
