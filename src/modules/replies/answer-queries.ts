import { type Db, sql } from '../../db/client.ts'

/** The data of a reply that an answer needs. */
export interface AnswerableReply {
  campaignId: string | null
  leadId: string | null
  kind: string
  fromAddress: string | null
  replyTo: string | null
  subject: string | null
  messageId: string | null
  referenceIds: string[]
  receivedAt: Date
  /** The message that the reply answers, and its mailbox; null when one of them no longer exists. */
  sentMessageId: string | null
  providerId: string | null
  fromEmail: string | null
  /** The lead has opted out since the reply. */
  optedOutSince: boolean
}

const FIND = sql(`
  select m.campaign_id as "campaignId", m.lead_id as "leadId", m.kind, m.from_address as "fromAddress", m.reply_to as "replyTo", m.subject,
    m.message_id as "messageId", m.reference_ids as "referenceIds", m.received_at as "receivedAt", s.message_id as "sentMessageId",
    p.id as "providerId", p.from_email as "fromEmail", exists (
      select from inbound_messages later
      where later.lead_id = m.lead_id and later.kind = 'opt_out' and later.received_at >= m.received_at) as "optedOutSince"
  from inbound_messages m
  left join sends s on s.id = m.send_id
  left join providers p on p.id = s.provider_id and p.workspace_id = m.workspace_id
  where m.workspace_id = $1 and m.id = $2 and m.kind <> 'bounce'`)

export const findAnswerable = (db: Db, workspaceId: string, replyId: string): Promise<AnswerableReply | undefined> =>
  db.first<AnswerableReply>(FIND, [workspaceId, replyId])
