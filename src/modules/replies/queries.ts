import { newestFirst } from '../../db/filtered.ts'
import { columnsOf, mentions, oldest } from '../../db/fragments.ts'
import { sql } from '../../db/sql.ts'
import type { Page } from '../../lib/page.ts'
import { listsOf, valuesOf } from '../../lib/pick.ts'
import type { Person } from '../../lib/scrub.ts'
import type { Static } from '../../lib/type.ts'
import { ACTOR } from '../operations/queries.ts'
import { type ActorRow, actorOf } from '../tokens/queries.ts'
import type { Attachment, ListedKind, ThreadMessage, UnreadMessage } from './schema.ts'

export interface MatchedSend {
  sendId: string
  leadId: string
  campaignId: string
  /** Null when it was a person's answer. */
  step: number | null
  status: string
}

const COLUMNS = `s.id as "sendId", s.lead_id as "leadId", s.campaign_id as "campaignId", s.step, s.status`

/** The send with the first of these ids that is ours. Other ids and forged ones match nothing. */
export const findSendByMessageIds = sql(`
  select ${COLUMNS}
  from unnest($2::text[]) with ordinality as asked(id, n)
  join sends s on s.message_id = asked.id
  where s.workspace_id = $1 and s.status <> 'queued'
  order by asked.n
  limit 1`).first<MatchedSend, [workspaceId: string, ids: string[]]>()

export const findSendsByIds = sql(`
  select ${COLUMNS}
  from sends s
  where s.workspace_id = $1 and s.id = any($2::uuid[]) and s.status <> 'queued'
  order by s.claimed_at desc`).many<MatchedSend, [workspaceId: string, ids: string[]]>()

// The second condition is the expression of the index leads_by_plain_email.
/** The latest message to the address or, failing that, to another detail of it; sent from this mailbox, if any was. */
export const findSendByAddress = sql(`
  select ${COLUMNS}
  from leads l
  join sends s on s.lead_id = l.id
  where l.workspace_id = $1
    and (
      lower(l.email) in ($3, $4)
      or (position('+' in l.email) > 0 and regexp_replace(lower(l.email), '\\+[^@]*@', '@') = $4))
    and s.status in ('sent', 'unknown', 'sending')
  order by lower(l.email) = $3 desc, s.provider_id = $2 desc, s.claimed_at desc
  limit 1`).first<MatchedSend, [workspaceId: string, mailboxId: string, address: string, plainAddress: string]>(
  (workspaceId, mailboxId, address, plainAddress) => [workspaceId, mailboxId, address.toLowerCase(), plainAddress.toLowerCase()],
)

/** The time of the mailbox's first message; undefined before that. */
export const findFirstSendAt = sql(`
  select claimed_at as at
  from sends
  where provider_id = $2 and workspace_id = $1
  order by claimed_at
  limit 1`).value<Date | undefined, [workspaceId: string, mailboxId: string]>()

export const listSendsToDomain = sql(`
  select ${COLUMNS}, s.subject, l.email
  from sends s
  join leads l on l.id = s.lead_id
  where s.workspace_id = $1 and s.provider_id = $2 and s.domain = $3 and s.claimed_at > $4 and s.status in ('sent', 'unknown', 'sending')
  order by s.claimed_at desc
  limit 200`).many<
  MatchedSend & { subject: string | null; email: string },
  [workspaceId: string, mailboxId: string, domain: string, since: Date]
>()

export const isOwnMailbox = sql(`
  select from providers
  where workspace_id = $1 and lower(from_email) = lower($2)
  limit 1`).any<[workspaceId: string, address: string]>()

export interface InboundRow {
  messageId: string | null
  referenceIds: string[]
  replyTo: string | null
  cc: string[]
  subject: string
  text: string
  fullText: string
  isCut: boolean
  id: string
  workspaceId: string
  providerId: string
  dedupeKey: string
  campaignId: string
  leadId: string
  sendId: string
  kind: string
  confidence: number
  needsLook: boolean
  fromAddress: string | null
  receivedAt: Date
  html: string | null
  referralEmail: string | null
  referralName: string | null
  deferredUntil: string | null
}

