import type { Context } from '../../context/context.ts'
import { domainOf } from '../../lib/email.ts'
import { type AppError, invalid, notFound, refusal } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { pick } from '../../lib/pick.ts'
import type { ComposedMessage } from '../../mail/compose/compose.ts'
import { messageIdFor } from '../../mail/compose/mime.ts'
import { scoreHints } from '../../mail/compose/score.ts'
import { withoutLoaders } from '../../mail/inbound/html.ts'
import type { CampaignRow } from '../campaigns/queries.ts'
import { listMailboxes } from '../mailboxes/queries.ts'
import { chooseVariant } from '../sending/planner-input.ts'
import { findWriting } from '../sending/queries.ts'
import { isFailure, type RenderFailure, type RenderInput, renderSend, type Sender } from '../sending/render.ts'
import type { SequenceStep } from '../sequences/schema.ts'
import { readSteps, toSteps } from '../sequences/sequences.ts'
import { findRecipient, type RecipientRow } from './queries.ts'
import type { PreviewRequest } from './schema.ts'

const NOBODY = '00000000-0000-0000-0000-000000000000'

const SAMPLE: RecipientRow = {
  id: NOBODY,
  email: 'alex.sample@example.com',
  firstName: 'Alex',
  lastName: 'Sample',
  fullName: 'Alex Sample',
  company: 'Example Ltd',
  jobTitle: 'Head of Examples',
  variables: {},
  step: 0,
  sequenceVersion: null,
  thread: null,
  updatedAt: new Date(0),
}

const SAMPLE_SENDER = { fromName: null, fromEmail: 'sender@example.com', postalAddress: null }

/** Nothing is tracked, because nothing is sent. */
const UNTRACKED = { opens: false, clicks: false }

interface Asking {
  where: 'body' | 'query'
  mayReadLeads: boolean
  /** Whose turn the rendering takes. */
  owner: string
}

/**
 * The input for rendering a message: a lead of the campaign, or an invented one if there is none or the caller may not see them.
 */
async function setScene(ctx: Context, campaign: CampaignRow, asked: PreviewRequest, { where, mayReadLeads, owner }: Asking) {
  const steps = asked.steps ? toSteps({ steps: asked.steps }) : await readSteps(ctx.db, campaign.id, campaign.sequenceVersion)
  const step = steps[asked.step]
  if (!step)
    throw invalid(where, '/step', 'range', `must be less than ${steps.length}: the sequence has ${steps.length} steps, counted from 0`)
  if (asked.variantId !== undefined && !step.variants.some(variant => variant.id === asked.variantId)) {
    throw invalid(where, '/variantId', 'reference', 'is not a variant of this step')
  }
  const found = mayReadLeads ? await findRecipient(ctx.db, campaign.id, asked.leadId ?? null) : undefined
  if (!found && asked.leadId !== undefined) throw notFound('lead')
  const lead = found ?? SAMPLE
  const [mailbox] = campaign.providerId ? await listMailboxes(ctx.db, [campaign.providerId]) : []
  const sender = mailbox ?? SAMPLE_SENDER
  const variantId = asked.variantId ?? chooseVariant(step, `${lead.id}:${asked.step}`).id
  const now = ctx.clock.now()
  const messageId = messageIdFor(`preview:${lead.id}:${asked.step}`, domainOf(sender.fromEmail), id => ctx.secrets.sign('message-id', id))
  // A follow-up is shown in the thread that it would belong to.
  const started = subjectBefore(steps, lead, asked.step)
  const subject = started && (await renderedSubject(ctx, owner, started, lead, sender, now))
  const thread = subject !== null ? { subject, messageIds: [] } : asked.step > 0 ? lead.thread : null
  const { id, unsubscribe, optOutText } = campaign
  const input: RenderInput = {
    ...{ sendId: NOBODY, messageId, step: asked.step, steps, variantId, lead, sender, now, thread },
    tracking: UNTRACKED,
    campaign: { id, unsubscribe, optOutText },
    workspace: await findWriting(ctx.db, campaign.workspaceId),
  }
  return { input, mailbox, leadId: found?.id ?? null }
}

