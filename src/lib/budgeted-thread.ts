import { getHeapStatistics } from 'node:v8'
import { parentPort, type Transferable, Worker } from 'node:worker_threads'
import { patient } from './time.ts'

/**
 * All work of this process that is not done in its main thread. Work on input that strangers wrote (their mail, a template) gets a budget of
 * time and memory: a task that exceeds it costs only its thread. The process continues to serve, and a new thread takes the next
 * task.
 *
 * The file of the thread calls `answerTasks(task => answer)`. The other side makes
 * `new BudgetedThreads<Task, Answer>(new URL('./x-thread.ts', import.meta.url))` once, calls `run(task, { timeoutMs })`
 * as often as it likes, and `stop()` at the end. Tasks and answers are copied: plain data, Map, Set, Date, Buffer. What `transfer` names is
 * moved instead.
 */

type Exceeded = 'time' | 'memory' | 'crash' | 'start' | 'stopped'

/**
 * The task was given up. The task itself causes `time`, `memory` and `crash`; `start` (the thread could not load its
 * code) and `stopped` say nothing about the task, which may be tried again.
 */
export class BudgetExceeded extends Error {
  override readonly name = 'BudgetExceeded'
  readonly reason: Exceeded

  constructor(reason: Exceeded, message: string) {
    super(message)
    this.reason = reason
  }
}

/** The task itself threw within its budget. The message is the one it threw; `thrown` is the name of that error. */
export class TaskFailed extends Error {
  override readonly name = 'TaskFailed'
  readonly thrown: string
  /** The code of that error, if it had one: it says whether the database was the cause. */
  readonly code: unknown

  constructor({ name, message, stack, code }: Thrown) {
    super(message)
    this.thrown = name
    this.code = code
    if (stack !== undefined) this.stack = stack
  }
}

/** An error cannot be passed between threads whole. */
type Thrown = Pick<Error, 'name' | 'message'> & { stack?: string | undefined; code?: unknown }

interface ThreadOptions {
  /** How many threads there may be. They are started when they are first needed. */
  threads?: number
  /** How many tasks a thread works on at the same time. Only one of them can be given up for the time it takes. */
  tasksPerThread?: number
  /** Includes garbage that was not collected yet, so be generous. Null: no limit. */
  maxHeapMb?: number | null
  /** How long a thread may take to load its code, even on a busy machine. */
  startMs?: number
  /** A thread that had no task for this long ends and gives its memory back; the next task starts another. Null: it stays. */
  idleMs?: number | null
  /** The `workerData` of the thread. */
  data?: unknown
  /** Called with messages that the thread sends on its own, see `tell`. */
  onNotice?: (notice: unknown) => void
  /** Called when a thread ends without having been stopped. */
  onLost?: (why: BudgetExceeded) => void
}

interface RunOptions {
  /** The budget; without it, the task may take as long as it likes. */
  timeoutMs?: number
  transfer?: readonly Transferable[]
}

interface Order<Task> extends RunOptions {
  task: Task
  resolve(answer: unknown): void
  reject(error: Error): void
}

type Message =
  | { kind: 'ready' }
  | { kind: 'answer'; id: number; answer: unknown }
  | { kind: 'failure'; id: number; thrown: Thrown }
  | { kind: 'notice'; notice: unknown }

/** A thread on a busy machine, or on one that was suspended, is not to blame for time that it was not given. */
const MOST_WAITS = 5
const LOOK_MS = 20
const MB = 1024 * 1024
/** How much memory a thread may use beyond its budget between two checks. */
const HEADROOM_MB = 1024
/** For objects that live shortly. V8 fills whatever it is given here before it clears up, which would be 48 MB for each thread. */
const YOUNG_MB = 3

type Options = ThreadOptions & Required<Pick<ThreadOptions, 'threads' | 'tasksPerThread' | 'maxHeapMb' | 'startMs' | 'idleMs'>>

/**
 * Idle threads of services that have stopped, by their file. Only tests keep them: they start hundreds of services in one process, and a thread
 * takes longer to load its code than most tests take.
 */
const spareThreads = new Map<string, Set<Thread<unknown>>>()
const MOST_SPARE_THREADS = 2

export class BudgetedThreads<Task, Answer> {
  readonly #file: URL
  readonly #options: Options
  readonly #waiting: Order<Task>[] = []
  readonly #threads = new Set<Thread<Task>>()
  #isStopped = false

  constructor(file: URL, options: ThreadOptions = {}) {
    this.#file = file
    this.#options = { threads: 1, tasksPerThread: 1, maxHeapMb: 256, startMs: 60_000, idleMs: 20_000, ...options }
  }

