import { newestFirst } from '../../db/filtered.ts'
import { columnsOf, fieldOf } from '../../db/fragments.ts'
import { sql, type Writer } from '../../db/sql.ts'
import { listsOf, valuesOf } from '../../lib/pick.ts'
import { LIVE_WORKERS } from '../../queue/identity.ts'
import { countLocked, lockWorkspace } from '../workspaces/queries.ts'
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

export const countProvidersLocked = countLocked(lockWorkspace, 'providers where workspace_id')

/** The columns that people and checks write; sending counts the rest. */
const WRITTEN = `kind, name, from_name, from_email, postal_address, status, status_reason, daily_cap, min_gap_seconds, ramp, settings,
  credentials, connected_at, created_at, timezone, max_per_domain_per_hour, credentials_withheld, reply_to, signature, inbox_state,
  inbox_reason, inbox_since, resting_until, resting_reason, consent, copies_reason, copies_since`.split(/,\s+/)

/** The columns that approvals bind. */
const SENDER = `from_name, from_email, postal_address, reply_to, signature, settings, credentials, daily_cap, min_gap_seconds, ramp,
  timezone, max_per_domain_per_hour`.split(/,\s+/)
const SENT_ALONG = SENDER.map(column => `$${WRITTEN.indexOf(column) + 4}`)

const values = (row: ProviderRow): unknown[] =>
  valuesOf(row, 'id', 'workspaceId', 'updatedAt', ...WRITTEN.map(column => fieldOf(column) as keyof ProviderRow))

export const insertProvider = sql(`
  insert into providers as p (id, workspace_id, updated_at, ${WRITTEN.join(', ')})
  values ($1, $2, $3, ${WRITTEN.map((_, index) => `$${index + 4}`).join(', ')})
  returning ${PROVIDER_COLUMNS}`).one<ProviderRow, [row: ProviderRow]>(row => values(row))

// Each change has its own time, because the result of a check counts only for a mailbox that was not changed since.
export const updateProvider = sql(`
  update providers p
  set updated_at = greatest($3, p.updated_at + interval '1 millisecond'),
    sender_version = p.sender_version + ((${SENDER.map(column => `p.${column}`)}) is distinct from (${SENT_ALONG}))::int,
    ${WRITTEN.map((column, index) => `${column} = $${index + 4}`).join(', ')}
  where p.id = $1 and p.workspace_id = $2
  returning ${PROVIDER_COLUMNS}`).one<ProviderRow, [row: ProviderRow]>(row => values(row))

const FIND = `
  select ${PROVIDER_COLUMNS}
  from providers p
  where p.workspace_id = $1 and p.id = $2`
export const findProvider = sql(FIND).first<ProviderRow, [workspaceId: string, id: string]>()
export const lockProvider = sql(`${FIND} for update`).first<ProviderRow, [workspaceId: string, id: string]>()

export const listProviders = newestFirst<ProviderRow, [workspaceId: string]>(`
  select ${PROVIDER_COLUMNS}
  from providers p
  where p.workspace_id = $1`)

export const listProviderIds = sql(`
  select id
  from providers
  where workspace_id = $1
  order by id`).column<string, [workspaceId: string]>()

export const deleteProvider = sql(`
  delete from providers
  where workspace_id = $1 and id = $2`).run<[workspaceId: string, id: string]>()

export const findCredentials = sql(`
  select credentials
  from providers
  where id = $1`).value<Buffer | null | undefined, [id: string]>()

// Only if they were not changed in the meantime.
const REPLACE_CREDENTIALS = sql.atomic(`
  update providers
  set credentials = $3
  where id = $1
    and credentials = $2`)

export async function replaceCredentials(db: Writer, id: string, before: Buffer, after: Buffer): Promise<void> {
  await db.write(REPLACE_CREDENTIALS, [id, before, after])
}

export const countRunningCampaigns = sql(`
  select count(*)::int as count
  from campaigns
  where (provider_id = $1 or $1 = any(rotation_provider_ids)) and status in ('active', 'attention_needed')`).value<number, [id: string]>()

export const noteSavesSent = sql(`
  update providers
  set saves_sent = true
  where id = $1 and not saves_sent`).run<[id: string]>()

// Whether a mailbox works, and which campaigns stopped because it does not.

const WORKS = 'failures = 0, failing_since = null, resting_until = null, resting_reason = null'

/** Undefined when it was not connected. */
export const markDisconnected = sql(`
  update providers p
  set status = 'disconnected', status_reason = $2, verify_at = $3, updated_at = greatest($4, p.updated_at + interval '1 millisecond')
  where p.id = $1 and p.status = 'connected'
  returning ${PROVIDER_COLUMNS}`).first<ProviderRow, [id: string, reason: string, verifyAt: Date | null, now: Date]>()

