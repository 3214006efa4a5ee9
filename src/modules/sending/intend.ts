import type { Context } from '../../context/context.ts'
import type { Tx } from '../../db/sql.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { mailboxDay } from '../../scheduling/capacity.ts'
import type { Hold } from '../../scheduling/planner.ts'
import { OpenHours, scheduleFor } from '../../scheduling/window.ts'
import { needsAttention } from '../campaigns/campaigns.ts'
import { holdLeads, skipLead } from '../leads/leads.ts'
import type { SendingMailbox } from '../mailboxes/queries.ts'
import type { ClaimedAnswer } from './answer-queries.ts'
import { intendAnswers, writeAnswer } from './answers.ts'
import { type ClaimedSend, type ClaimedStep, releaseClaims } from './claim.ts'
import { type DueCampaign, listSendingCampaigns } from './claim-queries.ts'
import { holdByTrackingHost, holdContacts, isStopped, judgeContacts, lookAgainAt, scheduleOf, toPlannedMailbox } from './planner-input.ts'
import { findSuppressed, type HeldCampaign, holdActiveCampaigns, markSending } from './queries.ts'
import { isFailure, type RenderedSend, type RenderInput, renderSends } from './render.ts'

// The second step: renders the message, and marks it as leaving before its first byte is sent.

/** How long the messages of one mailbox wait for rows that others keep locked, before they go back or are recorded later. */
export const ALONE_LOCK_WAIT_MS = 1_000

type PreparedStep = ClaimedStep & RenderedSend
/** A rendered message. It may leave once it has been intended. */
export type PreparedSend = PreparedStep | (ClaimedAnswer & RenderedSend)

/** Renders the messages. Answers that a person wrote are sent unchanged. */
export async function prepareSends(ctx: Context, workerId: number, sends: ClaimedSend[]): Promise<PreparedSend[]> {
  const now = ctx.clock.now()
  const answers = sends.flatMap(send => (send.kind === 'answer' ? [{ ...send, ...writeAnswer(send, now) }] : []))
  const steps = sends.filter(send => send.kind === 'step')
  return [...answers, ...(steps.length > 0 ? await prepareSteps(ctx, workerId, steps, now) : [])]
}

/** A lead that lacks a variable is skipped; a broken template stops its campaign. */
async function prepareSteps(ctx: Context, workerId: number, sends: ClaimedStep[], now: Date): Promise<PreparedStep[]> {
  const prepared: PreparedStep[] = []
  const lacking: { send: ClaimedStep; variables: string[] }[] = []
  const broken: { send: ClaimedStep; message: string }[] = []
  const obstacle =
    ctx.config.baseUrl === ''
      ? 'This installation has no public address, so links in emails would not work. An administrator has to set OVERTURE_BASE_URL'
      : null
  if (obstacle !== null) broken.push(...sends.map(send => ({ send, message: obstacle })))
  else {
    // All are messages of one mailbox, and a mailbox belongs to one workspace.
    const results = await renderSends(
      ctx,
      sends[0]!.workspaceId,
      sends.map(send => toInput(send, now)),
    )
    sends.forEach((send, index) => {
      const result = results[index]!
      if (!isFailure(result)) prepared.push({ ...send, ...result })
      else if (result.kind === 'lead') lacking.push({ send, variables: result.variables })
      else broken.push({ send, message: `Step ${send.step + 1} has an error: ${result.message}` })
    })
  }
  if (lacking.length + broken.length > 0) {
    const ids = [...lacking, ...broken].map(({ send }) => send.id)
    await ctx.db.inTransaction(async tx => {
      await releaseClaims(tx, workerId, ids)
      for (const { send, variables } of lacking) {
        const { leadId, workspaceId, campaignId, step } = send
        const hold = { leadId, workspaceId, campaignId, step, reason: 'missing_variable', nextAttemptAt: null, detail: { variables } }
        await skipLead(tx, hold, now)
      }
    })
  }
  const stopped = new Map(broken.map(({ send, message }) => [send.campaignId, { workspaceId: send.workspaceId, message }]))
  for (const [campaignId, { workspaceId, message }] of stopped)
    await ctx.db.inTransaction(tx => needsAttention(tx, workspaceId, campaignId, message, ctx.clock.now()))
  return prepared
}

function toInput(send: ClaimedStep, now: Date): RenderInput {
  const { id: sendId, messageId, step, steps, variantId, lead, mailbox: sender, campaign } = send
  const { id, unsubscribe, optOutText, trackingHost, optOutLines } = campaign
  const tracking = { opens: campaign.trackOpens, clicks: campaign.trackClicks }
  return {
    sendId,
    messageId,
    step,
    steps,
    variantId,
    lead,
    sender,
    thread: lead.thread,
    tracking,
    now,
    campaign: { id, unsubscribe, optOutText },
    workspace: { trackingHost, optOutLines },
  }
}

/** Marks the batch as leaving, and returns the ids that may leave. Everything that may have changed since the claim is checked again. */
export async function intendSends(ctx: Context, workerId: number, prepared: PreparedSend[], lockWaitMs = ALONE_LOCK_WAIT_MS) {
  const answers = prepared.filter(send => send.kind === 'answer')
  const steps = prepared.filter(send => send.kind === 'step')
  const answered = answers.length > 0 ? await intendAnswers(ctx, workerId, answers, lockWaitMs) : new Set<string>()
  return steps.length > 0 ? new Set([...answered, ...(await intendSteps(ctx, workerId, steps, lockWaitMs))]) : answered
}

