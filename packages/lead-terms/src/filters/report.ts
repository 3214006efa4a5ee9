import { nearestWord } from '../text.ts'

export interface FilterIssue {
  /** JSON pointer into the input. */
  path: string
  /** A stable code of the broken rule. */
  rule: string
  message: string
  candidates?: unknown[]
}

/** Collects the errors and warnings of a document, and reads its simplest values. */
export class Report {
  readonly issues: FilterIssue[] = []
  readonly warnings: string[] = []

  issue(path: string, rule: string, message: string, candidates?: unknown[]): undefined {
    // A document that is wrong everywhere needs no complete list.
    if (this.issues.length < 50)
      this.issues.push(candidates && candidates.length > 0 ? { path, rule, message, candidates } : { path, rule, message })
    return undefined
  }

  text(value: unknown, path: string, most: number): string | undefined {
    if (typeof value !== 'string') return this.issue(path, 'type', 'expected a string')
    const written = value.replace(/\s+/g, ' ').trim()
    // Limits the text before Unicode normalization, at four characters per allowed character: sorting a long run of combining marks takes
    // quadratic time.
    const text = written.length > 4 * most ? written : written.normalize('NFC')
    if (text === '') return this.issue(path, 'empty', 'the text is empty')
    if (text.length > most) return this.issue(path, 'tooLong', `${text.length} characters; at most ${most} are accepted`)
    if (/\p{Cc}/u.test(text)) return this.issue(path, 'characters', 'control characters are not accepted')
    return text
  }

  word(value: unknown, path: string, list: readonly string[]): string | undefined {
    if (typeof value !== 'string') return this.issue(path, 'type', 'expected a string')
    const key = value
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, '_')
    if (list.includes(value)) return value
    if (list.includes(key)) return key
    const nearest = nearestWord(value, list)
    return this.issue(path, 'unknownValue', `"${value.slice(0, 60)}" is not one of ${list.join(', ')}`, nearest ? [nearest] : undefined)
  }

  integer(value: unknown, path: string, min: number, max: number): number | undefined {
    if (typeof value !== 'number' || !Number.isInteger(value)) return this.issue(path, 'type', 'expected a whole number')
    if (value < min || value > max) return this.issue(path, 'bounds', `expected a number from ${min} to ${max}`)
    return value
  }
}

export const escapePointer = (key: string): string => key.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1')

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
