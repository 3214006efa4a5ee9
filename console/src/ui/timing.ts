import { useEffect, useState } from 'react'

/** Acts when the browser has shown all changes so far. A hidden page is not painted, so there it acts immediately. */
export function afterPaint(act: () => void): void {
  if (document.hidden) act()
  else requestAnimationFrame(() => setTimeout(act))
}

/** A browser that is always busy acts anyway, a little later. */
const LATEST_MS = 500
/** Safari does not tell when it is idle. */
const PAUSE_MS = 100

/** Acts when the browser is idle. Returns a function that cancels it. */
export function whenIdle(act: () => void): () => void {
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(act, PAUSE_MS)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(act, { timeout: LATEST_MS })
  return () => cancelIdleCallback(handle)
}

/** The value, once it has not changed for this long. The first value counts immediately. */
export function useDebounced<T>(value: T, delayMs: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return settled
}