// The mailbox that received it is not another recipient, even if it is in `Cc`.
/** False when it has been received before, in this mailbox or in another one of the workspace. */
export const insertInbound = sql(`
  insert into inbound_messages (id, workspace_id, provider_id, dedupe_key, campaign_id, lead_id, send_id, kind, confidence, needs_look,
    from_address, subject, text, received_at, message_id, reference_ids, full_text, html, is_cut,
    referral_email, referral_name, deferred_until, reply_to, cc)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23,
    array(
      select each.address
      from unnest($24::text[]) with ordinality as each(address, nth)
      where lower(each.address) not in (select lower(from_email) from providers where id = $3)
      order by nth))
  on conflict (workspace_id, dedupe_key) do nothing`).any((row: InboundRow) => [
  ...valuesOf(row, 'id', 'workspaceId', 'providerId', 'dedupeKey', 'campaignId', 'leadId', 'sendId', 'kind', 'confidence', 'needsLook'),
  ...valuesOf(row, 'fromAddress', 'subject', 'text', 'receivedAt', 'messageId', 'referenceIds', 'fullText', 'html', 'isCut'),
  ...valuesOf(row, 'referralEmail', 'referralName', 'deferredUntil', 'replyTo', 'cc'),
])

/** The other replies of the lead. */
export const findEarlierKinds = sql(`
  select distinct kind
  from inbound_messages
  where lead_id = $1 and id <> $2`).set<string, [leadId: string, exceptId: string]>()

export type AttachmentRow = Omit<Static<typeof Attachment>, 'links'>

interface NewAttachment extends Omit<AttachmentRow, 'isKept'> {
  content: Uint8Array | null
}

export const insertAttachments = sql(`
  insert into inbound_attachments (id, workspace_id, message_id, position, filename, content_type, size_bytes, content)
  select r.id, $1, $2, r.n, r.filename, r.type, r.size, r.content
  from unnest($3::uuid[], $4::text[], $5::text[], $6::int[], $7::bytea[]) with ordinality as r(id, filename, type, size, content, n)`).run(
  (workspaceId: string, messageId: string, attachments: NewAttachment[]) => [
    ...[workspaceId, messageId],
    ...listsOf(attachments, 'id', 'filename', 'contentType', 'sizeBytes'),
    attachments.map(each => each.content && Buffer.from(each.content)),
  ],
)

/** The attachments of the message `m` as JSON, in their order. */
export const ATTACHMENTS = `array(
    select json_build_object('id', a.id, 'filename', a.filename, 'contentType', a.content_type, 'sizeBytes', a.size_bytes,
      'isKept', a.content is not null)
    from inbound_attachments a
    where a.message_id = m.id
    order by a.position)`

export const findAttachment = sql(`
  select filename, content
  from inbound_attachments
  where workspace_id = $1 and message_id = $2 and id = $3`).first<
  { filename: string; content: Buffer | null },
  [ids: { workspaceId: string; replyId: string; attachmentId: string }]
>(ids => valuesOf(ids, 'workspaceId', 'replyId', 'attachmentId'))

export const deleteAttachments = sql(`
  delete from inbound_attachments
  where workspace_id = $1 and message_id = any($2::uuid[])`).run<[workspaceId: string, messageIds: string[]]>()

/** The messages that have an attachment with the address in its name or text, also in UTF-16. Archives and images cannot be searched. */
export const deleteMentioning = sql(`
  delete from inbound_attachments
  where workspace_id = $1
    and message_id = any($2::uuid[])
    and (
      ${mentions('filename', '$3')}
      or ${mentions('content_type', '$3')}
      or ${mentions("replace(encode(content, 'escape'), '\\000', '')", '$3')})`).run<
  [workspaceId: string, messageIds: string[], address: string]
>()

export interface ThreadRow extends Omit<Static<typeof ThreadMessage>, 'hold' | 'at' | 'from' | 'to' | 'author' | 'attachments' | 'links'> {
  attachments: AttachmentRow[]
  holdReason: string | null
  holdUntil: Date | null
  at: Date
  fromAddress: string | null
  toAddress: string | null
  /** The user or the key that wrote an answer. */
  author: ActorRow | null
}

