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
 * Works through the messages of one mailbox, a few at a time: while some go out, the next are declared and the last are
 * recorded. Nobody knows after a crash whether those in between have left, so there are never more of them than the
 * connections can carry within a blink.
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
    let declaring = this.#declareNext()
    while (declaring) {
      const { declared, finish } = await declaring
      declaring = this.#declareNext()
      const { recorded } = await this.#work.send(declared)
      // What is not recorded is in doubt, too: one chunk may be waiting for that while another goes out, no more.
      await recording
      recording = recorded.then(finish, finish)
      declaring ??= this.#declareNext()
    }
    this.#isRunning = false
  }

  #declareNext(): Promise<{ declared: D[]; finish: () => void }> | undefined {
    const chunk = this.#waiting.splice(0, this.#work.size())
    if (chunk.length === 0) return undefined
    const finish = (): void => {
      for (const { resolve } of chunk) resolve()
    }
    return this.#work.declare(chunk.map(({ item }) => item)).then(declared => ({ declared, finish }))
  }
}
