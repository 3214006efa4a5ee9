import { type Db, sql, type Tx, type Writer } from '../../db/client.ts'
import { newestFirst } from '../../db/filtered.ts'
import { columnsOf, fieldOf, mentions } from '../../db/fragments.ts'
import type { Page } from '../../lib/page.ts'
import { LIVE_WORKERS } from '../../queue/identity.ts'
import { lockWorkspace } from '../workspaces/queries.ts'
import type { Issuer, ProviderSettings, ServerKind } from './schema.ts'

export interface ProviderRow {
  id: string
  workspaceId: string
  kind: 'smtp' | 'sandbox'
  name: string
  fromName: string | null
  fromEmail: string
  postalAddress: string | null
  status: 'connected' | 'disconnected' | 'unverified'
  statusReason: string | null
  dailyCap: number
  minGapSeconds: number
  ramp: { startPerDay: number; increasePerDay: number } | null
  timezone: string
  maxPerDomainPerHour: number | null
  settings: ProviderSettings
  credentials: Buffer | null
  /** The servers that the stored credentials must not be shown to. */
  credentialsWithheld: ServerKind[]
  replyTo: string | null
  signature: { text: string | null; html: string | null } | null
  /** The consent that it signs in with. */
  consent: { issuer: Issuer; account: string } | null
  inboxState: 'unread' | 'readable' | 'unreadable' | null
  inboxReason: string | null
  inboxSince: Date | null
  restingUntil: Date | null
  restingReason: string | null
  /** Why the server stores no copies in the Sent folder. */
  copiesReason: string | null
  copiesSince: Date | null
  /** The date of the mailbox that `loadReserved` counts; null before the first message. */
  loadDay: string | null
  loadReserved: number
  /** When its next message may be sent. */
  nextSlotAt: Date | null
  connectedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

/** Every statement names the table `p`, so that its columns are unambiguous in joins. */
const PROVIDER_COLUMNS = columnsOf(
  `id, workspace_id, kind, name, from_name, from_email, postal_address, status, status_reason, daily_cap, min_gap_seconds, ramp,
  timezone, max_per_domain_per_hour, settings, credentials, credentials_withheld, reply_to, signature, consent, inbox_state,
  inbox_reason, inbox_since, resting_until, resting_reason, copies_reason, copies_since, load_day, load_reserved, next_slot_at,
  connected_at, created_at, updated_at`,
  'p',
)

const COUNT = sql(`
  select count(*)::int as count
  from providers
  where workspace_id = $1`)

export async function countProvidersLocked(tx: Tx, workspaceId: string): Promise<number> {
  await lockWorkspace(tx, workspaceId)
  return (await tx.first<{ count: number }>(COUNT, [workspaceId]))!.count
}

/** What people and checks write; sending counts the rest. */
const WRITTEN = `kind, name, from_name, from_email, postal_address, status, status_reason, daily_cap, min_gap_seconds, ramp, settings,
  credentials, connected_at, created_at, timezone, max_per_domain_per_hour, credentials_withheld, reply_to, signature, inbox_state,
  inbox_reason, inbox_since, resting_until, resting_reason, consent, copies_reason, copies_since`.split(/,\s+/)

const values = (row: ProviderRow): unknown[] => [
  row.id,
  row.workspaceId,
  row.updatedAt,
  ...WRITTEN.map(column => row[fieldOf(column) as keyof ProviderRow]),
]

const INSERT = sql(`
  insert into providers as p (id, workspace_id, updated_at, ${WRITTEN.join(', ')})
  values ($1, $2, $3, ${WRITTEN.map((_, index) => `$${index + 4}`).join(', ')})
  returning ${PROVIDER_COLUMNS}`)

export const insertProvider = async (tx: Tx, row: ProviderRow): Promise<ProviderRow> => (await tx.first<ProviderRow>(INSERT, values(row)))!

// Each change has its own time, because the result of a check counts only for a mailbox that was not changed since.
const UPDATE = sql(`
  update providers p
  set updated_at = greatest($3, p.updated_at + interval '1 millisecond'),
    ${WRITTEN.map((column, index) => `${column} = $${index + 4}`).join(', ')}
  where p.id = $1 and p.workspace_id = $2
  returning ${PROVIDER_COLUMNS}`)

export const updateProvider = async (tx: Tx, row: ProviderRow): Promise<ProviderRow> => (await tx.first<ProviderRow>(UPDATE, values(row)))!

const FIND = sql(`
  select ${PROVIDER_COLUMNS}
  from providers p
  where p.workspace_id = $1 and p.id = $2`)

export const findProvider = (db: Db, workspaceId: string, id: string): Promise<ProviderRow | undefined> =>
  db.first<ProviderRow>(FIND, [workspaceId, id])

const LOCK = sql(`
  select ${PROVIDER_COLUMNS}
  from providers p
  where p.workspace_id = $1 and p.id = $2
  for update`)

export const lockProvider = (tx: Tx, workspaceId: string, id: string): Promise<ProviderRow | undefined> =>
  tx.first<ProviderRow>(LOCK, [workspaceId, id])

const LIST = newestFirst(`
  select ${PROVIDER_COLUMNS}
  from providers p
  where p.workspace_id = $1`)

export const listProviders = (db: Db, workspaceId: string, page: Page): Promise<ProviderRow[]> =>
  db.many<ProviderRow>(...LIST([workspaceId], page))

const LIST_IDS = sql(`
  select id
  from providers
  where workspace_id = $1
  order by id`)

export const listProviderIds = async (db: Db, workspaceId: string): Promise<string[]> =>
  (await db.many<{ id: string }>(LIST_IDS, [workspaceId])).map(row => row.id)

const DELETE = sql(`
  delete from providers
  where workspace_id = $1 and id = $2`)

export const deleteProvider = (tx: Tx, workspaceId: string, id: string): Promise<number> => tx.run(DELETE, [workspaceId, id])

const FIND_CREDENTIALS = sql(`
  select credentials
  from providers
  where id = $1`)

export const findCredentials = async (db: Db, id: string): Promise<Buffer | null> =>
  (await db.first<{ credentials: Buffer | null }>(FIND_CREDENTIALS, [id]))?.credentials ?? null

// Only when nobody has changed them in the meantime.
const REPLACE_CREDENTIALS = sql.atomic(`
  update providers
  set credentials = $3
  where id = $1
    and credentials = $2`)

export async function replaceCredentials(db: Writer, id: string, before: Buffer, after: Buffer): Promise<void> {
  await db.write(REPLACE_CREDENTIALS, [id, before, after])
}

const COUNT_USERS = sql(`
  select count(*)::int as count
  from campaigns
  where (provider_id = $1 or $1 = any(rotation_provider_ids)) and status in ('active', 'attention_needed')`)

export const countRunningCampaigns = async (db: Db, id: string): Promise<number> =>
  (await db.first<{ count: number }>(COUNT_USERS, [id]))!.count

const NOTE_SAVES_SENT = sql(`
  update providers
  set saves_sent = true
  where id = $1 and not saves_sent`)

export const noteSavesSent = (tx: Tx, id: string): Promise<number> => tx.run(NOTE_SAVES_SENT, [id])

// Whether a mailbox works, and which campaigns stopped because it does not.

const WORKS = 'failures = 0, failing_since = null, resting_until = null, resting_reason = null'

const DISCONNECT = sql(`
  update providers p
  set status = 'disconnected', status_reason = $2, verify_at = $3, updated_at = greatest($4, p.updated_at + interval '1 millisecond')
  where p.id = $1 and p.status = 'connected'
  returning ${PROVIDER_COLUMNS}`)

/** Undefined when it was not connected. */
export const markDisconnected = (tx: Tx, id: string, reason: string, verifyAt: Date | null, now: Date): Promise<ProviderRow | undefined> =>
  tx.first<ProviderRow>(DISCONNECT, [id, reason, verifyAt, now])

const CONNECT = sql(`
  update providers p
  set status = 'connected', status_reason = null, ${WORKS}, verify_at = null, verify_attempts = 0,
    connected_at = coalesce(p.connected_at, $2), saves_sent = coalesce($3, p.saves_sent),
    updated_at = case when p.status = 'connected' then p.updated_at else greatest($2, p.updated_at + interval '1 millisecond') end
  where p.id = $1
  returning ${PROVIDER_COLUMNS}`)

export const markConnected = (tx: Tx, id: string, savesSent: boolean | null, now: Date): Promise<ProviderRow | undefined> =>
  tx.first<ProviderRow>(CONNECT, [id, now, savesSent])

// In one order, because two workers may report about the same mailboxes.
const CLEAR_FAILURES = sql(`
  update providers
  set ${WORKS}, content_refusals = case when id = any($2::uuid[]) then 0 else content_refusals end
  where id in (
    select id
    from providers
    where id = any($1::uuid[]) and (failures > 0 or (content_refusals > 0 and id = any($2::uuid[])))
    order by id
    for no key update
  )`)

const LOCK_CONTENT_REFUSALS = sql(`
  select id, content_refusals as count
  from providers
  where id = any($1::uuid[])
  order by id
  for no key update`)

/** How many messages in a row were refused because of their content, by mailbox. The mailboxes are locked in one order. */
export async function lockContentRefusals(tx: Tx, ids: string[]): Promise<Map<string, number>> {
  const rows = await tx.many<{ id: string; count: number }>(LOCK_CONTENT_REFUSALS, [ids])
  return new Map(rows.map(({ id, count }) => [id, count]))
}

const SAVE_CONTENT_REFUSALS = sql(`
  update providers p
  set content_refusals = r.count
  from unnest($1::uuid[], $2::int[]) as r(id, count)
  where p.id = r.id`)

export const saveContentRefusals = (tx: Tx, counts: Map<string, number>): Promise<number> =>
  tx.run(SAVE_CONTENT_REFUSALS, [[...counts.keys()], [...counts.values()]])

/** These mailboxes work. For those that have accepted messages, the count of refusals starts again. */
export const clearFailures = (tx: Tx, ids: string[], accepting: string[]): Promise<number> => tx.run(CLEAR_FAILURES, [ids, accepting])

// Messages that were on their way when it began to rest fail for the same reason, and are not counted again. A failure
// long after the last rest starts a new count.
const COUNT_FAILURE = sql(`
  update providers
  set failures = failures + 1,
    failing_since = case when resting_until >= $2::timestamptz - $3 * interval '1 millisecond' then failing_since else $2 end
  where id = $1 and (resting_until is null or resting_until <= $2)
  returning failures, failing_since as "failingSince"`)

export interface Failing {
  failures: number
  failingSince: Date
}

/** Undefined while the mailbox rests. */
export const countFailure = (tx: Tx, id: string, now: Date, forgetMs: number): Promise<Failing | undefined> =>
  tx.first<Failing>(COUNT_FAILURE, [id, now, forgetMs])

const REST = sql(`
  update providers
  set resting_until = $2, resting_reason = $3
  where id = $1`)

export const restMailbox = (tx: Tx, id: string, until: Date, reason: string): Promise<number> => tx.run(REST, [id, until, reason])

const CHANGE_COPIES = sql(`
  update providers p
  set copies_reason = $3, copies_since = case when $3::text is not null then coalesce(p.copies_since, $4) end
  from (
    select id, copies_reason
    from providers
    where id = $1 and updated_at = $2
    for no key update
  ) as old
  where p.id = old.id and old.copies_reason is distinct from $3
  returning p.workspace_id as "workspaceId", p.name, p.from_email as "fromEmail", old.copies_reason as before`)

interface CopiesChange extends Pick<ProviderRow, 'workspaceId' | 'name' | 'fromEmail'> {
  before: string | null
}

/** Undefined when nothing has changed, or the mailbox itself was changed since. */
export const changeCopies = (
  tx: Tx,
  { id, updatedAt }: Pick<ProviderRow, 'id' | 'updatedAt'>,
  reason: string | null,
  now: Date,
): Promise<CopiesChange | undefined> => tx.first<CopiesChange>(CHANGE_COPIES, [id, updatedAt, reason, now])

const POSTPONE_VERIFY = sql(`
  update providers
  set verify_at = $2, verify_attempts = verify_attempts + 1, status_reason = coalesce($3, status_reason)
  where id = $1`)

export const postponeVerification = (tx: Tx, id: string, at: Date | null, reason: string | null): Promise<number> =>
  tx.run(POSTPONE_VERIFY, [id, at, reason])

// The next time is moved ahead as a claim: two workers never try the same mailbox at once, and after a worker has died, the mailbox is
// tried at its next time.
const TAKE_TO_VERIFY = sql(`
  update providers p
  set verify_at = $2
  from (
    select id
    from providers
    where verify_at <= $1 and status = 'disconnected'
    order by verify_at
    limit 1
    for update skip locked
  ) as due
  where p.id = due.id
  returning ${PROVIDER_COLUMNS}, p.verify_attempts as "verifyAttempts"`)

export const takeToVerify = (tx: Tx, now: Date, until: Date): Promise<(ProviderRow & { verifyAttempts: number }) | undefined> =>
  tx.first(TAKE_TO_VERIFY, [now, until])

// A campaign stops only when none of its mailboxes works.
const LIST_STRANDED = sql(`
  select c.id
  from campaigns c
  where c.workspace_id = $1 and c.status = 'active' and (c.provider_id = $2 or $2 = any(c.rotation_provider_ids))
    and not exists (
      select from providers p
      where p.status = 'connected' and (p.id = c.provider_id or p.id = any(c.rotation_provider_ids)))
  order by c.id`)

export const listStrandedCampaigns = async (db: Db, workspaceId: string, id: string): Promise<string[]> =>
  (await db.many<{ id: string }>(LIST_STRANDED, [workspaceId, id])).map(row => row.id)

const LIST_STOPPED = sql(`
  select id
  from campaigns
  where workspace_id = $1 and attention_provider_id = $2 and status = 'attention_needed'
  order by id`)

export const listStoppedCampaigns = async (db: Db, workspaceId: string, id: string): Promise<string[]> =>
  (await db.many<{ id: string }>(LIST_STOPPED, [workspaceId, id])).map(row => row.id)

/** What mail servers said about a mailbox. */
export interface Reasons {
  id: string
  status: string | null
  inbox: string | null
  resting: string | null
  copies: string | null
}

const FIND_REASONS = sql(`
  select id, status_reason as status, inbox_reason as inbox, resting_reason as resting, copies_reason as copies
  from providers
  where workspace_id = $1
    and (${mentions('status_reason', '$2')} or ${mentions('inbox_reason', '$2')} or ${mentions('resting_reason', '$2')}
      or ${mentions('copies_reason', '$2')})
  order by id`)

/** Mailboxes with a reason that contains the address. */
export const findReasonMentions = (db: Db, workspaceId: string, address: string): Promise<Reasons[]> =>
  db.many<Reasons>(FIND_REASONS, [workspaceId, address])

const REWORD_REASONS = sql(`
  update providers
  set status_reason = $2, inbox_reason = $3, resting_reason = $4, copies_reason = $5
  where id = $1`)

export const rewordReasons = (tx: Tx, { id, status, inbox, resting, copies }: Reasons): Promise<number> =>
  tx.run(REWORD_REASONS, [id, status, inbox, resting, copies])

/** A mailbox as the sender needs it. */
export interface SendingMailbox extends ProviderRow {
  /** The server itself stores copies of sent messages in the Sent folder. */
  savesSent: boolean
}

const COLUMNS = `${PROVIDER_COLUMNS}, p.saves_sent as "savesSent"`

// A mailbox that another worker is planning for is skipped: the worker that holds the row owns its slots.
const LOCK_FREE_MAILBOXES = sql(`
  select ${COLUMNS}
  from providers p
  where p.id = any($1::uuid[]) and p.status = 'connected' and (p.next_slot_at is null or p.next_slot_at <= $2)
    and (p.resting_until is null or p.resting_until <= $2)
  order by p.id
  for no key update skip locked`)

export const lockFreeMailboxes = (tx: Tx, ids: string[], now: Date): Promise<SendingMailbox[]> =>
  tx.many<SendingMailbox>(LOCK_FREE_MAILBOXES, [ids, now])

const LOCK_CONNECTED = sql(`
  select ${COLUMNS}
  from providers p
  where p.id = any($1::uuid[]) and p.status = 'connected' and (p.resting_until is null or p.resting_until <= $2)
  order by p.id
  for no key update skip locked`)

/** The same for messages that do not wait for a slot. */
export const lockConnectedMailboxes = (tx: Tx, ids: string[], now: Date): Promise<SendingMailbox[]> =>
  tx.many<SendingMailbox>(LOCK_CONNECTED, [ids, now])

const LIST_MAILBOXES = sql(`
  select ${COLUMNS}
  from providers p
  where p.id = any($1::uuid[])`)

export const listMailboxes = (db: Db, ids: string[]): Promise<SendingMailbox[]> => db.many<SendingMailbox>(LIST_MAILBOXES, [ids])

const SAVE_LOADS = sql(`
  update providers p
  set load_day = r.day, load_reserved = r.reserved, next_slot_at = r.slot
  from unnest($1::uuid[], $2::text[], $3::int[], $4::timestamptz[]) as r(id, day, reserved, slot)
  where p.id = r.id`)

interface SavedLoad {
  id: string
  day: string | null
  reserved: number
  nextSlotAt: Date | null
}

export async function saveLoads(tx: Tx, loads: SavedLoad[]): Promise<void> {
  if (loads.length === 0) return
  await tx.run(SAVE_LOADS, [
    loads.map(load => load.id),
    loads.map(load => load.day),
    loads.map(load => load.reserved),
    loads.map(load => load.nextSlotAt),
  ])
}

// In one order, because two workers may give back to the same mailboxes.
const LOCK_LOADS = sql(`
  select id, load_day as "loadDay", timezone
  from providers
  where id = any($1::uuid[])
  order by id
  for no key update`)

export const lockLoads = (tx: Tx, ids: string[]): Promise<{ id: string; loadDay: string | null; timezone: string }[]> =>
  tx.many(LOCK_LOADS, [ids])

const REDUCE_LOADS = sql(`
  update providers p
  set load_reserved = greatest(0, p.load_reserved - r.count)
  from unnest($1::uuid[], $2::int[]) as r(id, count)
  where p.id = r.id`)

export async function reduceLoads(tx: Tx, reductions: { id: string; count: number }[]): Promise<void> {
  if (reductions.length === 0) return
  await tx.run(REDUCE_LOADS, [reductions.map(({ id }) => id), reductions.map(({ count }) => count)])
}

interface ReadUpTo {
  uidValidity: string
  lastUid: number
  first?: { since: string; lastUid: number }
}

/** The inbox of a mailbox, and how far it has been read. */
export interface Inbox extends Pick<ProviderRow, 'id' | 'workspaceId' | 'settings' | 'credentials' | 'credentialsWithheld' | 'updatedAt'> {
  cursor: (ReadUpTo & { folders?: Record<string, ReadUpTo> }) | null
}

const LEASE = sql(`
  update providers p
  set inbox_worker_id = $1
  from (
    select id
    from providers
    where kind = 'smtp' and status = 'connected' and jsonb_typeof(settings->'imap') = 'object' and inbox_worker_id is null
    order by id
    limit $2
    for update skip locked
  ) as free
  where p.id = free.id`)

export const leaseFreeInboxes = (tx: Tx, workerId: number, limit: number): Promise<number> => tx.run(LEASE, [workerId, limit])

const LIST_LEASED = sql(`
  select ${columnsOf('id, workspace_id, settings, credentials, credentials_withheld, updated_at')}, inbox_cursor as "cursor"
  from providers
  where inbox_worker_id = $1 and status = 'connected' and jsonb_typeof(settings->'imap') = 'object'`)

export const listLeasedInboxes = (db: Db, workerId: number): Promise<Inbox[]> => db.many<Inbox>(LIST_LEASED, [workerId])

/** No worker reads it from here on, so new messages are unknown. */
const LET_GO = `inbox_worker_id = null, inbox_state = case when inbox_state = 'readable' then 'unread' else inbox_state end`

const RETURN = sql(`
  update providers
  set ${LET_GO}
  where id = any($2::uuid[]) and inbox_worker_id = $1`)

export const returnInboxes = (tx: Tx, workerId: number, ids: string[]): Promise<number> => tx.run(RETURN, [workerId, ids])

const RELEASE_DEAD = sql(`
  update providers
  set ${LET_GO}
  where inbox_worker_id is not null and inbox_worker_id not in (${LIVE_WORKERS})`)

export const releaseInboxesOfDeadWorkers = (tx: Tx): Promise<number> => tx.run(RELEASE_DEAD)

const UPDATE_CURSOR = sql(`
  update providers
  set inbox_cursor = $3
  where id = $1 and inbox_worker_id = $2`)

export const updateCursor = (tx: Tx, id: string, workerId: number, cursor: unknown): Promise<number> =>
  tx.run(UPDATE_CURSOR, [id, workerId, JSON.stringify(cursor)])

interface InboxChange extends Pick<ProviderRow, 'workspaceId' | 'name' | 'fromEmail'> {
  before: ProviderRow['inboxState']
}

const CHANGE_STATE = sql(`
  update providers p
  set inbox_state = $3, inbox_reason = $4, inbox_since = case when old.inbox_state = $3 then p.inbox_since else $5 end
  from (
    select id, inbox_state
    from providers
    where id = $1 and inbox_worker_id = $2 and updated_at = $6
    for no key update
  ) as old
  where p.id = old.id
  returning p.workspace_id as "workspaceId", p.name, p.from_email as "fromEmail", old.inbox_state as before`)

/** Undefined when another worker reads the inbox, or the mailbox was changed since it was read. */
export const changeInboxState = (
  tx: Tx,
  { id, updatedAt }: Pick<Inbox, 'id' | 'updatedAt'>,
  workerId: number,
  state: NonNullable<InboxChange['before']>,
  reason: string | null,
  now: Date,
): Promise<InboxChange | undefined> => tx.first<InboxChange>(CHANGE_STATE, [id, workerId, state, reason, now, updatedAt])

const HAS_REAL = sql(`
  select exists (
    select from providers
    where workspace_id = $1
      and id = any($2::uuid[])
      and kind <> 'sandbox'
  ) as found`)

export const hasRealMailbox = async (tx: Tx, workspaceId: string, ids: string[]): Promise<boolean> =>
  (await tx.first<{ found: boolean }>(HAS_REAL, [workspaceId, ids]))!.found
