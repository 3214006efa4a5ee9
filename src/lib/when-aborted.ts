const abortions = new WeakMap<AbortSignal, Set<() => void>>()

/**
 * Calls back when the signal is aborted, until the function that it returns is called. All that wait for the same signal share one listener: to add
 * and to remove one for each request costs as much as its timer.
 */
export function whenAborted(signal: AbortSignal, call: () => void): () => void {
  let calls = abortions.get(signal)
  if (!calls) {
    const all = new Set<() => void>()
    signal.addEventListener('abort', () => all.forEach(each => void each()), { once: true })
    abortions.set(signal, all)
    calls = all
  }
  calls.add(call)
  return () => calls.delete(call)
}
