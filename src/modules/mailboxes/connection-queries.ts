import { type Db, sql, type Tx } from '../../db/client.ts'
import { mentions } from '../../db/fragments.ts'
import { PROVIDER_COLUMNS, type ProviderRow } from './queries.ts'

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
      or ${mentions('copies_reason', '$2')})`)

/** Mailboxes with a reason that contains the address. */
export const findReasonMentions = (db: Db, workspaceId: string, address: string): Promise<Reasons[]> =>
  db.many<Reasons>(FIND_REASONS, [workspaceId, address])

const REWORD_REASONS = sql(`
  update providers
  set status_reason = $2, inbox_reason = $3, resting_reason = $4, copies_reason = $5
  where id = $1`)

export const rewordReasons = (tx: Tx, { id, status, inbox, resting, copies }: Reasons): Promise<number> =>
  tx.run(REWORD_REASONS, [id, status, inbox, resting, copies])
