import { OvertureError } from './errors.ts'

/** A dot in a path may be percent-encoded, even repeatedly by proxies. */
const DOTS = /^(?:\.|%(?:25)*2e){1,2}$/i

/**
 * A parameter as one part of a path. `.` and `..` are refused: URLs are normalized before they are sent, so they would
 * change the path, and run another operation.
 */
export function pathPart(name: string, value: unknown): string {
  const problem = typeof value !== 'string' || value === '' ? 'is missing' : DOTS.test(value) && `must be an id, and not "${value}"`
  if (problem) throw new OvertureError(`${name} ${problem}.`, { code: 'invalid_argument' })
  return encodeURIComponent(value as string)
}
