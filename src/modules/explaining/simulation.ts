import type { Context } from '../../context/context.ts'
import type { Db } from '../../db/client.ts'
import { AppError } from '../../lib/errors.ts'
import type { Hold } from '../../scheduling/plan.ts'
import type { SimulationInput } from '../../scheduling/play.ts'
import { reasonCatalogue } from '../../scheduling/reasons.ts'
import { type Simulation, simulate } from '../../scheduling/simulate.ts'
import type { CampaignRow } from '../campaigns/campaigns.ts'
import { listMailboxes, type SendingMailbox } from '../mailboxes/mailboxes.ts'
import { judgeContacts } from '../sending/contact.ts'
import { readRecentSends, readSendingCampaign, type SendingCampaign, scheduleOf, toPlannedMailbox } from '../sending/planning.ts'
import { readSteps } from '../sequences/sequences.ts'
import { listOpenLeads, type OpenLead } from './queries.ts'

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
  const input = await toSimulationInput(ctx.db, sending, mailboxes, await listOpenLeads(ctx.db, campaign.id), now)
  return simulate({ ...input, horizonDays })
}

/** These leads of a campaign, and everything that decides when they are written to. */
export async function toSimulationInput(
  db: Db,
  sending: SendingCampaign,
  mailboxes: SendingMailbox[],
  openLeads: OpenLead[],
  now: Date,
): Promise<SimulationInput> {
  const open = openLeads.filter(lead => lead.dueAt !== null || lead.openSend !== null)
  const contacts = await judgeContacts(
    db,
    open.filter(lead => lead.openSend === null && !lead.suppressed),
    () => sending,
    now,
  )
  const leads = open.map(lead => {
    const { id, step, domain, timezone, providerId: mailboxId } = lead
    const contact = contacts.get(id)
    // A rule that holds until a certain time only moves the message; of the others nobody knows when they will let go.
    const until = contact?.nextAttemptAt ?? null
    const dueAt = until ?? lead.dueAt ?? now
    return { id, step, dueAt, domain, timezone, mailboxId, hold: until === null ? (holdOf(lead) ?? contact ?? null) : null }
  })
  return {
    schedule: scheduleOf(sending),
    steps: (await readSteps(db, sending.id, sending.sequenceVersion)).map(({ delayDays }) => ({ delayDays })),
    leads,
    mailboxes: mailboxes.map(toPlannedMailbox),
    mailboxIds: sending.mailboxIds,
    now,
    recentSends: await readRecentSends(db, mailboxes, now),
    seed: 'send',
  }
}

function holdOf(lead: OpenLead): Hold | null {
  if (lead.suppressed) return { reason: 'suppressed' }
  return lead.openSend ? { reason: 'earlier_step_open' } : null
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
