import type { Tx } from '../../db/client.ts'
import { DAY_MS } from '../../lib/time.ts'
import { scheduleFor } from '../../scheduling/window.ts'
import { startOfDay } from '../../scheduling/zone.ts'
import { holdLeads, postponeLead } from '../leads/progress.ts'
import { findSendingCampaign } from './claim-queries.ts'

const NOON_MS = DAY_MS / 2

/** Moves the next step to the day after the person is back, in the time zone of the window. Null when no step was due before that. */
export async function postponeForAbsence(
  tx: Tx,
  lead: { id: string; workspaceId: string; campaignId: string; timezone: string | null },
  returnDate: string,
  now: Date,
): Promise<Date | null> {
  const campaign = await findSendingCampaign(tx, lead.campaignId)
  const dayAfter = new Date(Date.parse(`${returnDate}T00:00:00Z`) + DAY_MS + NOON_MS)
  if (Number.isNaN(dayAfter.getTime())) return null
  const until = startOfDay(campaign ? scheduleFor(campaign, lead.timezone).timezone : 'UTC', dayAfter)
  const moved = await postponeLead(tx, lead.id, until)
  if (!moved) return null
  const { workspaceId, campaignId } = lead
  const hold = { leadId: lead.id, workspaceId, campaignId, step: moved.nextStep }
  await holdLeads(tx, [{ ...hold, reason: 'recipient_away', nextAttemptAt: moved.dueAt, detail: { returnDate } }], now)
  return moved.dueAt
}
