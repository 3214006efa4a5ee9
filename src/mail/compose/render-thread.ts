import { answerTasks } from '../../lib/budgeted-thread.ts'
import { looksLikeHtml } from '../inbound/html.ts'
import { composeMessage } from './compose.ts'
import { UnsafeHeader } from './mime.ts'
import {
  type Failure,
  failed,
  heavyFailureIn,
  keyOf,
  MOST_TRACKED_LINKS,
  type RenderAnswer,
  type RenderAnswers,
  type RenderJob,
  type Template,
  type TryJob,
  type WriteJob,
} from './render-desk.ts'
import { checkTemplate, MissingVariable, renderTemplate, TemplateError } from './template.ts'

// The thread of `RenderDesk`.

function doJobs(jobs: RenderJob[]): RenderAnswer[] {
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

answerTasks(doJobs)
