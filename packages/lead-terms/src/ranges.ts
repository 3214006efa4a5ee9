import { EMPLOYEE_BUCKETS, type EmployeeBucket } from './vocabulary.ts'

export interface NumberRange {
  min?: number
  max?: number
}

/**
 * Merges ranges that overlap or touch, in ascending order. Integers touch when no integer lies between them. A range without any bound
 * starts at the minimum, which means "any known number".
 */
export function mergeRanges<R extends NumberRange>(ranges: readonly R[], touch: number, bottom: number): R[] {
  const sorted = [...ranges].sort((a, b) => (a.min ?? -Infinity) - (b.min ?? -Infinity))
  const merged: R[] = []
  for (const range of sorted) {
    const last = merged.at(-1)
    if (last && (range.min ?? -Infinity) <= (last.max ?? Infinity) + touch) {
      if (last.max !== undefined) {
        if (range.max === undefined) delete last.max
        else last.max = Math.max(last.max, range.max)
      }
    } else merged.push({ ...range })
  }
  return merged.map(range => (range.min === undefined && range.max === undefined ? { ...range, min: bottom } : range))
}

export const numberInRange = (value: number, ranges: readonly NumberRange[]): boolean =>
  ranges.some(r => (r.min === undefined || value >= r.min) && (r.max === undefined || value <= r.max))

/** Compares a head count with ranges: the exact number, or the typical number of its size bucket if only that is known. */
export function employeesInRange(size: number | EmployeeBucket | undefined, ranges: readonly NumberRange[]): boolean {
  if (size === undefined) return false
  return numberInRange(typeof size === 'number' ? size : EMPLOYEE_BUCKETS[size], ranges)
}
