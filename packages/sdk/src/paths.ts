import { OvertureError } from './errors.ts'

/** A dot in a path may be percent-encoded, also more than once by those who pass it on. */
const DOTS = /^(?:\.|%(?:25)*2e){1,2}$/i

/**
 * A parameter as one part of a path. `.` and `..` are refused: URLs are normalised before they are sent, so that they would
 * name another path, and run another operation.
 */
export function pathPart(name: string, value: unknown): string {
  if (typeof value !== 'string' || value === '') throw new OvertureError(`${name} is missing.`, { code: 'invalid_argument' })
  if (DOTS.test(value)) throw new OvertureError(`${name} must be an id, and not "${value}".`, { code: 'invalid_argument' })
  return encodeURIComponent(value)
}
