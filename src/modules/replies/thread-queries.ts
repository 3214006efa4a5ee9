import { type Db, sql } from '../../db/client.ts'
import type { Page } from '../../lib/page.ts'
import { ATTACHMENTS, type AttachmentRow } from './attachment-queries.ts'
import type { MessageKind } from './schema.ts'

export interface ThreadRow {
  id: string
  direction: 'out' | 'in'
  kind: MessageKind
  status: 'queued' | 'sending' | 'sent' | 'failed' | 'unknown' | null
  holdReason: string | null
  holdUntil: Date | null
  at: Date
  step: number | null
  sendId: string | null
  replyId: string | null
  messageId: string | null
  fromAddress: string | null
  toAddress: string | null
  cc: string[]
  subject: string | null
  text: string | null
  html: string | null
  isCut: boolean
  attachments: AttachmentRow[]
}

// A claimed message has not been sent, and may never be. An answer is shown at once, because a person waits for it.
const SENT = `
  select s.id, 'out' as direction, case when s.step is null then 'answer' else 'step' end as kind,
    case when s.status = 'claimed' then 'queued' else s.status end as status, a.hold_reason as "holdReason", a.hold_until as "holdUntil",
    coalesce(s.sent_at, s.intended_at, s.claimed_at) as at, s.step, s.id as "sendId", a.reply_id as "replyId",
    s.message_id as "messageId", p.from_email as "fromAddress", coalesce(a.to_address, l.email) as "toAddress", '{}'::text[] as cc,
    coalesce(b.subject, s.subject) as subject, b.text, b.html, false as "isCut", '{}'::json[] as attachments
  from sends s
  join leads l on l.id = s.lead_id
  left join sent_bodies b on b.workspace_id = s.workspace_id and b.send_id = s.id
  left join providers p on p.id = s.provider_id
  left join answers a on a.send_id = s.id
  where s.lead_id = $2 and s.workspace_id = $1 and (s.step is null or s.status in ('sending', 'sent', 'failed', 'unknown'))`

const RECEIVED = `
  select m.id, 'in' as direction, m.kind, null as status, null as "holdReason", null as "holdUntil",
      m.received_at as at, s.step, m.send_id as "sendId",
    case when m.kind <> 'bounce' then m.id end as "replyId", m.message_id as "messageId", m.from_address as "fromAddress",
    p.from_email as "toAddress", m.cc, m.subject, coalesce(m.full_text, m.text) as text, m.html, m.is_cut as "isCut",
    ${ATTACHMENTS} as attachments
  from inbound_messages m
  left join sends s on s.id = m.send_id
  left join providers p on p.id = m.provider_id
  where m.lead_id = $2 and m.workspace_id = $1`

const LIST = sql(`
  select *
  from (${SENT}
    union all ${RECEIVED}
  ) as message
  where $3::timestamptz is null or (at, id) > ($3, $4::uuid)
  order by at, id
  limit $5`)

export const listThread = (db: Db, workspaceId: string, leadId: string, page: Page): Promise<ThreadRow[]> =>
  db.many<ThreadRow>(LIST, [workspaceId, leadId, page.after?.at, page.after?.id, page.limit + 1])

const FIND = sql(`
  select *
  from (${SENT} and s.id = $3
    union all ${RECEIVED} and m.id = $3
  ) as message`)

export const findThreadMessage = (db: Db, workspaceId: string, leadId: string, id: string): Promise<ThreadRow | undefined> =>
  db.first<ThreadRow>(FIND, [workspaceId, leadId, id])

const LIST_LINKS = sql(`
  select id, links
  from sends
  where lead_id = $1 and links <> '{}'`)

/** The targets of the tracked links in the messages to a lead, by message. */
export const findLinks = async (db: Db, leadId: string): Promise<Map<string, string[]>> =>
  new Map((await db.many<{ id: string; links: string[] }>(LIST_LINKS, [leadId])).map(row => [row.id, row.links]))