export const markConnected = sql(`
  update providers p
  set status = 'connected', status_reason = null, ${WORKS}, verify_at = null, verify_attempts = 0,
    connected_at = coalesce(p.connected_at, $3), saves_sent = coalesce($2, p.saves_sent),
    updated_at = case when p.status = 'connected' then p.updated_at else greatest($3, p.updated_at + interval '1 millisecond') end
  where p.id = $1
  returning ${PROVIDER_COLUMNS}`).first<ProviderRow, [id: string, savesSent: boolean | null, now: Date]>()

/** How many messages in a row were refused because of their content, by mailbox. */
export const lockContentRefusals = sql(`
  select id, content_refusals as count
  from providers
  where id = any($1::uuid[])
  order by id
  for no key update`).map<string, number, [ids: string[]]>()

export const saveContentRefusals = sql(`
  update providers p
  set content_refusals = r.count
  from unnest($1::uuid[], $2::int[]) as r(id, count)
  where p.id = r.id`).run((counts: Map<string, number>) => [[...counts.keys()], [...counts.values()]])

/** These mailboxes work. For those that have accepted messages, the count of refusals starts again. */
export const clearFailures = sql(`
  update providers
  set ${WORKS}, content_refusals = case when id = any($2::uuid[]) then 0 else content_refusals end
  where id in (
    select id
    from providers
    where id = any($1::uuid[]) and (failures > 0 or (content_refusals > 0 and id = any($2::uuid[])))
    order by id
    for no key update
  )`).run<[ids: string[], accepting: string[]]>()

export interface Failing {
  failures: number
  failingSince: Date
}

// Messages that were on their way when it began to rest fail for the same reason, and are not counted again. A failure
// long after the last rest starts a new count.
/** Undefined while the mailbox rests. */
export const countFailure = sql(`
  update providers
  set failures = failures + 1,
    failing_since = case when resting_until >= $2::timestamptz - $3 * interval '1 millisecond' then failing_since else $2 end
  where id = $1 and (resting_until is null or resting_until <= $2)
  returning failures, failing_since as "failingSince"`).first<Failing, [id: string, now: Date, forgetMs: number]>()

export const restMailbox = sql(`
  update providers
  set resting_until = $2, resting_reason = $3
  where id = $1`).run<[id: string, until: Date, reason: string]>()

interface CopiesChange extends Pick<ProviderRow, 'workspaceId' | 'name' | 'fromEmail'> {
  before: string | null
}

/** Undefined when nothing has changed, or the mailbox itself was changed since. */
export const changeCopies = sql(`
  update providers p
  set copies_reason = $3, copies_since = case when $3::text is not null then coalesce(p.copies_since, $4) end
  from (
    select id, copies_reason
    from providers
    where id = $1 and updated_at = $2
    for no key update
  ) as old
  where p.id = old.id and old.copies_reason is distinct from $3
  returning p.workspace_id as "workspaceId", p.name, p.from_email as "fromEmail", old.copies_reason as before`).first<
  CopiesChange,
  [row: Pick<ProviderRow, 'id' | 'updatedAt'>, reason: string | null, now: Date]
>(({ id, updatedAt }, reason, now) => [id, updatedAt, reason, now])

export const postponeVerification = sql(`
  update providers
  set verify_at = $2, verify_attempts = verify_attempts + 1, status_reason = coalesce($3, status_reason)
  where id = $1`).run<[id: string, at: Date | null, reason: string | null]>()

// The next time is moved ahead as a claim: two workers never try the same mailbox at once, and after a worker has died, the mailbox is
// tried at its next time.
export const takeToVerify = sql(`
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
  returning ${PROVIDER_COLUMNS}, p.verify_attempts as "verifyAttempts"`).first<
  ProviderRow & { verifyAttempts: number },
  [now: Date, until: Date]
>()

// A campaign stops only when none of its mailboxes works.
export const listStrandedCampaigns = sql(`
  select c.id
  from campaigns c
  where c.workspace_id = $1 and c.status = 'active' and (c.provider_id = $2 or $2 = any(c.rotation_provider_ids))
    and not exists (
      select from providers p
      where p.status = 'connected' and (p.id = c.provider_id or p.id = any(c.rotation_provider_ids)))
  order by c.id`).column<string, [workspaceId: string, id: string]>()

export const listStoppedCampaigns = sql(`
  select id
  from campaigns
  where workspace_id = $1 and attention_provider_id = $2 and status = 'attention_needed'
  order by id`).column<string, [workspaceId: string, id: string]>()

export interface SendingMailbox extends ProviderRow {
  /** The server itself stores copies of sent messages in the Sent folder. */
  savesSent: boolean
}

const COLUMNS = `${PROVIDER_COLUMNS}, p.saves_sent as "savesSent"`

