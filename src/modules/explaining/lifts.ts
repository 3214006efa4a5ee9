import type { Db } from '../../db/client.ts'
import { findLifts, type Lift, type WaitingGroup, wordLift } from '../../scheduling/if-lifted.ts'
import type { Wording } from '../../scheduling/reasons.ts'
import type { SendingMailbox } from '../mailboxes/mailboxes.ts'
import type { SendingCampaign } from '../sending/planning.ts'
import type { OpenLead } from './queries.ts'
import { toSimulationInput } from './simulation.ts'

/** What would change if a limit were not there, in words. */
export type IfLifted = Lift & { text: string }

/** The plays are paid for by whoever asks, so no more leads than these take part: those that are due first. */
const MOST_LEADS = 5000

interface Circumstances {
  campaign: SendingCampaign
  mailboxes: SendingMailbox[]
  /** Those who wait in the campaign, whoever is due first coming first. */
  leads: OpenLead[]
  wording: Wording
}

/** For each group what lifting its limit would change; null where it would change nothing, or is too far ahead to tell. */
export async function liftLimits(db: Db, groups: readonly WaitingGroup[], circumstances: Circumstances): Promise<(IfLifted | null)[]> {
  const { campaign, mailboxes, wording } = circumstances
  if (campaign.timezone === null || campaign.sequenceVersion === 0) return groups.map(() => null)
  const leads = circumstances.leads.slice(0, MOST_LEADS)
  const known = new Set(leads.map(lead => lead.id))
  const asked = groups.map(group => ({ ...group, leadIds: group.leadIds.filter(id => known.has(id)) }))
  const lifts = findLifts(await toSimulationInput(db, campaign, mailboxes, leads, wording.now), asked)
  return lifts.map(lift => lift && { ...lift, text: wordLift(lift, wording) })
}

export const presentLift = (lift: IfLifted | null) =>
  lift && { limit: lift.limit, value: lift.value, leavesAt: lift.leavesAt.toISOString(), count: lift.count, text: lift.text }
