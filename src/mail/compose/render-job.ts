import { looksLikeHtml } from '../inbound/html.ts'
import { type ComposedMessage, type ComposeInput, composeMessage } from './compose.ts'
import { UnsafeHeader } from './mime.ts'
import { checkTemplate, MissingVariable, renderTemplate, TemplateError } from './template.ts'

/** The work of the thread of `RenderDesk`. Jobs and answers are plain data, because they are copied between threads. */

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
export interface CheckJob {
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

export function doJobs(jobs: RenderJob[]): RenderAnswer[] {
  // A template that was too heavy for one lead is not tried again for the next.
  const heavy = new Map<string, Failure>()
  return jobs.map(job => {
    const known = heavy.size > 0 ? heavy.get(keyOf(job.template)) : undefined
    if (known) return failed(job, known)
    const answer = doJob(job)
    const failure = heavyFailureIn(answer)
    if (failure) heavy.set(keyOf(job.template), failure)
    return answer
  })
}

/** The response to a job that has only this failure. */
export const failed = (job: RenderJob, failure: Failure): RenderAnswer => (job.kind === 'try' ? [failure] : failure)

export function heavyFailureIn(answer: RenderAnswer): Failure | undefined {
  if (Array.isArray(answer)) return answer.find(({ kind }) => kind === 'heavy')
  return answer?.kind === 'heavy' ? answer : undefined
}

export const keyOf = ({ subject, body }: Template): string => `${subject}\n${body}`

function doJob(job: RenderJob): RenderAnswer {
  if (job.kind === 'write') return write(job)
  return job.kind === 'try' ? tryOut(job) : check(job.template)
}

function write({ template, variables, spintaxSeed, message, pixelUrl, clickUrls }: WriteJob): RenderAnswers['write'] {
  let part: Failure['part'] = 'subject'
  try {
    const now = message.date
    const subject = template.subject === null ? null : renderTemplate(template.subject, variables, { spintaxSeed, now })
    part = 'body'
    const format = looksLikeHtml(template.body) ? 'html' : 'text'
    const body = renderTemplate(template.body, variables, { spintaxSeed, now, format })
    const links: string[] = []
    const follow = (url: string): string => {
      if (links.length >= MOST_TRACKED_LINKS) return url
      return clickUrls?.[links.push(url) - 1] ?? url
    }
    const tracking = { pixelUrl, link: clickUrls ? follow : null }
    const composed = composeMessage({ ...message, template: template.body, subject, body, format, tracking })
    if (clickUrls && links.length > clickUrls.length) return { kind: 'more_links' }
    return { kind: 'written', composed, links }
  } catch (error) {
    return failureOf(error, part)
  }
}

function tryOut({ template, variables, spintaxSeed, now }: TryJob): Failure[] {
  const failures: Failure[] = []
  for (const part of ['subject', 'body'] as const) {
    const format = part === 'body' && looksLikeHtml(template.body) ? 'html' : 'text'
    try {
      renderTemplate(template[part] ?? '', variables, { spintaxSeed, format, now })
    } catch (error) {
      failures.push(failureOf(error, part))
    }
  }
  return failures
}

function check(template: Template): Failure | null {
  for (const part of ['subject', 'body'] as const) {
    const [message] = checkTemplate(template[part] ?? '')
    if (message !== undefined) return { kind: 'template', part, variables: [], message }
  }
  return null
}

function failureOf(error: unknown, part: Failure['part']): Failure {
  if (error instanceof MissingVariable) return { kind: 'lead', part, variables: [error.variable], message: error.message }
  if (error instanceof UnsafeHeader && error.field === 'To') return { kind: 'lead', part, variables: ['email'], message: error.message }
  if (error instanceof UnsafeHeader) return { kind: 'template', part, variables: [], message: error.message }
  if (error instanceof TemplateError) return { kind: error.isHeavy ? 'heavy' : 'template', part, variables: [], message: error.message }
  throw error
}
