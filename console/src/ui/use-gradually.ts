import { startTransition, useEffect, useState } from 'react'
import { whenIdle } from './when-idle.ts'

const FIRST = 20
/** Few enough that a click meanwhile does not have to wait. */
const STEP = 6

export interface Gradually {
  /** How many rows are drawn. */
  count: number
  drawAll: () => void
}

/**
 * The rows that fit on a screen are drawn at once, the others a few at a time while the browser has nothing else to do. In the end all
 * are there: so that they can be scrolled to, read aloud, and found by the search of the browser.
 */
export function useGradually(total: number): Gradually {
  const [limit, setLimit] = useState(FIRST)
  const isWhole = limit >= total
  useEffect(() => (isWhole ? undefined : whenIdle(() => startTransition(() => setLimit(limit + STEP)))), [isWhole, limit])
  return { count: Math.min(limit, total), drawAll: () => setLimit(Number.POSITIVE_INFINITY) }
}
