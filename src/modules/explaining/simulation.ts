import type { Context } from '../../context/context.ts'
import type { Db } from '../../db/sql.ts'
import { AppError } from '../../lib/errors.ts'
import { pick } from '../../lib/pick.ts'
import { Turns } from '../../lib/turns.ts'
import type { Static } from '../../lib/type.ts'
import type { Hold } from '../../scheduling/planner.ts'
import { makePlanningThreads } from '../../scheduling/planning.ts'
import { reasonCatalogue } from '../../scheduling/reasons.ts'
import type { SimulationInput } from '../../scheduling/simulate.ts'
import { checkReferences, mailboxesOf } from '../campaigns/campaigns.ts'
import { applyPatch, checkSchedule, configurationOf } from '../campaigns/configuration.ts'
import type { CampaignRow } from '../campaigns/queries.ts'
import { listMailboxes } from '../mailboxes/queries.ts'
import { findSendingCampaign, type SendingCampaign } from '../sending/claim-queries.ts'
import { holdByTrackingHost, readRecentSends, scheduleOf, toPlannedMailbox } from '../sending/planner-input.ts'
import { checkSequence, readSteps, toSteps } from '../sequences/sequences.ts'
import { dryRun, NO_SENDER, withStops, wordLack } from './dry-run.ts'
import type { OpenEntry } from './queries.ts'
import type { SimulationRequest } from './schema.ts'
import { mailboxIdsOf, readWaiting, type Surroundings, type WaitingLeads } from './waiting.ts'

/** A simulation plans at most this many messages; the rest of a larger campaign is not shown. */
const MOST_SENDS = 250_000

/** Changes to try out: they replace values of the campaign. */
export type Trial = Omit<Static<typeof SimulationRequest>, 'horizonDays'>

/** Simulations of a process that are read and planned at the same time, each of another workspace: a large one takes seconds. */
const SIMULATED_AT_ONCE = 2
const simulationTurns = (): Turns => new Turns(SIMULATED_AT_ONCE, { perOwner: 1 })

/** Simulates the rest of the campaign with the planner of the sender, from its real leads and mailboxes. Changes nothing. */
export const simulateCampaign: typeof simulate = (ctx, saved, horizonDays, trial) =>
  ctx.part(simulationTurns).run(saved.workspaceId, () => simulate(ctx, saved, horizonDays, trial))

async function simulate(ctx: Context, saved: CampaignRow, horizonDays: number, trial: Trial = {}) {
  const { steps, ...patch } = trial
  const isTrial = Object.keys(trial).length > 0
  const tried = steps ? toSteps({ steps }) : null
  const campaign = { ...saved, ...applyPatch(configurationOf(saved), patch) }
  const missing = [
    ...(campaign.sequenceVersion === 0 && !tried ? [{ rule: 'sequence_missing', message: 'The campaign has no sequence.' }] : []),
    ...(campaign.timezone === null ? [{ rule: 'schedule_missing', message: 'The campaign has no sending window.' }] : []),
  ]
  if (missing.length > 0) {
    const words = missing.map(failure => failure.message).join(' ')
    throw new AppError('campaign_not_ready', `There is nothing to simulate yet: ${words}`, { failures: missing })
  }
  const now = ctx.clock.now()
  const sending = tryOut((await findSendingCampaign(ctx.db, campaign.id))!, campaign)
  const around = await readSurroundings(ctx.db, sending, now, { tried })
  const input = toSimulationInput(sending, around, await readWaiting(ctx.db, sending, around, now), now)
  const sender = around.mailboxes.find(({ id }) => id === campaign.providerId) ?? NO_SENDER
  const { lacks, total, stops } = await dryRun(ctx, ctx.db, campaign, sender, tried, MOST_SENDS)
  const leads = withStops(input.leads, stops)
  const asked = { ...input, leads, horizonDays, mostSends: MOST_SENDS }
  const simulation = await ctx.part(makePlanningThreads).ask({ kind: 'simulate', input: asked })
  return { ...simulation, lacks: isTrial ? lacks : null, leadCount: total }
}

