import { BudgetExceeded, BudgetedThreads } from '../../lib/budgeted-thread.ts'
import { Turns } from '../../lib/turns.ts'
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
  readonly #turns = new Turns(THREADS, { perOwner: 1 })

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
    const batches = Array.from({ length: Math.ceil(jobs.length / MOST_JOBS) }, (_, n) => jobs.slice(n * MOST_JOBS, (n + 1) * MOST_JOBS))
    return (await Promise.all(batches.map(batch => this.#serve(owner, batch, stopsAtHeavy)))).flat()
  }

  async #serve(owner: string, jobs: RenderJob[], stopsAtHeavy: boolean): Promise<RenderAnswer[]> {
    const timeoutMs = JOB_MS + (jobs.length - 1) * EACH_MS
    try {
      return await this.#turns.run(owner, () => this.#threads.run(jobs, { timeoutMs }))
    } catch (error) {
      if (!isOwnFault(error)) throw error
      // In a batch of one job, that job is the faulty one.
      return jobs.length === 1 ? [tooHeavy(jobs[0]!, error)] : this.#oneByOne(owner, jobs, stopsAtHeavy)
    }
  }

  /** Each job takes a turn of its own, so other owners come in between. */
  async #oneByOne(owner: string, jobs: RenderJob[], stopsAtHeavy: boolean): Promise<RenderAnswer[]> {
    const answers: RenderAnswer[] = []
    const heavy = new Map<string, Failure>()
    for (const job of jobs) {
      const key = keyOf(job.template)
      const known = heavy.get(key)
      if (known) answers.push(failed(job, known))
      else if (stopsAtHeavy && heavy.size > 0) answers.push(job.kind === 'try' ? [] : null)
      else {
        const [answer] = (await this.#serve(owner, [job], stopsAtHeavy)) as [RenderAnswer]
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

/** The response to a job that has only this failure. */
export const failed = (job: RenderJob, failure: Failure): RenderAnswer => (job.kind === 'try' ? [failure] : failure)

export function heavyFailureIn(answer: RenderAnswer): Failure | undefined {
  if (Array.isArray(answer)) return answer.find(({ kind }) => kind === 'heavy')
  return answer?.kind === 'heavy' ? answer : undefined
}

export const keyOf = ({ subject, body }: Template): string => `${subject}\n${body}`