// A claimed message has not been sent, and may never be. An answer is shown at once, because a person waits for it.
const SENT = `
  select s.id, 'out' as direction, case when s.step is null then 'answer' else 'step' end as kind,
    case when s.status = 'claimed' then 'queued' else s.status end as status, a.hold_reason as "holdReason", a.hold_until as "holdUntil",
    coalesce(s.sent_at, s.intended_at, s.claimed_at) as at, s.step, s.id as "sendId", a.reply_id as "replyId",
    s.message_id as "messageId", p.from_email as "fromAddress", coalesce(a.to_address, l.email) as "toAddress", ${ACTOR} as author,
    '{}'::text[] as cc, coalesce(b.subject, s.subject) as subject, b.text, b.html, false as "isCut", '{}'::json[] as attachments
  from sends s
  join leads l on l.id = s.lead_id
  left join sent_bodies b on b.workspace_id = s.workspace_id and b.send_id = s.id
  left join providers p on p.id = s.provider_id
  left join answers a on a.send_id = s.id
  left join operations on operations.id = a.operation_id
  where s.lead_id = $2 and s.workspace_id = $1 and (s.step is null or s.status in ('sending', 'sent', 'failed', 'unknown'))`

const RECEIVED = `
  select m.id, 'in' as direction, m.kind, null as status, null as "holdReason", null as "holdUntil",
      m.received_at as at, s.step, m.send_id as "sendId",
    case when m.kind <> 'bounce' then m.id end as "replyId", m.message_id as "messageId", m.from_address as "fromAddress",
    p.from_email as "toAddress", null::jsonb as author, m.cc, m.subject, coalesce(m.full_text, m.text) as text, m.html, m.is_cut as "isCut",
    ${ATTACHMENTS} as attachments
  from inbound_messages m
  left join sends s on s.id = m.send_id
  left join providers p on p.id = m.provider_id
  where m.lead_id = $2 and m.workspace_id = $1`

/** `bytes`: of the texts up to this message. The rows end with the first message that exceeds the limit. */
export const listThread = sql(`
  select *
  from (
    select *, sum(size) over (order by at, id)::int as bytes
    from (
      select *, coalesce(octet_length(text), 0) + coalesce(octet_length(html), 0) as size
      from (${SENT}
        union all ${RECEIVED}
      ) as message
      where $3::timestamptz is null or (at, id) > ($3, $4::uuid)
      order by at, id
      limit $5
    ) as page
  ) as summed
  where bytes - size <= $6
  order by at, id`).many<ThreadRow & { bytes: number }, [workspaceId: string, leadId: string, page: Page, mostBytes: number]>(
  (workspaceId, leadId, page, mostBytes) => [workspaceId, leadId, page.after?.at, page.after?.id, page.limit + 1, mostBytes],
)

export const findThreadMessage = sql(`
  select *
  from (${SENT} and s.id = $3
    union all ${RECEIVED} and m.id = $3
  ) as message`).first<ThreadRow, [workspaceId: string, leadId: string, id: string]>()

/** The targets of the tracked links in the messages to a lead, by message. */
export const findLinks = sql(`
  select id, links
  from sends
  where lead_id = $1 and links <> '{}'`).map<string, string[], [leadId: string]>()

export interface AnswerableReply
  extends Pick<InboundRow, 'kind' | 'fromAddress' | 'replyTo' | 'messageId' | 'referenceIds' | 'receivedAt'> {
  campaignId: string | null
  leadId: string | null
  subject: string | null
  /** The message that the reply answers, and its mailbox; null when one of them no longer exists. */
  sentMessageId: string | null
  providerId: string | null
  fromEmail: string | null
  optedOutSince: boolean
}

export const findAnswerable = sql(`
  select m.campaign_id as "campaignId", m.lead_id as "leadId", m.kind, m.from_address as "fromAddress", m.reply_to as "replyTo", m.subject,
    m.message_id as "messageId", m.reference_ids as "referenceIds", m.received_at as "receivedAt", s.message_id as "sentMessageId",
    p.id as "providerId", p.from_email as "fromEmail", exists (
      select from inbound_messages later
      where later.lead_id = m.lead_id and later.kind = 'opt_out' and later.received_at >= m.received_at) as "optedOutSince"
  from inbound_messages m
  left join sends s on s.id = m.send_id
  left join providers p on p.id = s.provider_id and p.workspace_id = m.workspace_id
  where m.workspace_id = $1 and m.id = $2 and m.kind <> 'bounce'`).first<AnswerableReply, [workspaceId: string, replyId: string]>()

