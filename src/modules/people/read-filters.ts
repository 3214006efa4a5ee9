import { type FilterDocument, parseFilters } from '#lead-terms'
import { type Issue, refusal } from '../../lib/errors.ts'

/** The filter document in its canonical form, or everything that is wrong with it. */
export function readFilters(input: unknown): { filters: FilterDocument; warnings: string[] } {
  const read = parseFilters(input)
  if (read.ok) return read
  const [first, ...others] = read.issues.map(
    (issue): Issue => ({ in: 'body', ...issue, path: `/filters${issue.path}`, rule: snakeCase(issue.rule) }),
  )
  throw refusal('validation_failed', [first!, ...others])
}

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
