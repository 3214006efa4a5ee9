import { type Db, sql, type Tx } from '../../db/client.ts'
import type { Page, Position } from '../../lib/page.ts'

// Every place where a person can be. Texts are looked through in pages that a statement is done with in time; an address
// is plain ASCII without quotes, so it stands in the text of a JSON document as it is.

const MENTIONS = (text: string, address: string): string => `position(${address} in lower(${text})) > 0`

// ---- where to look ----

const LIST_WORKSPACES = sql('select id from workspaces order by id')
const LIST_CAMPAIGNS = sql('select id from campaigns where workspace_id = $1 order by id')
const LIST_MAILBOXES = sql('select id from providers where workspace_id = $1 order by id')

const ids = async (db: Db, statement: ReturnType<typeof sql>, values: unknown[] = []): Promise<string[]> =>
  (await db.many<{ id: string }>(statement, values)).map(row => row.id)

export const listWorkspaceIds = (db: Db): Promise<string[]> => ids(db, LIST_WORKSPACES)
export const listCampaignIds = (db: Db, workspaceId: string): Promise<string[]> => ids(db, LIST_CAMPAIGNS, [workspaceId])
export const listMailboxIds = (db: Db, workspaceId: string): Promise<string[]> => ids(db, LIST_MAILBOXES, [workspaceId])

// ---- leads ----

const FIND_LEAD = sql('select id from leads where campaign_id = $1 and lower(email) = $2')

export const findLeadOf = async (db: Db, campaignId: string, address: string): Promise<string | undefined> =>
  (await db.first<{ id: string }>(FIND_LEAD, [campaignId, address]))?.id

const LIST_RECIPIENTS = sql('select distinct lead_id as id from sends where campaign_id = $1 and email_hash = $2')

/** The leads that messages to this address were for, whether they are still there or not. */
export const listRecipientsOf = (db: Db, campaignId: string, emailHash: Buffer): Promise<string[]> =>
  ids(db, LIST_RECIPIENTS, [campaignId, emailHash])

const FIND_VARIABLES = sql(`select id, variables from leads where campaign_id = $1 and ${MENTIONS('variables::text', '$2')}`)

export const findVariables = (db: Db, campaignId: string, address: string): Promise<{ id: string; variables: Record<string, string> }[]> =>
  db.many(FIND_VARIABLES, [campaignId, address])

const UPDATE_VARIABLES = sql('update leads set variables = $2 where id = $1')

export const updateVariables = (tx: Tx, id: string, variables: Record<string, string>): Promise<number> =>
  tx.run(UPDATE_VARIABLES, [id, JSON.stringify(variables)])

const ERASE_DECISIONS = sql('delete from decisions where workspace_id = $1 and lead_id = any($2::uuid[])')

export const eraseDecisions = (tx: Tx, workspaceId: string, leadIds: string[]): Promise<number> =>
  tx.run(ERASE_DECISIONS, [workspaceId, leadIds])

// The hash stays, so that nobody is charged for the same person twice; the number leads to the directory, and goes.
const SEVER_PURCHASES = sql('update workspace_people set person_id = 0 where workspace_id = $1 and email_hash = $2')

export const severPurchases = (tx: Tx, workspaceId: string, emailHash: Buffer): Promise<number> =>
  tx.run(SEVER_PURCHASES, [workspaceId, emailHash])

// ---- the event log ----

const LAST_SEQ = sql('select seq from event_streams where workspace_id = $1')

export const findLastSeq = async (db: Db, workspaceId: string): Promise<number> =>
  (await db.first<{ seq: number }>(LAST_SEQ, [workspaceId]))?.seq ?? 0

const FIND_EVENTS = sql(`
  select seq, lead_id as "leadId", data from events
  where workspace_id = $1 and seq > $2 and seq <= $3 and ${MENTIONS('data::text', '$4')} order by seq`)

/** Events that have the address anywhere, also as a part of a longer one. */
export const findEventMentions = (
  db: Db,
  workspaceId: string,
  after: number,
  upTo: number,
  address: string,
): Promise<{ seq: number; leadId: string | null; data: Record<string, unknown> }[]> =>
  db.many(FIND_EVENTS, [workspaceId, after, upTo, address])

export interface LoggedData {
  seq: number
  data: unknown
}

const UPDATE_EVENTS = sql(`
  update events e set data = r.data from jsonb_to_recordset($2::jsonb) as r(seq bigint, data jsonb)
  where e.workspace_id = $1 and e.seq = r.seq and e.data <> r.data`)

export const updateEvents = (tx: Tx, workspaceId: string, events: LoggedData[]): Promise<number> =>
  tx.run(UPDATE_EVENTS, [workspaceId, JSON.stringify(events)])

