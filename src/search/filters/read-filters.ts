import { AppError } from '../../lib/errors.ts'
import { type FilterDocument, parseFilters } from './filters.ts'

/** The filter document in its canonical form, or everything that is wrong with it. */
export function readFilters(input: unknown): { filters: FilterDocument; warnings: string[] } {
  const read = parseFilters(input)
  if (read.ok) return read
  const issues = read.issues.map(issue => ({ in: 'body' as const, ...issue, path: `/filters${issue.path}`, rule: snakeCase(issue.rule) }))
  const first = issues[0]!
  throw new AppError('validation_failed', `${first.path.slice(1).replaceAll('/', '.')}: ${first.message}.`, { issues })
}

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
