import type { Context } from '../../context/context.ts'
import { AppError } from '../../lib/errors.ts'
import { reasonCatalogue } from '../../scheduling/reasons.ts'
import { type Simulation, simulate } from '../../scheduling/simulate.ts'
import type { CampaignRow } from '../campaigns/campaigns.ts'
import { listMailboxes } from '../mailboxes/mailboxes.ts'
import { readRecentSends, readSendingCampaign, scheduleOf, toPlannedMailbox } from '../sending/planning.ts'
import { readSteps } from '../sequences/sequences.ts'
import { listOpenLeads } from './queries.ts'

/** Plays the rest of the campaign with the sender's own planner, from its real leads and mailboxes. Nothing is changed. */
export async function simulateCampaign(ctx: Context, campaign: CampaignRow, horizonDays: number): Promise<Simulation> {
  const missing = [
    ...(campaign.sequenceVersion === 0 ? [{ rule: 'sequence_missing', message: 'The campaign has no sequence.' }] : []),
    ...(campaign.timezone === null ? [{ rule: 'schedule_missing', message: 'The campaign has no sending window.' }] : []),
  ]
  if (missing.length > 0) {
    const words = missing.map(failure => failure.message).join(' ')
    throw new AppError('campaign_not_ready', `There is nothing to simulate yet: ${words}`, { failures: missing })
  }
  const now = ctx.clock.now()
  const sending = (await readSendingCampaign(ctx.db, campaign.id))!
  const mailboxes = await listMailboxes(ctx.db, [...sending.mailboxIds, ...sending.keptMailboxIds])
  const leads = (await listOpenLeads(ctx.db, campaign.id))
    .filter(lead => lead.dueAt !== null || lead.openSend !== null)
    .map(lead => ({
      id: lead.id,
      step: lead.step,
      dueAt: lead.dueAt ?? now,
      domain: lead.domain,
      mailboxId: lead.providerId,
      hold: lead.suppressed ? ({ reason: 'suppressed' } as const) : lead.openSend ? ({ reason: 'earlier_step_open' } as const) : null,
    }))
  return simulate({
    schedule: scheduleOf(sending),
    steps: (await readSteps(ctx.db, campaign.id, campaign.sequenceVersion)).map(({ delayDays }) => ({ delayDays })),
    leads,
    mailboxes: mailboxes.map(toPlannedMailbox),
    mailboxIds: sending.mailboxIds,
    now,
    recentSends: await readRecentSends(ctx.db, mailboxes, now),
    seed: 'send',
    horizonDays,
  })
}

export const presentSimulation = (simulation: Simulation) => ({
  sends: simulation.sends,
  startsAt: simulation.startsAt?.toISOString() ?? null,
  endsAt: simulation.endsAt?.toISOString() ?? null,
  days: simulation.days.map(({ date, total, byMailbox, byStep }) => ({ date, total, byMailbox, byStep })),
  bindingLimit: { code: simulation.bindingLimit.code, message: simulation.bindingLimit.message },
  notSent: simulation.notSent.map(({ reason, count, messages }) => ({ reason, count, messages, text: reasonCatalogue[reason].meaning })),
  truncated: simulation.truncated,
})