// A mailbox that another worker is planning for is skipped: the worker that holds the row owns its slots.
export const lockFreeMailboxes = sql(`
  select ${COLUMNS}
  from providers p
  where p.id = any($1::uuid[]) and p.status = 'connected' and (p.next_slot_at is null or p.next_slot_at <= $2)
    and (p.resting_until is null or p.resting_until <= $2)
  order by p.id
  for no key update skip locked`).many<SendingMailbox, [ids: string[], now: Date]>()

/** The same for messages that do not wait for a slot. */
export const lockConnectedMailboxes = sql(`
  select ${COLUMNS}
  from providers p
  where p.id = any($1::uuid[]) and p.status = 'connected' and (p.resting_until is null or p.resting_until <= $2)
  order by p.id
  for no key update skip locked`).many<SendingMailbox, [ids: string[], now: Date]>()

export const listMailboxes = sql(`
  select ${COLUMNS}
  from providers p
  where p.id = any($1::uuid[])`).many<SendingMailbox, [ids: string[]]>()

interface SavedLoad {
  id: string
  day: string | null
  reserved: number
  nextSlotAt: Date | null
}

export const saveLoads = sql(`
  update providers p
  set load_day = r.day, load_reserved = r.reserved, next_slot_at = r.slot
  from unnest($1::uuid[], $2::text[], $3::int[], $4::timestamptz[]) as r(id, day, reserved, slot)
  where p.id = r.id`).run((loads: SavedLoad[]) => listsOf(loads, 'id', 'day', 'reserved', 'nextSlotAt'))

export const lockLoads = sql(`
  select id, load_day as "loadDay", timezone
  from providers
  where id = any($1::uuid[])
  order by id
  for no key update`).many<{ id: string; loadDay: string | null; timezone: string }, [ids: string[]]>()

export const reduceLoads = sql(`
  update providers p
  set load_reserved = greatest(0, p.load_reserved - r.count)
  from unnest($1::uuid[], $2::int[]) as r(id, count)
  where p.id = r.id`).run((reductions: { id: string; count: number }[]) => listsOf(reductions, 'id', 'count'))

interface ReadUpTo {
  uidValidity: string
  lastUid: number
  first?: { since: string; lastUid: number }
}

/** The inbox of a mailbox, and how far it has been read. */
export interface Inbox extends Pick<ProviderRow, 'id' | 'workspaceId' | 'settings' | 'credentials' | 'credentialsWithheld' | 'updatedAt'> {
  cursor: (ReadUpTo & { folders?: Record<string, ReadUpTo> }) | null
}

export const leaseFreeInboxes = sql(`
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
  where p.id = free.id`).run<[workerId: number, limit: number]>()

export const listLeasedInboxes = sql(`
  select ${columnsOf('id, workspace_id, settings, credentials, credentials_withheld, updated_at')}, inbox_cursor as "cursor"
  from providers
  where inbox_worker_id = $1 and status = 'connected' and jsonb_typeof(settings->'imap') = 'object'`).many<Inbox, [workerId: number]>()

/** No worker reads it from here on, so new messages are unknown. */
const LET_GO = `inbox_worker_id = null, inbox_state = case when inbox_state = 'readable' then 'unread' else inbox_state end`

export const returnInboxes = sql(`
  update providers
  set ${LET_GO}
  where id = any($2::uuid[]) and inbox_worker_id = $1`).run<[workerId: number, ids: string[]]>()

export const releaseInboxesOfDeadWorkers = sql(`
  update providers
  set ${LET_GO}
  where inbox_worker_id is not null and inbox_worker_id not in (${LIVE_WORKERS})`).run()

export const updateCursor = sql(`
  update providers
  set inbox_cursor = $3
  where id = $1 and inbox_worker_id = $2`).run((id: string, workerId: number, cursor: unknown) => [id, workerId, JSON.stringify(cursor)])

interface InboxChange extends Pick<ProviderRow, 'workspaceId' | 'name' | 'fromEmail'> {
  before: ProviderRow['inboxState']
}

/** Undefined when another worker reads the inbox, or the mailbox was changed since it was read. */
export const changeInboxState = sql(`
  update providers p
  set inbox_state = $3, inbox_reason = $4, inbox_since = case when old.inbox_state = $3 then p.inbox_since else $5 end
  from (
    select id, inbox_state
    from providers
    where id = $1 and inbox_worker_id = $2 and updated_at = $6
    for no key update
  ) as old
  where p.id = old.id
  returning p.workspace_id as "workspaceId", p.name, p.from_email as "fromEmail", old.inbox_state as before`).first<
  InboxChange,
  [row: Pick<Inbox, 'id' | 'updatedAt'>, workerId: number, state: NonNullable<InboxChange['before']>, reason: string | null, now: Date]
>(({ id, updatedAt }, workerId, state, reason, now) => [id, workerId, state, reason, now, updatedAt])