export interface EarlierAnswer {
  author: ActorRow | null
  at: Date
}

// Found by the lead, because its messages have an index and the answers to a reply have none.
/** The latest answer to the reply, sent or on its way. */
export const findEarlierAnswer = sql(`
  select ${ACTOR} as author, a.created_at as at
  from sends s
  join answers a on a.send_id = s.id
  left join operations on operations.id = a.operation_id
  where s.workspace_id = $1 and s.lead_id = $2 and s.step is null and s.status <> 'failed' and a.reply_id = $3
  order by a.created_at desc
  limit 1`).first<EarlierAnswer, [workspaceId: string, leadId: string, replyId: string]>()

interface CorrectionRow {
  id: string
  kind: ListedKind
  judgedKind: ListedKind
  confidence: number | null
  subject: string
  text: string
  receivedAt: Date
}

/** The corrections of replies, in one workspace or, for the operator, in all. Their authors are left out. */
export const readCorrections = sql(`
  select id, kind, coalesce(judged_kind, kind) as "judgedKind", confidence, subject, text, received_at as "receivedAt"
  from inbound_messages
  where corrected_at is not null
    and subject is not null
    and text is not null
    and ($1::uuid is null or workspace_id = $1)
    and ($2::uuid is null or id > $2)
  order by id
  limit $3`).many<CorrectionRow, [workspaceId: string | null, after: string | null, limit: number]>()

export interface UnreadRow extends Omit<Static<typeof UnreadMessage>, 'receivedAt' | 'createdAt' | 'links'> {
  workspaceId: string
  digest: Buffer
  receivedAt: Date
  createdAt: Date
}

export const insertUnread = sql(`
  insert into unread_messages (
    id, workspace_id, provider_id, folder, uid_validity, uid, message_id, digest, reason, detail, received_at,
    created_at
  )
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
  on conflict (provider_id, digest) do nothing`).run((row: UnreadRow) => [
  ...valuesOf(row, 'id', 'workspaceId', 'providerId', 'folder', 'uidValidity', 'uid', 'messageId', 'digest', 'reason', 'detail'),
  ...valuesOf(row, 'receivedAt', 'createdAt'),
])

/** The fingerprints, in hex, of these messages of a mailbox that were already listed as unreadable. */
export const findUnreadDigests = sql(`
  select encode(digest, 'hex')
  from unread_messages
  where provider_id = $1 and digest = any($2::bytea[])`).set<string, [providerId: string, digests: Buffer[]]>()

const COLUMNS_UNREAD = columnsOf(
  `id, workspace_id, provider_id, folder, uid_validity, uid, message_id, digest, reason, detail, received_at, created_at`,
)

export const findUnread = sql(`
  select ${COLUMNS_UNREAD}
  from unread_messages
  where workspace_id = $1
    and provider_id = $2
    and id = $3`).first<UnreadRow, [workspaceId: string, providerId: string, id: string]>()

export const listUnread = newestFirst<UnreadRow, [workspaceId: string, providerId: string]>(`
  select ${COLUMNS_UNREAD}
  from unread_messages
  where workspace_id = $1
    and provider_id = $2`)

// The row is kept, so that the same message is not recorded twice, variants can be compared, and it can still be answered.
/** Deletes the texts and attachments of received messages, and the recipients of copies. */
export const forgetReplyTexts = sql(`
  with old as materialized (
    select id
    from inbound_messages
    where received_at < $1
      and not is_emptied
    order by received_at
    limit $2
    for update skip locked
  ), attached as (
    delete from inbound_attachments
    where message_id in (select id from old)
  )
  update inbound_messages
  set text = null, full_text = null, html = null, cc = '{}', is_emptied = true
  where id in (select id from old)`).run<[before: Date, limit: number]>()