const ERASE_EVENTS = sql(`
  update events e set data = bare.data
  from (
    select seq, (
      select coalesce(jsonb_object_agg(key, case when key = any($4::text[]) then value else 'null' end), '{}') from jsonb_each(data)) as data
    from events
    where workspace_id = $1 and lead_id = any($2::uuid[])
      and ($3::text[] is null or (data->>'sendId' = any($3) and type in ('email.replied', 'email.auto_replied', 'ai_sdr.positive_reply')))
  ) as bare
  where e.workspace_id = $1 and e.seq = bare.seq and e.data <> bare.data`)

/** Of all events of these leads, or of the replies to these messages, only the named fields keep their values. */
export const eraseEvents = (
  tx: Tx,
  workspaceId: string,
  which: { leadIds: string[]; repliesTo?: string[] },
  keptFields: readonly string[],
): Promise<number> => tx.run(ERASE_EVENTS, [workspaceId, which.leadIds, which.repliesTo ?? null, keptFields])

// ---- messages out ----

export interface ErasedSend {
  id: string
  messageId: string
  isChanged: boolean
}

// What has been claimed is taken back by its worker, who cannot declare it as leaving without its lead; what is leaving
// is recorded by whoever sends it, who will find the lead gone.
const ERASE_SENDS = sql(`
  with theirs as materialized (
    select id, message_id, subject is not null or response is not null or links <> '{}' or domain <> '' or email_hash is null
      as is_changed
    from sends where lead_id = any($2::uuid[]) and workspace_id = $1 order by id for no key update
  ), bare as (
    update sends s set subject = null, response = null, links = '{}', domain = '', email_hash = $3
    from theirs where s.id = theirs.id and theirs.is_changed
  )
  select id, message_id as "messageId", is_changed as "isChanged" from theirs`)

export const eraseSends = (tx: Tx, workspaceId: string, leadIds: string[], emailHash: Buffer): Promise<ErasedSend[]> =>
  tx.many<ErasedSend>(ERASE_SENDS, [workspaceId, leadIds, emailHash])

const ERASE_REACTIONS = sql('delete from sandbox_reactions where send_id = any($1::uuid[])')

export const eraseReactions = (tx: Tx, sendIds: string[]): Promise<number> => tx.run(ERASE_REACTIONS, [sendIds])

const ERASE_SANDBOX = sql(`
  with page as materialized (
    select id, created_at, lead_id, from_address, to_address, subject, text, html, raw from sandbox_messages
    where provider_id = $1 and ($2::timestamptz is null or (created_at, id) < ($2, $3::uuid))
    order by created_at desc, id desc limit $4
  ), gone as (
    delete from sandbox_messages where id in (
      select id from page
      where lead_id = any($5::uuid[]) or ${MENTIONS("concat_ws(' ', from_address, to_address, subject, text, html, raw)", '$7')}
        or exists (select from unnest($6::text[]) as named(id) where position(named.id in raw) > 0))
  )
  select created_at as at, id from page order by created_at, id limit 1`)

/** Deletes what a page of the sandbox has about the person, and says where the next page begins. */
export const eraseSandboxPage = (
  tx: Tx,
  mailboxId: string,
  page: Page,
  person: { leadIds: string[]; messageIds: string[]; address: string },
): Promise<Position | undefined> =>
  tx.first<Position>(ERASE_SANDBOX, [
    mailboxId,
    page.after?.at,
    page.after?.id,
    page.limit,
    person.leadIds,
    person.messageIds,
    person.address,
  ])

// ---- messages in ----

// The row stays, because the counts of the variants are made of it.
const ERASE_INBOUND = sql(`
  update inbound_messages set from_address = null, subject = null, text = null, dedupe_key = 'erased:' || id
  where workspace_id = $1 and (lead_id = any($2::uuid[]) or id = any($3::uuid[]))
    and (from_address is not null or subject is not null or text is not null)`)

export const eraseInbound = (tx: Tx, workspaceId: string, which: { leadIds: string[]; ids: string[] }): Promise<number> =>
  tx.run(ERASE_INBOUND, [workspaceId, which.leadIds, which.ids])

export interface StoredInbound {
  id: string
  found: boolean
  leadId: string | null
  sendId: string | null
  fromAddress: string | null
  subject: string | null
  text: string | null
}

const READ_INBOUND = sql(`
  select id, found, lead_id as "leadId", send_id as "sendId", case when found then from_address end as "fromAddress",
    case when found then subject end as subject, case when found then text end as text
  from (
    select *, ${MENTIONS("concat_ws(' ', from_address, subject, text, dedupe_key)", '$4')} as found from inbound_messages
    where workspace_id = $1 and ($2::uuid is null or id > $2) order by id limit $3) as page
  order by id`)

