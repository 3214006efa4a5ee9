/** Everything that was started, in order; stopped in reverse order. */
export class Lifetime {
  readonly #stops: { name: string; stop: () => Promise<unknown> }[] = []

  add(name: string, stop: () => Promise<unknown>): void {
    this.#stops.unshift({ name, stop })
  }

  async end(): Promise<void> {
    for (const { stop } of this.#stops.splice(0)) await stop().catch(error => console.error(error))
  }

  /** Ctrl-C reaches us from the terminal and from npm; the second signal has no effect. */
  untilSignal(): Promise<void> {
    return new Promise(resolve => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve())
      // When scripts/run.mjs started us, we end with it, even if it was killed and could not forward a signal.
      process.on('disconnect', () => resolve())
    })
  }
}
