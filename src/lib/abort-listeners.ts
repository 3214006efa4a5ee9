/**
 * Calls back when a signal is aborted. All callbacks of a signal share one listener, because adding and removing a listener for each
 * request costs as much as its timer.
 */
export class AbortListeners {
  readonly #calls = new WeakMap<AbortSignal, Set<() => void>>()

  /** Returns a function that removes the callback. */
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
