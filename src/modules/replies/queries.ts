import { type Db, sql, type Tx } from '../../db/client.ts'

export interface MatchedSend {
  sendId: string
  leadId: string
  campaignId: string
  step: number
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

/** The send that the first of these ids belongs to. Ids of others, and forged ones, match nothing. */
export const findSendByMessageIds = (db: Db, workspaceId: string, ids: string[]): Promise<MatchedSend | undefined> =>
  ids.length === 0 ? Promise.resolve(undefined) : db.first<MatchedSend>(FIND_BY_MESSAGE_IDS, [workspaceId, ids])

const FIND_BY_ADDRESS = sql(`
  select ${COLUMNS}
  from leads l
  join sends s on s.lead_id = l.id
  where l.workspace_id = $1 and lower(l.email) = lower($3) and s.provider_id = $2 and s.status in ('sent', 'unknown', 'sending')
  order by s.claimed_at desc
  limit 1`)

/** The latest message that this mailbox has sent to the address. */
export const findSendByAddress = (db: Db, workspaceId: string, mailboxId: string, address: string): Promise<MatchedSend | undefined> =>
  db.first<MatchedSend>(FIND_BY_ADDRESS, [workspaceId, mailboxId, address])

export interface InboundRow {
  id: string
  workspaceId: string
  providerId: string
  dedupeKey: string
  campaignId: string
  leadId: string
  sendId: string
  kind: string
  confidence: number
  fromAddress: string | null
  subject: string
  text: string
  receivedAt: Date
}

const INSERT = sql(`
  insert into inbound_messages (id, workspace_id, provider_id, dedupe_key, campaign_id, lead_id, send_id, kind, confidence,
    from_address, subject, text, received_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
  on conflict (provider_id, dedupe_key) do nothing`)

/** False when it has been received before. */
export async function insertInbound(tx: Tx, row: InboundRow): Promise<boolean> {
  const { id, workspaceId, providerId, dedupeKey, campaignId, leadId, sendId, kind, confidence, fromAddress, subject, text, receivedAt } =
    row
  const values = [
    id,
    workspaceId,
    providerId,
    dedupeKey,
    campaignId,
    leadId,
    sendId,
    kind,
    confidence,
    fromAddress,
    subject,
    text,
    receivedAt,
  ]
  return (await tx.run(INSERT, values)) === 1
}

const SEEN_KINDS = sql(`
  select distinct kind
  from inbound_messages
  where lead_id = $1 and id <> $2`)

/** What has come from the lead besides this message. */
export async function findEarlierKinds(db: Db, leadId: string, exceptId: string): Promise<Set<string>> {
  return new Set((await db.many<{ kind: string }>(SEEN_KINDS, [leadId, exceptId])).map(row => row.kind))
}
