import type { Context } from '../../context/context.ts'
import { domainOf } from '../../lib/email.ts'
import { AppError, invalid, notFound } from '../../lib/errors.ts'
import { messageIdFor } from '../../mail/compose/mime.ts'
import { scoreHints } from '../../mail/compose/score.ts'
import type { CampaignRow } from '../campaigns/campaigns.ts'
import { listMailboxes } from '../mailboxes/mailboxes.ts'
import { chooseVariant } from '../sending/claim.ts'
import { isFailure, type RenderFailure, renderSend } from '../sending/render.ts'
import { readSteps } from '../sequences/sequences.ts'
import { findRecipient, type RecipientRow } from './queries.ts'

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
}

const SAMPLE_SENDER = { fromName: null, fromEmail: 'sender@example.com', postalAddress: null }

/** The message as it would be sent, to a lead of the campaign or, when it has none yet or they are not shown, to a made-up one. */
export async function previewMessage(
  ctx: Context,
  campaign: CampaignRow,
  asked: { leadId?: string; step: number; variantId?: string },
  { where, mayReadLeads }: { where: 'body' | 'query'; mayReadLeads: boolean },
) {
  const steps = await readSteps(ctx.db, campaign.id, campaign.sequenceVersion)
  const step = steps[asked.step]
  if (!step) throw invalid(where, '/step', 'range', `must be below ${steps.length}: the sequence has ${steps.length} steps, counted from 0`)
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
  const firstSubject = steps[0]?.variants[0]?.subject ?? ''
  // A follow-up is shown in the thread that it would be in; nothing is tracked in what nobody is sent.
  const thread = lead.thread ?? (asked.step > 0 ? { subject: firstSubject, messageIds: [] } : null)
  const { id, unsubscribe, optOutText, trackOpens, trackClicks } = campaign
  const rendered = await renderSend(ctx, campaign.workspaceId, {
    ...{ sendId: NOBODY, messageId, step: asked.step, steps, variantId, lead, sender, now },
    thread: thread && { ...thread, subject: await renderedSubject(ctx, campaign.workspaceId, thread.subject, lead, sender, now) },
    tracking: { opens: false, clicks: false },
    campaign: { id, unsubscribe, optOutText },
  })
  if (isFailure(rendered)) throw cannotBeWritten(where, rendered)
  const { composed } = rendered
  const headers = headersOf(composed.raw)
  return {
    campaignId: campaign.id,
    leadId: found ? lead.id : null,
    step: asked.step,
    variantId,
    from: composed.envelope.from,
    to: composed.envelope.to,
    subject: composed.subject,
    text: composed.text,
    html: composed.html,
    headers,
    scoreHints: scoreHints({
      ...composed,
      tracking: { opens: trackOpens, clicks: trackClicks },
      unsubscribe: { way: unsubscribe, url: ctx.link('/u/') },
      hasListId: headers.some(({ name }) => name === 'List-Id'),
    }),
  }
}

/** Not a matter of how it was asked: what was saved cannot be written. */
function cannotBeWritten(where: 'body' | 'query', failure: RenderFailure): AppError {
  const path = failure.kind === 'lead' ? '/leadId' : '/step'
  const message = `cannot be written${failure.kind === 'lead' ? ' to' : ''}: ${failure.message}`
  const issues = [{ in: where, path, rule: 'render', message }]
  return new AppError('validation_failed', `${path.slice(1)}: ${message}`, { issues })
}

async function renderedSubject(
  ctx: Context,
  workspaceId: string,
  subject: string,
  lead: RecipientRow,
  sender: typeof SAMPLE_SENDER | { fromName: string | null; fromEmail: string; postalAddress: string | null },
  now: Date,
): Promise<string> {
  const steps = [{ id: NOBODY, delayDays: 0, variants: [{ id: NOBODY, subject, body: '-', weight: 1 }] }]
  const tracking = { opens: false, clicks: false }
  const rendered = await renderSend(ctx, workspaceId, {
    sendId: NOBODY,
    messageId: '<preview@example.com>',
    step: 0,
    steps,
    variantId: NOBODY,
    lead,
    sender,
    thread: null,
    tracking,
    now,
  })
  return isFailure(rendered) ? subject : rendered.composed.subject
}

function headersOf(raw: Buffer): { name: string; value: string }[] {
  const text = raw.toString('latin1')
  const head = text.slice(0, text.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ')
  return head.split('\r\n').map(line => ({ name: line.slice(0, line.indexOf(':')), value: line.slice(line.indexOf(':') + 1).trim() }))
}
