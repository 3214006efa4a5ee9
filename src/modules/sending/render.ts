import type { Context } from '../../context/context.ts'
import { type ComposedMessage, composeMessage } from '../../mail/compose/compose.ts'
import { UnsafeHeader } from '../../mail/compose/mime.ts'
import { MissingVariable, renderTemplate, TemplateError } from '../../mail/compose/template.ts'
import { looksLikeHtml } from '../../mail/inbound/html.ts'
import type { SequenceStep } from '../sequences/schema.ts'
import { trackingToken } from './link-tokens.ts'

/** The person a template speaks to. */
export interface Recipient {
  email: string
  firstName: string | null
  lastName: string | null
  fullName: string | null
  company: string | null
  jobTitle: string | null
  variables: Record<string, string>
}

export interface Sender {
  fromName: string | null
  fromEmail: string
  postalAddress: string | null
  replyTo?: string | null
}

export interface RenderInput {
  sendId: string
  messageId: string
  step: number
  steps: SequenceStep[]
  variantId: string
  lead: Recipient
  sender: Sender
  thread: { subject: string; messageIds: string[] } | null
  tracking: { opens: boolean; clicks: boolean }
  now: Date
}

export interface RenderedSend {
  composed: ComposedMessage
  /** Where the tracked links lead, in order. */
  links: string[]
}

/** Why a message could not be made. `template` concerns every lead, the other only this one. */
export type RenderFailure = { kind: 'lead'; variables: string[]; message: string } | { kind: 'template'; message: string }

/** A lead's own variables come first, so that the fields of the service cannot be overwritten by them. */
export function templateVariablesOf(lead: Recipient, sender: Sender): Record<string, unknown> {
  const { email, firstName, lastName, fullName, company, jobTitle } = lead
  return {
    ...lead.variables,
    email,
    firstName,
    lastName,
    fullName,
    company,
    jobTitle,
    senderName: sender.fromName,
    senderEmail: sender.fromEmail,
  }
}

export function renderSend(ctx: Pick<Context, 'secrets' | 'link'>, input: RenderInput): RenderedSend | RenderFailure {
  const { sendId, lead, sender, now } = input
  const variant = input.steps[input.step]?.variants.find(candidate => candidate.id === input.variantId)
  if (!variant) return { kind: 'template', message: 'The step has no such variant' }
  try {
    const variables = templateVariablesOf(lead, sender)
    const render = (source: string, format: 'text' | 'html') => renderTemplate(source, variables, { spintaxSeed: sendId, format, now })
    const format = looksLikeHtml(variant.body) ? 'html' : 'text'
    // A follow-up without a subject continues the thread; where there is none any more, it takes the first subject.
    const subject = variant.subject ?? (input.thread ? null : (input.steps[0]?.variants[0]?.subject ?? null))
    const links: string[] = []
    const follow = (url: string): string => {
      links.push(url)
      return ctx.link(`/t/c/${trackingToken(ctx.secrets, 'click', sendId, links.length - 1)}`)
    }
    const composed = composeMessage({
      from: { address: sender.fromEmail, name: sender.fromName },
      to: { address: lead.email, name: lead.fullName },
      replyTo: sender.replyTo ? { address: sender.replyTo } : null,
      date: now,
      messageId: input.messageId,
      subject: subject === null ? null : render(subject, 'text'),
      thread: input.thread,
      body: render(variant.body, format),
      format,
      unsubscribe: { url: ctx.link(`/u/${trackingToken(ctx.secrets, 'unsubscribe', sendId)}`) },
      postalAddress: sender.postalAddress,
      tracking: {
        pixelUrl: input.tracking.opens ? ctx.link(`/t/o/${trackingToken(ctx.secrets, 'open', sendId)}.gif`) : null,
        link: input.tracking.clicks ? follow : null,
      },
    })
    return { composed, links }
  } catch (error) {
    if (error instanceof MissingVariable) return { kind: 'lead', variables: [error.variable], message: error.message }
    if (error instanceof UnsafeHeader && error.field === 'To') return { kind: 'lead', variables: ['email'], message: error.message }
    if (error instanceof UnsafeHeader) return { kind: 'template', message: error.message }
    if (error instanceof TemplateError) return { kind: 'template', message: error.message }
    throw error
  }
}

export const isFailure = (result: RenderedSend | RenderFailure): result is RenderFailure => 'kind' in result
