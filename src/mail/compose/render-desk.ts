import { BudgetExceeded, BudgetedThreads } from '../../lib/budgeted-thread.ts'
import type { ComposedMessage, ComposeInput } from './compose.ts'
import { TAKES_TOO_LONG, TAKES_TOO_MUCH } from './template.ts'

// Jobs and answers are plain data, because they are copied between threads.

export interface Template {
  subject: string | null
  body: string
}

/** Fill in a template and make the message of it. */
export interface WriteJob {
  kind: 'write'
  template: Template
  variables: Record<string, unknown>
  spintaxSeed: string
  message: Omit<ComposeInput, 'subject' | 'body' | 'format' | 'tracking'>
  pixelUrl: string | null
  /** The replacements of the links, in order; null keeps them unchanged. */
  clickUrls: string[] | null
}

/** Fill in a template and list everything that is missing. */
export interface TryJob {
  kind: 'try'
  template: Template
  variables: Record<string, unknown>
  spintaxSeed: string
  now: Date
}

/** Only parse a template. */
interface CheckJob {
  kind: 'check'
  template: Template
}

export type RenderJob = WriteJob | TryJob | CheckJob

/** `lead` concerns only this lead, the other two concern every lead. A heavy template took more than its budget. */
export interface Failure {
  kind: 'lead' | 'template' | 'heavy'
  part: 'subject' | 'body'
  variables: string[]
  message: string
}

interface Written {
  kind: 'written'
  composed: ComposedMessage
  /** The targets of the tracked links, in order. */
  links: string[]
}

export interface RenderAnswers {
  /** `more_links`: the message has more links than there were addresses for. */
  write: Written | { kind: 'more_links' } | Failure
  try: Failure[]
  check: Failure | null
}

export type RenderAnswer = RenderAnswers[keyof RenderAnswers]

/** Further links are not tracked, because personal messages never have this many. */
export const MOST_TRACKED_LINKS = 200

/** A normal message, even of the largest size, needs less than a hundredth of this. */
const JOB_MS = 500
const EACH_MS = 5
const MAX_HEAP_MB = 512
const THREADS = 2
const MOST_JOBS = 200

interface Piece {
  jobs: RenderJob[]
  /** The caller only wants to know whether there is one. */
  stopsAtHeavy: boolean
  /** It was in a batch that exceeded its budget, so it now runs in a batch of its own. */
  isAlone: boolean
  resolve(answers: RenderAnswer[]): void
  reject(error: unknown): void
}

/**
 * Renders, composes and checks templates in threads with a budget of time and memory: whatever a template does, the process
 * still responds. There are two threads, and owners take turns with one batch each, so that the templates of one workspace
 * do not delay others. A batch that exceeds its budget is repeated job by job, so that only the faulty template fails.
 */