async function intendSteps(ctx: Context, workerId: number, prepared: PreparedStep[], lockWaitMs: number): Promise<Set<string>> {
  const now = ctx.clock.now()
  return ctx.db.withLockTimeout(lockWaitMs, async tx => {
    const held = await holdCampaigns(tx, prepared)
    const isTimely = timelyAt(now)
    const unchanged = prepared.filter(send => {
      const campaign = held.get(send.campaignId)
      return campaign !== undefined && isTimely(send, campaign) && isAsClaimed(send, campaign)
    })
    const contacts = await judgeAgain(tx, unchanged, held, now)
    const intentions = unchanged
      .filter(({ leadId }) => !contacts.has(leadId))
      .map(({ id, leadId, composed, links }) => {
        const { subject, text, html } = composed
        return { id, leadId, subject, links, text, html }
      })
    const allowed = intentions.length === 0 ? new Set<string>() : await markSending(tx, workerId, intentions, now)
    const stopped = prepared.filter(send => !allowed.has(send.id))
    if (stopped.length > 0) {
      const ids = stopped.map(send => send.id)
      const suppressed = await findSuppressed(tx, workerId, ids)
      await releaseClaims(tx, workerId, ids)
      for (const { id, leadId, workspaceId, campaignId, step } of stopped) {
        const subject = { leadId, workspaceId, campaignId, step }
        const contact = contacts.get(leadId)
        if (suppressed.get(id)) await skipLead(tx, { ...subject, reason: 'suppressed', nextAttemptAt: null, detail: null }, now)
        else if (contact && suppressed.has(id)) await holdContact(tx, { ...subject, ...contact }, held.get(campaignId)!, now)
      }
    }
    return allowed
  })
}

/**
 * Checks the contact rules again, with the people and companies locked: when two campaigns are about to email the same
 * person, one waits here, and then sees the message of the other.
 */
async function judgeAgain(tx: Tx, sends: PreparedStep[], held: Map<string, DueCampaign>, now: Date): Promise<Map<string, Hold>> {
  const leads = sends
    .filter(send => held.get(send.campaignId)!.sharesContacts)
    .map(({ leadId: id, workspaceId, campaignId, step, lead }) => ({ id, workspaceId, campaignId, step, email: lead.email }))
  if (leads.length === 0) return new Map()
  await holdContacts(tx, leads)
  return judgeContacts(tx, leads, lead => held.get(lead.campaignId)!, now)
}

type HeldContact = Hold & { leadId: string; workspaceId: string; campaignId: string; step: number }

async function holdContact(tx: Tx, contact: HeldContact, campaign: DueCampaign, now: Date): Promise<void> {
  const hold = { ...contact, nextAttemptAt: contact.nextAttemptAt ?? null, detail: contact.detail ?? null }
  if (isStopped(contact.reason, campaign)) await skipLead(tx, hold, now)
  else await holdLeads(tx, [{ ...hold, dueAt: lookAgainAt(contact, now) }], now)
}

/** The active campaigns of these messages, locked. One that has changed since the claim is read again. */
async function holdCampaigns(tx: Tx, prepared: PreparedStep[]): Promise<Map<string, DueCampaign>> {
  const known = new Map(prepared.map(send => [send.campaignId, send.campaign]))
  const leadIds = prepared.map(send => send.leadId)
  const active = await holdActiveCampaigns(tx, [...known.keys()], leadIds)
  // The rules of the workspace may have changed without the campaign, so the current ones are used.
  const held = new Map(active.map(campaign => [campaign.id, { ...known.get(campaign.id)!, ...rulesNow(campaign) }]))
  const changedIds = active.filter(({ id, updatedAt }) => updatedAt.getTime() !== known.get(id)!.updatedAt.getTime()).map(({ id }) => id)
  if (changedIds.length > 0) for (const campaign of await listSendingCampaigns(tx, changedIds)) held.set(campaign.id, campaign)
  return held
}

const rulesNow = ({ id: _, updatedAt: __, ...ofWorkspace }: HeldCampaign) => ofWorkspace

/** The settings of a campaign and its workspace that a rendered message contains. */
const WRITTEN_BY = ['trackOpens', 'trackClicks', 'unsubscribe', 'optOutText', 'trackingHost', 'optOutLines'] as const

/** The message was rendered with the current settings, and its mailbox still sends for the campaign. */
function isAsClaimed({ campaign: claimed, mailbox, lead }: PreparedStep, campaign: DueCampaign): boolean {
  const isWrittenSo = WRITTEN_BY.every(
    setting => claimed[setting] === campaign[setting] || canonicalJson(claimed[setting]) === canonicalJson(campaign[setting]),
  )
  if (!isWrittenSo || holdByTrackingHost(campaign)) return false
  return campaign.mailboxIds.includes(mailbox.id) || (lead.providerId === mailbox.id && campaign.keptMailboxIds.includes(mailbox.id))
}

/** Whether the window of a lead is still open, and it is still the day that its message counts for. Each window and mailbox is looked at once. */
function timelyAt(now: Date): (send: PreparedStep, campaign: DueCampaign) => boolean {
  const open = new Map<string, boolean>()
  const days = new Map<SendingMailbox, string>()
  return ({ lead, mailbox, countedOn }, campaign) => {
    const window = `${campaign.id} ${campaign.useLeadTimezone ? lead.timezone : ''}`
    const isOpen = open.get(window) ?? new OpenHours(scheduleFor(scheduleOf(campaign), lead.timezone)).isOpen(now.getTime())
    open.set(window, isOpen)
    const day = days.get(mailbox) ?? mailboxDay(toPlannedMailbox(mailbox), now)
    days.set(mailbox, day)
    return isOpen && (countedOn === null || day <= countedOn)
  }
}