  /**
   * The budget is processor time, counted from the first look at the thread, a moment after it began with the task. A task whose thread gets no processor is
   * given up after five times the budget by the clock.
   */
  run(task: Task, options: RunOptions = {}): Promise<Answer> {
    if (options.timeoutMs !== undefined && this.#options.tasksPerThread > 1)
      throw new Error('Tasks that share a thread have no time limit.')
    if (this.#isStopped) return Promise.reject(new BudgetExceeded('stopped', 'The threads have been stopped'))
    return new Promise<unknown>((resolve, reject) => {
      this.#waiting.push({ ...options, task, resolve, reject })
      this.#assign()
    }) as Promise<Answer>
  }

  /** Starts a thread ahead of the first task, which then does not wait for it. */
  warmUp(): void {
    if (!this.#isStopped && this.#threads.size === 0) this.#freeThread()
  }

  /** Ends every thread at once. Tasks that are not done are rejected. */
  async stop(): Promise<void> {
    this.#isStopped = true
    const stopped = new BudgetExceeded('stopped', 'The threads have been stopped')
    for (const order of this.#waiting.splice(0)) order.reject(stopped)
    await Promise.all([...this.#threads].map(thread => (this.#spare(thread) ? null : thread.end(stopped))))
  }

  /** Leaves an idle thread to the next service, unless it was started for this one. */
  #spare(thread: Thread<Task>): boolean {
    const { data, onNotice } = this.#options
    const isOwn = data !== undefined || onNotice !== undefined
    const spares = spareThreads.get(this.#file.href) ?? new Set()
    if (process.env.OVERTURE_TEST_THREADS !== 'kept' || isOwn || !thread.isIdle || spares.size >= MOST_SPARE_THREADS) return false
    spareThreads.set(this.#file.href, spares.add(thread))
    thread.report = { onFree: () => {}, onEnd: () => void spares.delete(thread) }
    this.#threads.delete(thread)
    return true
  }

  #takeSpare(): Thread<Task> | undefined {
    const spares = spareThreads.get(this.#file.href)
    const [thread] = spares ?? []
    if (thread) spares!.delete(thread)
    return thread as Thread<Task> | undefined
  }

  #assign(): void {
    while (this.#waiting.length > 0) {
      const thread = this.#freeThread()
      if (!thread) return
      thread.begin(this.#waiting.shift()!)
    }
  }

  #freeThread(): Thread<Task> | null {
    for (const thread of this.#threads) if (thread.isFree) return thread
    if (this.#threads.size >= this.#options.threads) return null
    const thread = this.#takeSpare() ?? new Thread<Task>(this.#file, this.#options)
    thread.report = {
      onFree: () => this.#assign(),
      onEnd: why => {
        this.#threads.delete(thread)
        if (why.reason !== 'stopped') this.#options.onLost?.(why)
        this.#assign()
      },
    }
    this.#threads.add(thread)
    return thread
  }
}

/** One thread and its tasks. A thread that has ended is never used again. */
class Thread<Task> {
  readonly #worker: Worker
  readonly #options: Options
  /** The listener for when it can take a task, and when it has ended. */
  report: { onFree(): void; onEnd(why: BudgetExceeded): void } = { onFree() {}, onEnd() {} }
  readonly #orders = new Map<number, Order<Task>>()
  #lastId = 0
  #deadline: NodeJS.Timeout | undefined
  #look: NodeJS.Timeout | undefined
  #idle: NodeJS.Timeout | undefined
  #isReady = false
  #ending: Promise<unknown> | null = null

  constructor(file: URL, options: Options) {
    this.#options = options
    const { maxHeapMb, data } = options
    const limits =
      maxHeapMb === null ? {} : { resourceLimits: { maxOldGenerationSizeMb: maxHeapMb + HEADROOM_MB, maxYoungGenerationSizeMb: YOUNG_MB } }
    this.#worker = new Worker(file, { ...limits, workerData: data })
    this.#worker.on('message', (message: Message) => this.#hear(message))
    this.#worker.on('error', (error: Error & { code?: string }) => {
      const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      const said = isMemory ? `It took more than ${maxHeapMb} MB` : `The thread died: ${error.message}`
      void this.end(new BudgetExceeded(isMemory ? 'memory' : this.#crash, said))
    })
    this.#worker.on('exit', code => void this.end(new BudgetExceeded(this.#crash, `The thread ended by itself with code ${code}`)))
    // A thread with nothing to do does not keep the process alive. This comes last, because a listener for messages does.
    this.#worker.unref()
  }

  get #crash(): Exceeded {
    return this.#isReady ? 'crash' : 'start'
  }

  get isFree(): boolean {
    return this.#orders.size < this.#options.tasksPerThread && this.#ending === null
  }

  get isIdle(): boolean {
    return this.#orders.size === 0 && this.#ending === null
  }

  begin(order: Order<Task>): void {
    clearTimeout(this.#idle)
    const id = ++this.#lastId
    this.#orders.set(id, order)
    this.#worker.ref()
    try {
      this.#worker.postMessage({ id, task: order.task }, order.transfer ?? [])
    } catch (error) {
      this.#settle(id, () => order.reject(new TaskFailed(error as Error)))
      return
    }
    if (this.#isReady) this.#keepWatch(id, order)
    else this.#limit(this.#options.startMs, () => new BudgetExceeded('start', 'The thread did not start'))
  }

  /** Ends the thread permanently and rejects the callers that wait for it, with the reason. */
  end(why: BudgetExceeded): Promise<unknown> {
    if (this.#ending) return this.#ending
    this.#ending = this.#worker.terminate()
    this.#stopClocks()
    clearTimeout(this.#idle)
    for (const order of this.#orders.values()) order.reject(why)
    this.#orders.clear()
    this.report.onEnd(why)
    return this.#ending
  }

  #hear(message: Message): void {
    if (message.kind === 'notice') {
      this.#options.onNotice?.(message.notice)
      return
    }
    if (message.kind === 'ready') {
      this.#isReady = true
      this.#stopClocks()
      if (this.#orders.size === 0) this.#rest()
      for (const [id, order] of this.#orders) this.#keepWatch(id, order)
      return
    }
    const order = this.#orders.get(message.id)
    if (!order) return
    if (message.kind === 'answer') this.#settle(message.id, () => order.resolve(message.answer))
    else this.#settle(message.id, () => order.reject(new TaskFailed(message.thrown)))
  }

  #settle(id: number, tell: () => void): void {
    this.#orders.delete(id)
    if (this.#orders.size === 0) {
      this.#stopClocks()
      this.#worker.unref()
      this.#rest()
    }
    tell()
    this.report.onFree()
  }

  #rest(): void {
    const { idleMs } = this.#options
    if (idleMs === null) return
    this.#idle = setTimeout(() => void this.end(new BudgetExceeded('stopped', 'The thread had nothing to do')), idleMs)
    this.#idle.unref()
  }

  #limit(ms: number, why: () => BudgetExceeded): void {
    this.#stopClocks()
    this.#deadline = setTimeout(() => void this.end(why()), ms)
  }

  /**
   * Looks at the thread again and again while it works. The limit that the thread itself is started with is only the last
   * resort: V8 ends the whole process when a thread runs into it faster than it can be stopped.
   */
  #keepWatch(id: number, { timeoutMs }: Order<Task>): void {
    if (timeoutMs === undefined) return
    const { maxHeapMb } = this.#options
    const tooLong = () => new BudgetExceeded('time', `It took more than ${timeoutMs} ms`)
    // Ends the thread even if the checks below get no response.
    this.#limit(patient(timeoutMs * MOST_WAITS), tooLong)
    let before: number | null = null
    const look = async (): Promise<void> => {
      const { cpuMs, heapMb } = await this.#use()
      if (!this.#orders.has(id)) return
      before ??= cpuMs
      if (cpuMs - before >= timeoutMs) return void this.end(tooLong())
      if (maxHeapMb !== null && heapMb > maxHeapMb) return void this.end(new BudgetExceeded('memory', `It took more than ${maxHeapMb} MB`))
      this.#look = setTimeout(look, LOOK_MS)
    }
    // Not at once: most tasks end before the first look, and each look interrupts the thread.
    this.#look = setTimeout(look, LOOK_MS)
  }

  #stopClocks(): void {
    clearTimeout(this.#deadline)
    clearTimeout(this.#look)
  }

  async #use(): Promise<{ cpuMs: number; heapMb: number }> {
    try {
      const [cpu, heap] = await Promise.all([this.#worker.cpuUsage(), this.#worker.getHeapStatistics()])
      return { cpuMs: (cpu.user + cpu.system) / 1000, heapMb: (heap.used_heap_size + heap.external_memory) / MB }
    } catch {
      // The thread has just ended, and its events report that.
      return { cpuMs: 0, heapMb: 0 }
    }
  }
}

/**
 * A thread collects its garbage when it has loaded its code, and when it pauses and has so much more than then. V8 does that only when more
 * comes, and waits the longer, the more there was at first.
 */
const PAUSE_MS = 1000
const GARBAGE_MB = 8

function collectInPauses(): NodeJS.Timeout {
  let keptMb = 0
  const collect = (): void => {
    if (heapMb() < keptMb + GARBAGE_MB) return
    globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    keptMb = heapMb()
  }
  collect()
  return setTimeout(collect, PAUSE_MS)
}

const heapMb = (): number => {
  const { used_heap_size, external_memory } = getHeapStatistics()
  return (used_heap_size + external_memory) / MB
}

/**
 * For the file of a thread: answers each task with the result of `work`. `transferOf` names what of the response is moved and not copied. Returns
 * the function that tells the other side something unasked.
 */
export function answerTasks<Task, Answer>(
  work: (task: Task) => Answer | Promise<Answer>,
  transferOf: (answer: Answer) => readonly Transferable[] = () => [],
): (notice: unknown) => void {
  const port = parentPort!
  const pause = collectInPauses()
  const say = (message: Message, transfer: readonly Transferable[] = []) => port.postMessage(message, transfer)
  port.on('message', async ({ id, task }: { id: number; task: Task }) => {
    try {
      const answer = await work(task)
      say({ kind: 'answer', id, answer }, transferOf(answer))
    } catch (error) {
      const { name, message, stack, code } = (error instanceof Error ? error : new Error(String(error))) as Thrown
      say({ kind: 'failure', id, thrown: { name, message, stack, code } })
    }
    pause.refresh()
  })
  say({ kind: 'ready' })
  return notice => say({ kind: 'notice', notice })
}
