import { type Db, sql, type Tx } from '../../db/client.ts'

export interface MatchedSend {
  sendId: string
  leadId: string
  campaignId: string
  /** Null when it was a person's answer. */
  step: number | null
  status: string
}

const COLUMNS = `s.id as "sendId", s.lead_id as "leadId", s.campaign_id as "campaignId", s.step, s.status`

const FIND_BY_MESSAGE_IDS = sql(`
  select ${COLUMNS}
  from unnest($2::text[]) with ordinality as asked(id, n)
  join sends s on s.message_id = asked.id
  where s.workspace_id = $1 and s.status <> 'queued'
  order by asked.n
  limit 1`)

/** The send with the first of these ids that is ours. Other ids and forged ones match nothing. */
export const findSendByMessageIds = (db: Db, workspaceId: string, ids: string[]): Promise<MatchedSend | undefined> =>
  ids.length === 0 ? Promise.resolve(undefined) : db.first<MatchedSend>(FIND_BY_MESSAGE_IDS, [workspaceId, ids])

const FIND_BY_IDS = sql(`
  select ${COLUMNS}
  from sends s
  where s.workspace_id = $1 and s.id = any($2::uuid[]) and s.status <> 'queued'
  order by s.claimed_at desc`)

export const findSendsByIds = (db: Db, workspaceId: string, ids: string[]): Promise<MatchedSend[]> =>
  ids.length === 0 ? Promise.resolve([]) : db.many<MatchedSend>(FIND_BY_IDS, [workspaceId, ids])

// The second condition is the expression of the index leads_by_plain_email.
const FIND_BY_ADDRESS = sql(`
  select ${COLUMNS}
  from leads l
  join sends s on s.lead_id = l.id
  where l.workspace_id = $1
    and (
      lower(l.email) in ($3, $4)
      or (position('+' in l.email) > 0 and regexp_replace(lower(l.email), '\\+[^@]*@', '@') = $4))
    and s.status in ('sent', 'unknown', 'sending')
  order by lower(l.email) = $3 desc, s.provider_id = $2 desc, s.claimed_at desc
  limit 1`)

/** The latest message to the address or, failing that, to another detail of it; sent from this mailbox, if any was. */
export const findSendByAddress = (
  db: Db,
  workspaceId: string,
  mailboxId: string,
  address: string,
  plainAddress: string,
): Promise<MatchedSend | undefined> =>
  db.first<MatchedSend>(FIND_BY_ADDRESS, [workspaceId, mailboxId, address.toLowerCase(), plainAddress.toLowerCase()])

const FIND_FIRST = sql(`
  select claimed_at as at
  from sends
  where provider_id = $2 and workspace_id = $1
  order by claimed_at
  limit 1`)

/** The time of the mailbox's first message; undefined before that. */
export const findFirstSendAt = async (db: Db, workspaceId: string, mailboxId: string): Promise<Date | undefined> =>
  (await db.first<{ at: Date }>(FIND_FIRST, [workspaceId, mailboxId]))?.at

const LIST_TO_DOMAIN = sql(`
  select ${COLUMNS}, s.subject, l.email
  from sends s
  join leads l on l.id = s.lead_id
  where s.workspace_id = $1 and s.provider_id = $2 and s.domain = $3 and s.claimed_at > $4 and s.status in ('sent', 'unknown', 'sending')
  order by s.claimed_at desc
  limit 200`)

export const listSendsToDomain = (
  db: Db,
  workspaceId: string,
  mailboxId: string,
  domain: string,
  since: Date,
): Promise<(MatchedSend & { subject: string | null; email: string })[]> => db.many(LIST_TO_DOMAIN, [workspaceId, mailboxId, domain, since])

const IS_OWN_MAILBOX = sql(`
  select from providers
  where workspace_id = $1 and lower(from_email) = lower($2)
  limit 1`)

export const isOwnMailbox = async (db: Db, workspaceId: string, address: string): Promise<boolean> =>
  (await db.first(IS_OWN_MAILBOX, [workspaceId, address])) !== undefined

interface InboundRow {
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
  replyTo: string | null
  cc: string[]
  subject: string
  text: string
  receivedAt: Date
  messageId: string | null
  referenceIds: string[]
  fullText: string
  html: string | null
  isCut: boolean
  referralEmail: string | null
  referralName: string | null
  deferredUntil: string | null
}

// The mailbox that received it is not another recipient, even if it is in `Cc`.
const INSERT = sql(`
  insert into inbound_messages (id, workspace_id, provider_id, dedupe_key, campaign_id, lead_id, send_id, kind, confidence, needs_look,
    from_address, subject, text, received_at, message_id, reference_ids, full_text, html, is_cut,
    referral_email, referral_name, deferred_until, reply_to, cc)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23,
    array(
      select each.address
      from unnest($24::text[]) with ordinality as each(address, nth)
      where lower(each.address) not in (select lower(from_email) from providers where id = $3)
      order by nth))
  on conflict (workspace_id, dedupe_key) do nothing`)

/** False when it has been received before, in this mailbox or in another one of the workspace. */
export async function insertInbound(tx: Tx, row: InboundRow): Promise<boolean> {
  const inserted = await tx.run(INSERT, [
    ...[row.id, row.workspaceId, row.providerId, row.dedupeKey, row.campaignId, row.leadId, row.sendId],
    ...[row.kind, row.confidence, row.needsLook, row.fromAddress, row.subject, row.text, row.receivedAt],
    ...[row.messageId, row.referenceIds, row.fullText, row.html, row.isCut],
    ...[row.referralEmail, row.referralName, row.deferredUntil, row.replyTo, row.cc],
  ])
  return inserted === 1
}

const SEEN_KINDS = sql(`
  select distinct kind
  from inbound_messages
  where lead_id = $1 and id <> $2`)

/** The other replies of the lead. */
export const findEarlierKinds = async (db: Db, leadId: string, exceptId: string): Promise<Set<string>> =>
  new Set((await db.many<{ kind: string }>(SEEN_KINDS, [leadId, exceptId])).map(row => row.kind))
