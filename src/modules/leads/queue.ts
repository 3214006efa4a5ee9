import type { Tx } from '../../db/client.ts'
import { newId } from '../../lib/ids.ts'
import { changeLead, recordLeadEvent } from './leads.ts'
import { lockLead } from './queries.ts'
import { type Hold, insertHolds, type Progress, type ProgressingLead, takeCompleted, updateProgress } from './queue-queries.ts'
import { type LeadStatus, OPEN_STATUSES } from './schema.ts'

// The progress of leads through their sequences: code that sends, reads replies or counts visits reports it here.

/** The lead may still get messages. */
export const isOpen = (status: LeadStatus): boolean => (OPEN_STATUSES as readonly LeadStatus[]).includes(status)

/** Stores why these leads get no message now, and the time of the next check. */
export async function holdLeads(tx: Tx, holds: Hold[], now: Date): Promise<void> {
  if (holds.length === 0) return
  await insertHolds(
    tx,
    holds.map(hold => ({ ...hold, id: newId(now.getTime()) })),
    now,
  )
}

/** Skips a lead: it gets no message until something changes. */
export async function skipLead(tx: Tx, hold: Hold, now: Date): Promise<void> {
  const lead = await lockLead(tx, hold.workspaceId, hold.campaignId, hold.leadId)
  if (!lead) return
  await holdLeads(tx, [{ ...hold, dueAt: null }], now)
  if (isOpen(lead.status)) await changeLead(tx, lead, { status: 'skipped', by: hold.reason }, now)
}

/** Records that a message has left for each of these leads. They must be locked; each `lead` is its state before the message. */
export async function advanceLeads(tx: Tx, advanced: { lead: ProgressingLead; progress: Progress }[], now: Date): Promise<void> {
  if (advanced.length === 0) return
  await updateProgress(
    tx,
    advanced.map(({ progress }) => progress),
    now,
  )
  for (const { lead } of advanced) if (lead.status === 'not_yet_contacted') announceContacted(tx, lead, now)
}

/** The update that notes the first message changes the status, too. */
function announceContacted(tx: Tx, lead: ProgressingLead, now: Date): void {
  const first = !lead.reached.includes('contacted')
  const data = { from: 'not_yet_contacted', to: 'contacted', first, firstProspect: false, by: 'sender' }
  recordLeadEvent(tx, 'lead.status_changed', lead, data, now)
}

/** Completes leads that got all messages and whose time to answer is over. Returns how many were checked. */
export async function completeLeads(tx: Tx, now: Date, limit: number): Promise<number> {
  const due = await takeCompleted(tx, now, limit)
  for (const { id, workspaceId, campaignId } of due) {
    const lead = await lockLead(tx, workspaceId, campaignId, id)
    if (lead?.status === 'contacted') await changeLead(tx, lead, { status: 'sequence_completed', by: 'sender' }, now)
  }
  return due.length
}
