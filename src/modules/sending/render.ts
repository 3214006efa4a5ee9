import type { Context } from '../../context/context.ts'
import { domainOf } from '../../lib/email.ts'
import type { ComposedMessage, Signature } from '../../mail/compose/compose.ts'
import { MOST_TRACKED_LINKS, makeRenderDesk, type RenderAnswers, type WriteJob } from '../../mail/compose/render-desk.ts'
import { OPT_OUT_SUBJECT } from '../../mail/inbound/quoted.ts'
import type { UnsubscribeWay } from '../campaigns/schema.ts'
import type { Recipient } from '../leads/schema.ts'
import type { SequenceStep } from '../sequences/schema.ts'
import { trackingToken } from './link-tokens.ts'
import type { WorkspaceWriting } from './queries.ts'

export interface Sender {
  fromName: string | null
  fromEmail: string
  postalAddress: string | null
  replyTo?: string | null
  signature?: Signature | null
  settings?: Record<string, unknown>
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
  /** Left out: with headers and link, and the usual sentence. */
  campaign?: { id: string; unsubscribe: UnsubscribeWay; optOutText: string | null }
  /** Left out: links lead to the installation itself, and the usual sentences are used. */
  workspace?: WorkspaceWriting
  now: Date
}

export interface RenderedSend {
  composed: ComposedMessage
  links: string[]
}

type RenderContext = Pick<Context, 'secrets' | 'link' | 'part'>

/** Why a message could not be made. `template` concerns every lead, the other only this one. */
export type RenderFailure = { kind: 'lead'; variables: string[]; message: string } | { kind: 'template'; message: string }

/** The lead's own variables come first, so that they cannot overwrite the fields of the service. */
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

/** What people try out takes turns of its own, see `personOf`, so that the messages of a workspace do not wait for it. */
export async function renderSend(ctx: RenderContext, owner: string, input: RenderInput): Promise<RenderedSend | RenderFailure> {
  return (await renderSends(ctx, owner, [input]))[0]!
}

/** Renders all messages together in a thread; the responses are in the same order. */
export async function renderSends(ctx: RenderContext, owner: string, inputs: RenderInput[]) {
  const results: (RenderedSend | RenderFailure)[] = []
  const waiting: { at: number; job: WriteJob }[] = []
  inputs.forEach((input, at) => {
    const job = jobOf(ctx, input)
    if (job) waiting.push({ at, job })
    else results[at] = { kind: 'template', message: 'The step has no such variant' }
  })
  const desk = ctx.part(makeRenderDesk)
  const write = (list: typeof waiting) =>
    desk.write(
      owner,
      list.map(({ job }) => job),
    )
  const answers = await write(waiting)
  // The number of links is known only after rendering. When there were too few addresses, the message is rendered again.
  const again: typeof waiting = []
  waiting.forEach(({ at, job }, index) => {
    const answer = answers[index]!
    if (answer.kind === 'more_links') again.push({ at, job: { ...job, clickUrls: clickUrlsFor(ctx, inputs[at]!, MOST_TRACKED_LINKS) } })
    else results[at] = toResult(answer)
  })
  const second = await write(again)
  again.forEach(({ at }, index) => {
    results[at] = toResult(second[index]!)
  })
  return results
}

function toResult(answer: RenderAnswers['write']): RenderedSend | RenderFailure {
  if (answer.kind === 'written') return { composed: answer.composed, links: answer.links }
  if (answer.kind === 'more_links') return { kind: 'template', message: 'The message has too many links' }
  const { variables, message } = answer
  return answer.kind === 'lead' ? { kind: 'lead', variables, message } : { kind: 'template', message }
}

function jobOf(ctx: RenderContext, input: RenderInput): WriteJob | null {
  const { sendId, lead, sender, now } = input
  const variant = input.steps[input.step]?.variants.find(candidate => candidate.id === input.variantId)
  if (!variant) return null
  // A follow-up without a subject continues the thread; when there is no thread any more, it uses the first subject.
  const subject = variant.subject ?? (input.thread ? null : (input.steps[0]?.variants[0]?.subject ?? null))
  const optOutToken = trackingToken(ctx.secrets, 'unsubscribe', sendId)
  return {
    kind: 'write',
    // The same object for all messages of a variant, where it can be: it is copied to the thread once, and not for each of them.
    template: subject === variant.subject ? variant : { subject, body: variant.body },
    variables: templateVariablesOf(lead, sender),
    spintaxSeed: sendId,
    message: {
      from: { address: sender.fromEmail, name: sender.fromName },
      to: { address: lead.email, name: lead.fullName },
      replyTo: sender.replyTo ? { address: sender.replyTo } : null,
      date: now,
      messageId: input.messageId,
      thread: input.thread,
      unsubscribe: {
        url: linkOf(ctx, input, `/u/${optOutToken}`),
        // Only when we read the inbox of the mailbox.
        mailto: sender.settings?.imap ? { address: sender.fromEmail, subject: `${OPT_OUT_SUBJECT} ${optOutToken}` } : null,
        way: input.campaign?.unsubscribe ?? 'header',
        line: input.campaign?.optOutText ?? null,
        lines: input.workspace?.optOutLines ?? {},
      },
      listId: input.campaign ? `${input.campaign.id}.${domainOf(sender.fromEmail)}` : null,
      language: lead.variables.language ?? null,
      signature: sender.signature ?? null,
      postalAddress: sender.postalAddress,
    },
    pixelUrl: input.tracking.opens ? linkOf(ctx, input, `/t/o/${trackingToken(ctx.secrets, 'open', sendId)}.gif`) : null,
    clickUrls: input.tracking.clicks ? clickUrlsFor(ctx, input, likelyLinks(variant.body)) : null,
  }
}

const likelyLinks = (body: string): number => Math.min(MOST_TRACKED_LINKS, body.match(/https?:|href/gi)?.length ?? 0)

const clickUrlsFor = (ctx: RenderContext, input: RenderInput, count: number): string[] =>
  Array.from({ length: count }, (_, index) => linkOf(ctx, input, `/t/c/${trackingToken(ctx.secrets, 'click', input.sendId, index)}`))

/** The address of a link for recipients: at the tracking host of the workspace, if there is one. */
const linkOf = (ctx: RenderContext, { workspace }: RenderInput, path: string): string =>
  workspace?.trackingHost ? workspace.trackingHost.origin + path : ctx.link(path)

export const isFailure = (result: RenderedSend | RenderFailure): result is RenderFailure => 'kind' in result
