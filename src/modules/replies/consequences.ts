import type { Tx } from '../../db/client.ts'
import { storableText } from '../../lib/storable-text.ts'
import { type LeadRow, recordLeadEvent, stopSamePerson } from '../leads/leads.ts'
import { wasAnnounced } from './inbox-queries.ts'

// What follows from a reply, whether the service or a person decided its kind.

const SHOWN_TEXT_CHARS = 2000

/** The beginning of a text, as events show it. */
export const shownText = (text: string): string => storableText(text, SHOWN_TEXT_CHARS)

interface Said {
  sendId: string | null
  step: number | null
  replyId: string
  confidence: number | null
  subject: string | null
  text: string | null
}

/** An interested person gets no message of other campaigns. The interest is announced once for each lead, which must be locked. */
export async function followInterest(tx: Tx, lead: LeadRow, said: Said, now: Date): Promise<void> {
  await stopSamePerson(tx, lead, 'positive_reply', now)
  const { id: leadId, workspaceId, fullName, company, jobTitle } = lead
  if (await wasAnnounced(tx, { workspaceId, leadId, replyId: said.replyId })) return
  recordLeadEvent(tx, 'ai_sdr.positive_reply', lead, { ...said, fullName, company, jobTitle }, now)
}
