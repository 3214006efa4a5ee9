/**
 * Calls back when a signal is aborted. All that wait for the same signal share one listener: to add and to remove one for each request costs
 * as much as its timer.
 */
export class AbortListeners {
  readonly #calls = new WeakMap<AbortSignal, Set<() => void>>()

  /** The function that it returns ends the waiting. */
  add(signal: AbortSignal, call: () => void): () => void {
    let calls = this.#calls.get(signal)
    if (!calls) {
      const all = new Set<() => void>()
      signal.addEventListener('abort', () => all.forEach(each => void each()), { once: true })
      this.#calls.set(signal, all)
      calls = all
    }
    calls.add(call)
    return () => calls.delete(call)
  }
}
