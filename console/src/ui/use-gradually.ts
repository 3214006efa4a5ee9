import { startTransition, useEffect, useMemo, useState } from 'react'
import { whenIdle } from './when-idle.ts'

const FIRST = 20
/** Few enough that a click meanwhile does not have to wait. */
const STEP = 6

export interface Gradually<Row> {
  /** The rows that are drawn, in groups that stay the same: one that is there is not drawn again for the next. */
  groups: readonly (readonly Row[])[]
  restCount: number
  drawAll: () => void
}

/**
 * The rows that fit on a screen are drawn at once, the others a few at a time while the browser has nothing else to do. In the end all
 * are there: so that they can be scrolled to, read aloud, and found by the search of the browser.
 */
export function useGradually<Row>(rows: readonly Row[]): Gradually<Row> {
  const [limit, setLimit] = useState(FIRST)
  const isWhole = limit >= rows.length
  useEffect(() => (isWhole ? undefined : whenIdle(() => startTransition(() => setLimit(limit + STEP)))), [isWhole, limit])
  const all = useMemo(() => inGroups(rows), [rows])
  let left = limit
  const groups = all.flatMap(group => {
    const part = left >= group.length ? group : group.slice(0, Math.max(0, left))
    left -= group.length
    return part.length > 0 ? [part] : []
  })
  return { groups, restCount: Math.max(0, rows.length - limit), drawAll: () => setLimit(Number.POSITIVE_INFINITY) }
}

const GROUP = 20

const inGroups = <Row>(rows: readonly Row[]): Row[][] =>
  Array.from({ length: Math.ceil(rows.length / GROUP) }, (_, index) => rows.slice(index * GROUP, (index + 1) * GROUP))
