import type { Tx } from '../../db/client.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import { storableText } from '../../lib/storable-text.ts'
import { refundBouncedLead } from '../credits/credits.ts'
import { changeLead, type LeadRow, recordLeadEvent, stopSamePerson } from '../leads/leads.ts'
import { countBounce, isOpen } from '../leads/progress.ts'
import type { LeadStatus } from '../leads/schema.ts'
import { suppress } from '../suppressions/suppressions.ts'

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