export class RenderDesk {
  readonly #threads = new BudgetedThreads<RenderJob[], RenderAnswer[]>(new URL('./render-thread.ts', import.meta.url), {
    threads: THREADS,
    maxHeapMb: MAX_HEAP_MB,
  })
  /** In the order of their turns. */
  readonly #waiting = new Map<string, Piece[]>()
  readonly #busy = new Set<string>()

  write(owner: string, jobs: WriteJob[]): Promise<RenderAnswers['write'][]> {
    return this.#submit(owner, jobs, false) as Promise<RenderAnswers['write'][]>
  }

  /** The missing variables of each. After a template that is too heavy, the rest is not tried. */
  tryOut(owner: string, jobs: TryJob[]): Promise<Failure[][]> {
    return this.#submit(owner, jobs, true) as Promise<Failure[][]>
  }

  /** The mistakes in each. After a template that is too heavy, the rest is not checked. */
  check(owner: string, templates: CheckJob['template'][]): Promise<(Failure | null)[]> {
    const jobs = templates.map(template => ({ kind: 'check' as const, template }))
    return this.#submit(owner, jobs, true) as Promise<(Failure | null)[]>
  }

  /** Ends the threads and rejects the callers that still wait. */
  stop(): Promise<void> {
    return this.#threads.stop()
  }

  async #submit(owner: string, jobs: RenderJob[], stopsAtHeavy: boolean): Promise<RenderAnswer[]> {
    const pieces: Promise<RenderAnswer[]>[] = []
    for (let at = 0; at < jobs.length; at += MOST_JOBS) {
      pieces.push(this.#add(owner, { jobs: jobs.slice(at, at + MOST_JOBS), stopsAtHeavy, isAlone: false }))
    }
    return (await Promise.all(pieces)).flat()
  }

  #add(owner: string, piece: Omit<Piece, 'resolve' | 'reject'>): Promise<RenderAnswer[]> {
    return new Promise((resolve, reject) => {
      const known = this.#waiting.get(owner)
      if (known) known.push({ ...piece, resolve, reject })
      else this.#waiting.set(owner, [{ ...piece, resolve, reject }])
      this.#assign()
    })
  }

  #assign(): void {
    for (const [owner, pieces] of this.#waiting) {
      if (this.#busy.size >= THREADS) return
      if (this.#busy.has(owner)) continue
      const taken = take(pieces)
      // Back to the end of the line.
      this.#waiting.delete(owner)
      if (pieces.length > 0) this.#waiting.set(owner, pieces)
      this.#busy.add(owner)
      void this.#serve(owner, taken).finally(() => {
        this.#busy.delete(owner)
        this.#assign()
      })
    }
  }

  /** Never rejects: an error goes to the callers that wait for the pieces. */
  async #serve(owner: string, pieces: Piece[]): Promise<void> {
    const jobs = pieces.flatMap(piece => piece.jobs)
    try {
      const answers = await this.#threads.run(jobs, { timeoutMs: JOB_MS + (jobs.length - 1) * EACH_MS })
      let at = 0
      for (const { jobs, resolve } of pieces) {
        resolve(answers.slice(at, at + jobs.length))
        at += jobs.length
      }
    } catch (error) {
      if (!isOwnFault(error)) for (const { reject } of pieces) reject(error)
      // In a batch of one job, that job is the faulty one.
      else if (jobs.length === 1) pieces[0]!.resolve([tooHeavy(jobs[0]!, error)])
      else for (const piece of pieces) void this.#oneByOne(owner, piece).then(piece.resolve, piece.reject)
    }
  }

  /** Each job takes a turn of its own, so other owners come in between. */
  async #oneByOne(owner: string, { jobs, stopsAtHeavy }: Piece): Promise<RenderAnswer[]> {
    const answers: RenderAnswer[] = []
    const heavy = new Map<string, Failure>()
    for (const job of jobs) {
      const key = keyOf(job.template)
      const known = heavy.get(key)
      if (known) answers.push(failed(job, known))
      else if (stopsAtHeavy && heavy.size > 0) answers.push(job.kind === 'try' ? [] : null)
      else {
        const [answer] = (await this.#add(owner, { jobs: [job], stopsAtHeavy, isAlone: true })) as [RenderAnswer]
        const failure = heavyFailureIn(answer)
        if (failure) heavy.set(key, failure)
        answers.push(answer)
      }
    }
    return answers
  }
}

/** For `ctx.part`: one desk serves the whole process. */
export const makeRenderDesk = (): RenderDesk => new RenderDesk()

const isOwnFault = (error: unknown): error is BudgetExceeded =>
  error instanceof BudgetExceeded && (error.reason === 'time' || error.reason === 'memory' || error.reason === 'crash')

function tooHeavy(job: RenderJob, { reason }: BudgetExceeded): RenderAnswer {
  const message = reason === 'time' ? TAKES_TOO_LONG : TAKES_TOO_MUCH
  return failed(job, { kind: 'heavy', part: 'body', variables: [], message })
}

/** The jobs that fit into one batch, at least one. */
function take(pieces: Piece[]): Piece[] {
  const taken = [pieces.shift()!]
  let count = taken[0]!.jobs.length
  if (taken[0]!.isAlone) return taken
  while (pieces.length > 0 && !pieces[0]!.isAlone && count + pieces[0]!.jobs.length <= MOST_JOBS) {
    const piece = pieces.shift()!
    count += piece.jobs.length
    taken.push(piece)
  }
  return taken
}

/** The response to a job that has only this failure. */
export const failed = (job: RenderJob, failure: Failure): RenderAnswer => (job.kind === 'try' ? [failure] : failure)

export function heavyFailureIn(answer: RenderAnswer): Failure | undefined {
  if (Array.isArray(answer)) return answer.find(({ kind }) => kind === 'heavy')
  return answer?.kind === 'heavy' ? answer : undefined
}

export const keyOf = ({ subject, body }: Template): string => `${subject}\n${body}`
