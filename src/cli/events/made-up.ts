import { newId } from '../../lib/ids.ts'
import type { Forwarded } from './forward.ts'
import { exampleOf } from './types.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** An event of this type that never happened, as a webhook would bring it: the example of the API, with the current time and new ids. */
export function madeUpEvent(type: string, now: Date): Forwarded {
  const ids = new Map<string, string>()
  const fresh = (_: string, value: unknown): unknown => {
    if (typeof value !== 'string' || !UUID.test(value)) return value
    // Ids that are equal in the example stay equal.
    if (!ids.has(value)) ids.set(value, newId(now.getTime()))
    return ids.get(value)
  }
  return { ...JSON.parse(JSON.stringify(exampleOf(type)), fresh), timestamp: now.toISOString() }
}
