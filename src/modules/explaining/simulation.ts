import type { Context } from '../../context/context.ts'
import type { Db } from '../../db/client.ts'
import { AppError } from '../../lib/errors.ts'
import type { Hold } from '../../scheduling/plan.ts'
import { makePlanningDesk } from '../../scheduling/planning-desk.ts'
import type { SimulationInput } from '../../scheduling/play.ts'
import { reasonCatalogue } from '../../scheduling/reasons.ts'
import type { Simulation } from '../../scheduling/simulate.ts'
import type { CampaignRow } from '../campaigns/campaigns.ts'
import { listMailboxes } from '../mailboxes/mailboxes.ts'
import { readRecentSends, readSendingCampaign, type SendingCampaign, scheduleOf, toPlannedMailbox } from '../sending/planning.ts'
import { readSteps } from '../sequences/sequences.ts'
import { mailboxIdsOf, readWaiting, type Surroundings, type WaitingLeads } from './waiting.ts'
import type { OpenEntry } from './waiting-queries.ts'

/** A simulation plans so many messages at most; a larger campaign goes on beyond what it shows. */
const MOST_SENDS = 250_000

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
  const around = await readSurroundings(ctx.db, sending, now)
  const input = toSimulationInput(sending, around, await readWaiting(ctx.db, sending, around, now), now)
  return ctx.part(makePlanningDesk).ask({ kind: 'simulate', input: { ...input, horizonDays, mostSends: MOST_SENDS } })
}

/** The mailboxes, steps and last messages of a campaign; with a mailbox that may be none of its own any more. */
export async function readSurroundings(
  db: Db,
  sending: SendingCampaign,
  now: Date,
  mailboxId: string | null = null,
): Promise<Surroundings> {
  const mailboxIds = new Set([...mailboxIdsOf(sending), ...(mailboxId === null ? [] : [mailboxId])])
  const mailboxes = await listMailboxes(db, [...mailboxIds])
  const steps = sending.sequenceVersion === 0 ? [] : await readSteps(db, sending.id, sending.sequenceVersion)
  return { mailboxes, steps: steps.map(({ delayDays }) => ({ delayDays })), recentSends: await readRecentSends(db, mailboxes, now) }
}

/** These leads of a campaign, and everything that decides when they are written to. */
export function toSimulationInput(
  sending: SendingCampaign,
  { mailboxes, steps, recentSends }: Surroundings,
  { entries, contacts }: WaitingLeads,
  now: Date,
): SimulationInput {
  const open = entries.filter(entry => entry.dueAt !== null || entry.openSend !== null)
  const leads = open.map(entry => {
    const { id, count, step, domain, timezone, providerId: mailboxId } = entry
    const contact = contacts.get(id)
    // A rule that holds until a certain time only moves the message; of the others nobody knows when they will let go.
    const until = contact?.nextAttemptAt ?? null
    const dueAt = until ?? entry.dueAt ?? now
    return { id, count, step, dueAt, domain, timezone, mailboxId, hold: until === null ? (holdOf(entry) ?? contact ?? null) : null }
  })
  return {
    schedule: scheduleOf(sending),
    steps,
    leads,
    mailboxes: mailboxes.map(toPlannedMailbox),
    mailboxIds: sending.mailboxIds,
    now,
    recentSends,
    seed: 'send',
  }
}

function holdOf(entry: OpenEntry): Hold | null {
  if (entry.suppressed) return { reason: 'suppressed' }
  return entry.openSend ? { reason: 'earlier_step_open' } : null
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
