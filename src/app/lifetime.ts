/** What was started, in order; stopped in reverse. */
export class Lifetime {
  readonly #stops: { name: string; stop: () => Promise<unknown> }[] = []

  add(name: string, stop: () => Promise<unknown>): void {
    this.#stops.unshift({ name, stop })
  }

  async end(): Promise<void> {
    for (const { stop } of this.#stops.splice(0)) await stop().catch(error => console.error(error))
  }

  /** Ctrl-C reaches us from the terminal and from npm: asking once is enough, asking again changes nothing. */
  untilSignal(): Promise<void> {
    return new Promise(resolve => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve())
      // Started by scripts/run.mjs we end with it, also when it was killed and could hand on no signal.
      process.on('disconnect', () => resolve())
    })
  }
}