async function write(ctx: Context, input: RenderInput, { where, owner }: Asking): Promise<ComposedMessage> {
  const rendered = await renderSend(ctx, owner, input)
  if (isFailure(rendered)) throw cannotBeWritten(where, rendered)
  return rendered.composed
}

export async function previewMessage(ctx: Context, campaign: CampaignRow, asked: PreviewRequest, asking: Asking) {
  const { input, leadId } = await setScene(ctx, campaign, asked, asking)
  const composed = await write(ctx, input, asking)
  const headers = headersOf(composed.raw)
  const { unsubscribe, trackOpens, trackClicks } = campaign
  return {
    leadId,
    step: asked.step,
    variantId: input.variantId,
    from: composed.envelope.from,
    to: composed.envelope.to,
    ...pick(composed, 'subject', 'text'),
    html: composed.html && withoutLoaders(composed.html),
    headers,
    optOut: composed.optOut && pick(composed.optOut, 'line', 'language', 'source'),
    scoreHints: scoreHints({
      ...composed,
      tracking: { opens: trackOpens, clicks: trackClicks },
      unsubscribe: { way: unsubscribe, url: `${input.workspace?.trackingHost?.origin ?? ctx.link('')}/u/` },
      hasListId: headers.some(({ name }) => name === 'List-Id'),
    }),
  }
}

/** The message for a test: marked as a test, and without a thread. */
export async function writeTestMessage(ctx: Context, campaign: CampaignRow, asked: PreviewRequest & { to: string }, asking: Asking) {
  const { input, mailbox } = await setScene(ctx, campaign, asked, asking)
  const { subject } = await write(ctx, input, asking)
  const steps = input.steps.map(step => ({
    ...step,
    variants: step.variants.map(variant => ({ ...variant, subject: '[Test] {{ subjectOfTest }}' })),
  }))
  const lead = { ...input.lead, email: asked.to, variables: { ...input.lead.variables, subjectOfTest: subject } }
  const messageId = messageIdFor(newId(), domainOf(input.sender.fromEmail), id => ctx.secrets.sign('message-id', id))
  const composed = await write(ctx, { ...input, steps, lead, messageId, thread: null }, asking)
  return { composed, mailbox, variantId: input.variantId }
}

/**
 * The template of the subject of the thread: that of the last step before this one with a subject, in the variant of the lead. Null when
 * the lead already has a thread, or no step comes before.
 */
function subjectBefore(steps: SequenceStep[], lead: RecipientRow, asked: number): string | null {
  const hasBegun = lead.thread !== null && lead.step <= asked
  for (let step = asked - 1; step >= (hasBegun ? lead.step : 0); step--) {
    const { subject } = chooseVariant(steps[step]!, `${lead.id}:${step}`)
    if (subject?.trim()) return subject
  }
  return null
}

/** The request is valid, but the saved content cannot be rendered. */
function cannotBeWritten(where: 'body' | 'query', failure: RenderFailure): AppError {
  const path = failure.kind === 'lead' ? '/leadId' : '/step'
  const message = `cannot be written${failure.kind === 'lead' ? ' to' : ''}: ${failure.message}`
  return refusal('validation_failed', [{ in: where, path, rule: 'render', message }])
}

async function renderedSubject(ctx: Context, owner: string, subject: string, lead: RecipientRow, sender: Sender, now: Date) {
  const steps = [{ id: NOBODY, delayDays: 0, variants: [{ id: NOBODY, subject, body: '-', weight: 1 }] }]
  const rendered = await renderSend(ctx, owner, {
    ...{ sendId: NOBODY, messageId: '<preview@example.com>', step: 0, steps, variantId: NOBODY, lead, sender, now, thread: null },
    tracking: UNTRACKED,
  })
  return isFailure(rendered) ? subject : rendered.composed.subject
}

function headersOf(text: string): { name: string; value: string }[] {
  const head = text.slice(0, text.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ')
  return head.split('\r\n').map(line => ({ name: line.slice(0, line.indexOf(':')), value: line.slice(line.indexOf(':') + 1).trim() }))
}