export const readInboundPage = (
  db: Db,
  workspaceId: string,
  after: string | null,
  limit: number,
  address: string,
): Promise<StoredInbound[]> => db.many<StoredInbound>(READ_INBOUND, [workspaceId, after, limit, address])

const UPDATE_INBOUND = sql(`
  update inbound_messages set subject = $2, text = $3,
    dedupe_key = case when ${MENTIONS('dedupe_key', '$4')} then 'erased:' || id else dedupe_key end
  where id = $1`)

export const updateInbound = (
  tx: Tx,
  id: string,
  texts: { subject: string | null; text: string | null },
  address: string,
): Promise<number> => tx.run(UPDATE_INBOUND, [id, texts.subject, texts.text, address])

// ---- operations ----

const READ_OPERATIONS = sql(`
  select id, created_at as "createdAt", ${MENTIONS("concat_ws(' ', input::text, result::text, error::text, idempotency_key)", '$5')} as found
  from (
    select * from operations where workspace_id = $1 and ($2::timestamptz is null or (created_at, id) < ($2, $3::uuid))
    order by created_at desc, id desc limit $4) as page
  order by created_at desc, id desc`)

export const readOperationPage = (
  db: Db,
  workspaceId: string,
  page: Page,
  address: string,
): Promise<{ id: string; createdAt: Date; found: boolean }[]> =>
  db.many(READ_OPERATIONS, [workspaceId, page.after?.at, page.after?.id, page.limit, address])

export interface StoredOperation {
  id: string
  input: unknown
  result: unknown
  error: unknown
  key: string | null
}

const LOCK_OPERATION = sql('select id, input, result, error, idempotency_key as key from operations where id = $1 for update')

export const lockOperation = (tx: Tx, id: string): Promise<StoredOperation | undefined> => tx.first<StoredOperation>(LOCK_OPERATION, [id])

const UPDATE_OPERATION = sql(`
  update operations set input = $2, result = $3, error = $4, idempotency_key = $5
  where id = $1 and (input, result, error, idempotency_key) is distinct from ($2::jsonb, $3::jsonb, $4::jsonb, $5::text)`)

/** The operation must be locked. */
export const updateOperation = (tx: Tx, { id, input, result, error, key }: StoredOperation): Promise<number> =>
  tx.run(UPDATE_OPERATION, [id, ...[input, result, error].map(value => (value === null ? null : JSON.stringify(value))), key])

export interface StoredChunk {
  operationId: string
  n: number
  leads: unknown
}

const FIND_CHUNKS = sql(`
  select c.operation_id as "operationId", c.n, c.leads
  from operations o
  join lead_import_chunks c on c.operation_id = o.id
  where o.workspace_id = $1
    and o.status in ('queued', 'running', 'failed')
    and ${MENTIONS('c.leads::text', '$2')}`)

/** Pieces of imports that are still to come. */
export const findImportChunks = (db: Db, workspaceId: string, address: string): Promise<StoredChunk[]> =>
  db.many<StoredChunk>(FIND_CHUNKS, [workspaceId, address])

const UPDATE_CHUNK = sql('update lead_import_chunks set leads = $3 where operation_id = $1 and n = $2')

export const updateImportChunk = (tx: Tx, { operationId, n, leads }: StoredChunk): Promise<number> =>
  tx.run(UPDATE_CHUNK, [operationId, n, JSON.stringify(leads)])

const CLEAR_INPUT = sql("update operations set input = '{}' where id = $1")

export async function clearInput(tx: Tx, operationId: string): Promise<void> {
  await tx.run(CLEAR_INPUT, [operationId])
}

// ---- reasons that others gave ----

export interface Reason {
  table: 'campaigns' | 'providers'
  id: string
  reason: string
}

const FIND_REASONS = sql(`
  select 'campaigns' as table, id, attention_reason as reason from campaigns where workspace_id = $1 and ${MENTIONS('attention_reason', '$2')}
  union all
  select 'providers', id, status_reason from providers where workspace_id = $1 and ${MENTIONS('status_reason', '$2')}`)

export const findReasons = (db: Db, workspaceId: string, address: string): Promise<Reason[]> =>
  db.many<Reason>(FIND_REASONS, [workspaceId, address])

const UPDATE_REASON = {
  campaigns: sql('update campaigns set attention_reason = $2 where id = $1'),
  providers: sql('update providers set status_reason = $2 where id = $1'),
}

export const updateReason = (tx: Tx, { table, id, reason }: Reason): Promise<number> => tx.run(UPDATE_REASON[table], [id, reason])