/** Refuses values that the API would not save. */
export async function checkTrial(ctx: Context, workspaceId: string, owner: string, { steps, ...patch }: Trial): Promise<void> {
  if (patch.schedule) checkSchedule(patch.schedule, '/schedule')
  await checkReferences(ctx.db, workspaceId, patch)
  if (steps) await checkSequence(ctx, owner, { steps })
}

/** The campaign as the sender would see it after the change: a removed mailbox continues its threads. */
function tryOut(sending: SendingCampaign, campaign: CampaignRow): SendingCampaign {
  const { daysOfWeek, windowStart, windowEnd, timezone, useLeadTimezone, startDate, endDate, contactRules } = campaign
  const mailboxIds = mailboxesOf(campaign)
  const leaving = sending.mailboxIds.filter(id => !mailboxIds.includes(id))
  const window = { daysOfWeek: daysOfWeek!, windowStart: windowStart!, windowEnd: windowEnd!, timezone: timezone!, useLeadTimezone }
  const keptMailboxIds = [...new Set([...sending.keptMailboxIds, ...leaving])].filter(id => !mailboxIds.includes(id))
  return { ...sending, ...window, startDate, endDate, contactRules, mailboxIds, keptMailboxIds }
}

/**
 * The mailboxes, steps and last messages of a campaign. The mailbox may have been removed from the campaign, and the steps may be others.
 */
export async function readSurroundings(
  db: Db,
  sending: SendingCampaign,
  now: Date,
  { mailboxId = null, tried = null }: { mailboxId?: string | null; tried?: { delayDays: number }[] | null } = {},
): Promise<Surroundings> {
  const mailboxIds = new Set([...mailboxIdsOf(sending), ...(mailboxId === null ? [] : [mailboxId])])
  const mailboxes = await listMailboxes(db, [...mailboxIds])
  const steps = tried ?? (sending.sequenceVersion === 0 ? [] : await readSteps(db, sending.id, sending.sequenceVersion))
  return { mailboxes, steps: steps.map(({ delayDays }) => ({ delayDays })), recentSends: await readRecentSends(db, mailboxes, now) }
}

/** The input of the planner for these leads. */
export function toSimulationInput(
  sending: SendingCampaign,
  { mailboxes, steps, recentSends }: Surroundings,
  { entries, contacts }: WaitingLeads,
  now: Date,
): SimulationInput {
  const open = entries.filter(entry => entry.dueAt !== null || entry.openSend !== null)
  const broken = holdByTrackingHost(sending)
  const leads = open.map(entry => {
    const { id, count, step, domain, timezone, providerId: mailboxId } = entry
    const contact = contacts.get(id)
    // A hold with an end only delays the message; the end of other holds is unknown.
    const until = contact?.nextAttemptAt ?? null
    const dueAt = until ?? entry.dueAt ?? now
    return {
      id,
      count,
      step,
      dueAt,
      domain,
      timezone,
      mailboxId,
      hold: holdOf(entry) ?? broken ?? (until === null ? (contact ?? null) : null),
    }
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

export const presentSimulation = (simulation: Awaited<ReturnType<typeof simulateCampaign>>) => ({
  ...pick(simulation, 'sends', 'startsAt', 'endsAt', 'truncated'),
  days: simulation.days.map(day => pick(day, 'date', 'total', 'byMailbox', 'byStep')),
  bindingLimit: pick(simulation.bindingLimit, 'code', 'message'),
  notSent: simulation.notSent.map(each => ({ ...pick(each, 'reason', 'count', 'messages'), text: reasonCatalogue[each.reason].meaning })),
  lacks:
    simulation.lacks?.map(lack => ({
      ...pick(lack, 'step', 'variable', 'count'),
      text: wordLack(lack, simulation.leadCount),
    })) ?? null,
})
