import { useEffect, useState } from 'react'

/** Calls back after the browser has painted all changes so far. A hidden page is not painted, so the call is immediate. */
export function afterPaint(act: () => void): void {
  if (document.hidden) act()
  else requestAnimationFrame(() => setTimeout(act))
}

/** If the browser is never idle, it calls back after this time. */
const LATEST_MS = 500
/** For Safari, which does not report when it is idle. */
const PAUSE_MS = 100

/** Calls back when the browser is idle. Returns a function that cancels it. */
export function whenIdle(act: () => void): () => void {
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(act, PAUSE_MS)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(act, { timeout: LATEST_MS })
  return () => cancelIdleCallback(handle)
}

/** The value after it has not changed for this long. The first value is returned immediately. */
export function useDebounced<T>(value: T, delayMs: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return settled
}