/** Messages that were set aside because they could not be read. */
export const forgetUnread = sql(`
  delete from unread_messages
  where id in (${oldest('unread_messages', 'created_at')})`).run<[before: Date, limit: number]>()

// The row is kept, because the counts of the variants use it.
/** Returns the ids of the rows that had personal data. */
export const bareInbound = sql(`
  update inbound_messages
  set from_address = null, subject = null, text = null, full_text = null, html = null, message_id = null, reference_ids = '{}',
    reply_to = null, cc = '{}', referral_email = null, referral_name = null, dedupe_key = 'erased:' || id
  where workspace_id = $1 and (lead_id = any($2::uuid[]) or id = any($3::uuid[]))
    and (from_address is not null or subject is not null or text is not null)
  returning id`).column<string, [workspaceId: string, which: { leadIds: string[]; ids: string[] }]>((workspaceId, which) => [
  workspaceId,
  which.leadIds,
  which.ids,
])

interface StoredInbound extends Pick<ThreadRow, 'id' | 'sendId' | 'fromAddress' | 'subject' | 'text' | 'html'> {
  found: boolean
  leadId: string | null
  fullText: string | null
  hasAttachments: boolean
}

/** All columns of a row that may contain an address. */
const TEXTS = `concat_ws(' ', from_address, reply_to, subject, text, full_text, html, dedupe_key, message_id, referral_email, referral_name,
  array_to_string(reference_ids || cc, ' '))`

/** A page of all received messages, with the texts of those that contain the address. */
export const readInboundPage = sql(`
  select id, found, lead_id as "leadId", send_id as "sendId", case when found then from_address end as "fromAddress",
    case when found then subject end as subject, case when found then text end as text, case when found then full_text end as "fullText",
    case when found then html end as html, exists (select from inbound_attachments a where a.message_id = page.id) as "hasAttachments"
  from (
    select *, ${mentions(TEXTS, '$4')} as found
    from inbound_messages
    where workspace_id = $1 and ($2::uuid is null or id > $2)
    order by id
    limit $3
  ) as page
  order by id`).many<StoredInbound, [workspaceId: string, after: string | null, limit: number, address: string]>()

type Texts = Pick<StoredInbound, 'subject' | 'text' | 'fullText' | 'html'>

/** Ids of messages may hold the address within a longer one; names and addresses of other people must not be taken for it. */
export const updateTexts = sql(`
  update inbound_messages
  set subject = $2, text = $3, full_text = $5, html = $6,
    dedupe_key = case when ${mentions('dedupe_key', '$4')} then 'erased:' || id else dedupe_key end,
    message_id = case when ${mentions('message_id', '$4')} then null else message_id end,
    from_address = case when ${mentions('from_address', '$7')} then null else from_address end,
    reply_to = case when ${mentions('reply_to', '$7')} then null else reply_to end,
    referral_email = case when ${mentions('referral_email', '$7')} then null else referral_email end,
    referral_name = case when ${mentions("concat_ws(' ', referral_email, referral_name)", '$7')} then null else referral_name end,
    reference_ids = array(select each from unnest(reference_ids) as each where not ${mentions('each', '$4')}),
    cc = array(select each from unnest(cc) as each where not ${mentions('each', '$7')})
  where id = $1`).run((id: string, texts: Texts, person: Pick<Person, 'pattern' | 'exactPattern'>) => {
  const { subject, text, fullText, html } = texts
  const { pattern, exactPattern } = person
  return [id, subject, text, pattern, fullText, html, exactPattern]
})

/** For a message that was never read, only its Message-ID may contain data of the person. */
export const eraseUnread = sql(`
  update unread_messages
  set message_id = null
  where workspace_id = $1
    and ${mentions('message_id', '$2')}`).run<[workspaceId: string, address: string]>()

/** The mailbox that received a reply, which sends the answer. */
export const findAnsweringMailbox = sql(`
  select provider_id as id
  from inbound_messages
  where workspace_id = $1 and id = $2`).value<string | undefined, [workspaceId: string, replyId: string]>()

/** The person or the key of a token. */
export const findComposer = sql(`
  select ${actorOf('$1')} as actor`).value<ActorRow | null, [tokenId: string]>()
