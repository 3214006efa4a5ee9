interface Waiting<T> {
  item: T
  resolve: () => void
}

/**
 * Works through the messages of one mailbox, a few at a time. Of the few that are under way, nobody knows after a crash
 * whether they left; so there are never more of them than the connections can carry within a blink.
 */
export class MailboxLane<T> {
  readonly #size: () => number
  readonly #work: (chunk: T[]) => Promise<{ recorded: Promise<void> }>
  readonly #waiting: Waiting<T>[] = []
  #isRunning = false

  /** `work` is over when the messages have gone out; recording what became of them need not hold up the next. */
  constructor(size: () => number, work: (chunk: T[]) => Promise<{ recorded: Promise<void> }>) {
    this.#size = size
    this.#work = work
  }

  /** Done when the fate of each is recorded. */
  async add(items: T[]): Promise<void> {
    const done = items.map(item => new Promise<void>(resolve => this.#waiting.push({ item, resolve })))
    void this.#run()
    await Promise.all(done)
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return
    this.#isRunning = true
    let recording = Promise.resolve()
    while (this.#waiting.length > 0) {
      const chunk = this.#waiting.splice(0, this.#size())
      const finish = (): void => {
        for (const { resolve } of chunk) resolve()
      }
      const { recorded } = await this.#work(chunk.map(({ item }) => item))
      // One chunk may be waiting for its record while another goes out, no more: what is not recorded is in doubt, too.
      await recording
      recording = recorded.then(finish, finish)
    }
    this.#isRunning = false
  }
}
