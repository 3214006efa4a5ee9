import type { Tx } from '../../db/client.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import { storableText } from '../../lib/storable-text.ts'
import { DAY_MS } from '../../lib/time.ts'
import { scheduleFor } from '../../scheduling/window.ts'
import { startOfDay } from '../../scheduling/zone.ts'
import { refundBouncedLead } from '../credits/credits.ts'
import { changeLead, recordLeadEvent, stopSamePerson } from '../leads/leads.ts'
import type { LeadRow } from '../leads/queries.ts'
import { holdLeads, isOpen } from '../leads/queue.ts'
import { countBounce, postponeLead } from '../leads/queue-queries.ts'
import type { LeadStatus } from '../leads/schema.ts'
import { suppress } from '../suppressions/suppressions.ts'
import { findSendingCampaign } from './claim-queries.ts'

interface BounceReport {
  /** `hard`: the address is dead. `soft`: it may work later. `sender_fault`: the mailbox we send from is the problem. */
  type: 'hard' | 'soft' | 'sender_fault'
  status: string | null
  diagnostic: string
  sendId: string | null
  step: number | null
  /** The message will not be tried again, so the lead is done even when the address may work later. */
  isFinal: boolean
}

const canBounce = (status: LeadStatus): boolean => isOpen(status) || status === 'sequence_completed'

/** Records that a message bounced, or that the mail server refused it permanently. The lead must be locked. A dead address gets no further messages. */
export async function recordBounce(tx: Tx, secrets: SecretBox, lead: LeadRow, report: BounceReport, now: Date): Promise<void> {
  const { type: kind, status, diagnostic, sendId, step } = report
  const stops = (kind === 'hard' || report.isFinal) && canBounce(lead.status)
  await countBounce(tx, lead.id, stops)
  const data = { sendId, step, kind, status, diagnostic: storableText(diagnostic, 500), first: stops }
  recordLeadEvent(tx, 'email.bounced', lead, data, now)
  if (kind === 'hard') {
    await suppress(tx, secrets, lead.workspaceId, { kind: 'email', value: lead.email, reason: 'bounced' }, now)
    // If the address was sold as verified, its price is refunded, once.
    await refundBouncedLead(tx, lead.workspaceId, lead.email, now)
  }
  if (stops) await changeLead(tx, lead, { status: 'bounced', by: 'bounce' }, now)
  if (kind === 'hard') await stopSamePerson(tx, lead, 'bounce', now)
}

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
