/** A browser that is always busy does it all the same, a little later. */
const LATEST_MS = 500
/** Safari does not tell when it is idle. */
const PAUSE_MS = 100

/** Does it when the browser has nothing else to do; returns how to leave it. */
export function whenIdle(act: () => void): () => void {
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(act, PAUSE_MS)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(act, { timeout: LATEST_MS })
  return () => cancelIdleCallback(handle)
}
