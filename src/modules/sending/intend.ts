import type { Context } from '../../context/context.ts'
import { mailboxDay } from '../../scheduling/capacity.ts'
import { OpenHours } from '../../scheduling/window.ts'
import { needsAttention } from '../campaigns/attention.ts'
import { skipLead } from '../leads/progress.ts'
import type { ClaimedSend } from './claim.ts'
import { scheduleOf, toPlannedMailbox } from './planning.ts'
import { isFailure, type RenderedSend, type RenderInput, renderSends } from './render.ts'
import { findObstacles, holdActiveCampaigns, markSending } from './send-queries.ts'
import { releaseClaims } from './sending.ts'

// The second step: the message is written, and declared as leaving before its first byte goes out.

/** A message that is written and may leave once it has been intended. */
export type PreparedSend = ClaimedSend & RenderedSend

/** Writes the messages. A lead that lacks something is skipped; a template that is broken stops its campaign. */
export async function prepareSends(ctx: Context, workerId: number, sends: ClaimedSend[]): Promise<PreparedSend[]> {
  const now = ctx.clock.now()
  const prepared: PreparedSend[] = []
  const lacking: { send: ClaimedSend; variables: string[] }[] = []
  const broken: { send: ClaimedSend; message: string }[] = []
  const obstacle = ctx.config.baseUrl === '' ? 'OVERTURE_BASE_URL is not set, so the links in e-mails would lead nowhere' : null
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
      else broken.push({ send, message: `Step ${send.step + 1} cannot be written: ${result.message}` })
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
  for (const [campaignId, { workspaceId, message }] of stopped) await needsAttention(ctx, workspaceId, campaignId, message)
  return prepared
}

function toInput(send: ClaimedSend, now: Date): RenderInput {
  const { id: sendId, messageId, step, steps, variantId, lead, mailbox: sender, campaign } = send
  const { id, unsubscribe, optOutText } = campaign
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
  }
}

/** The point of no return, once for the whole batch: the ids that may leave. Whatever has changed since the claim is looked at again here. */
export async function intendSends(ctx: Context, workerId: number, prepared: PreparedSend[]): Promise<Set<string>> {
  const now = ctx.clock.now()
  const timely = prepared.filter(send => isTimely(send, now))
  return ctx.db.inTransaction(async tx => {
    let allowed = new Set<string>()
    if (timely.length > 0) {
      const campaignIds = [...new Set(timely.map(send => send.campaignId))]
      const leadIds = timely.map(send => send.leadId)
      const active = new Set(await holdActiveCampaigns(tx, campaignIds, leadIds))
      const intentions = timely
        .filter(send => active.has(send.campaignId))
        .map(({ id, leadId, composed, links }) => ({ id, leadId, subject: composed.subject, links }))
      allowed = await markSending(tx, workerId, intentions, now)
    }
    const stopped = prepared.filter(send => !allowed.has(send.id))
    if (stopped.length > 0) {
      const ids = stopped.map(send => send.id)
      const obstacles = new Map((await findObstacles(tx, workerId, ids)).map(obstacle => [obstacle.id, obstacle]))
      await releaseClaims(tx, workerId, ids)
      for (const { id, leadId, workspaceId, campaignId, step } of stopped) {
        if (!obstacles.get(id)?.suppressed) continue
        await skipLead(tx, { leadId, workspaceId, campaignId, step, reason: 'suppressed', nextAttemptAt: null, detail: null }, now)
      }
    }
    return allowed
  })
}

/** Still within the window, and on the day that the message was counted on. */
function isTimely(send: PreparedSend, now: Date): boolean {
  if (!new OpenHours(scheduleOf(send.campaign)).isOpen(now.getTime())) return false
  return send.countedOn === null || mailboxDay(toPlannedMailbox(send.mailbox), now) <= send.countedOn
}
