import { isLimit, type Lift, type WaitingGroup, wordLift } from '../../scheduling/if-lifted.ts'
import type { PlanningDesk } from '../../scheduling/planning-desk.ts'
import type { Wording } from '../../scheduling/reasons.ts'
import type { SendingCampaign } from '../sending/planning.ts'
import { toSimulationInput } from './simulation.ts'
import { type Surroundings, takeFirst, type WaitingLeads } from './waiting.ts'

/** A change that would follow if a limit were lifted, in words. */
export type IfLifted = Lift & { text: string }

/** The request waits for the simulations, so only the leads that are due first take part. */
const MOST_LEADS = 5000

interface Circumstances {
  campaign: SendingCampaign
  around: Surroundings
  waiting: WaitingLeads
  wording: Wording
}

/** For each group, the effect of lifting its limit; null when nothing would change, or when it is too far in the future to compute. */
export async function liftLimits(
  desk: PlanningDesk,
  groups: readonly WaitingGroup[],
  { campaign, around, waiting, wording }: Circumstances,
): Promise<(IfLifted | null)[]> {
  const nothing = groups.map(() => null)
  if (campaign.timezone === null || campaign.sequenceVersion === 0) return nothing
  if (!groups.some(({ reason }) => isLimit(reason))) return nothing
  const entries = takeFirst(waiting.entries, MOST_LEADS)
  const known = new Set(entries.map(({ id }) => id))
  const asked = groups.map(group => ({ ...group, leadIds: group.leadIds.filter(id => known.has(id)) }))
  const input = toSimulationInput(campaign, around, { ...waiting, entries }, wording.now)
  const lifts = await desk.ask({ kind: 'lift', input, groups: asked })
  return lifts.map(lift => lift && { ...lift, text: wordLift(lift, wording) })
}

export const presentLift = (lift: IfLifted | null) =>
  lift && { limit: lift.limit, value: lift.value, leavesAt: lift.leavesAt.toISOString(), count: lift.count, text: lift.text }
