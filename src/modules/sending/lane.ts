interface Waiting<T> {
  item: T
  resolve: () => void
}

export interface LaneWork<T, D> {
  /** How many messages may be declared as leaving at once. */
  size: () => number
  /** Writes messages and declares them as leaving; those that may. */
  declare: (chunk: T[]) => Promise<D[]>
  /** Lets them leave. Over when they have; writing down what became of them need not hold up the next. */
  send: (chunk: D[]) => Promise<{ recorded: Promise<void> }>
}

/**
 * Works through the messages of one mailbox, a few at a time. Nobody knows after a crash whether those that were declared
 * have left, so none is declared before its turn, and never more than the connections can carry within a blink.
 */
export class MailboxLane<T, D> {
  readonly #work: LaneWork<T, D>
  readonly #waiting: Waiting<T>[] = []
  #isRunning = false

  constructor(work: LaneWork<T, D>) {
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
      const chunk = this.#waiting.splice(0, this.#work.size())
      const finish = (): void => {
        for (const { resolve } of chunk) resolve()
      }
      const declared = await this.#work.declare(chunk.map(({ item }) => item))
      const { recorded } = await this.#work.send(declared)
      // One chunk may be waiting for its record while another goes out, no more: what is not recorded is in doubt, too.
      await recording
      recording = recorded.then(finish, finish)
    }
    this.#isRunning = false
  }
}
