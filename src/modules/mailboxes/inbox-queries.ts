import { type Db, sql, type Tx } from '../../db/client.ts'
import { columnsOf } from '../../db/fragments.ts'
import { LIVE_WORKERS } from '../../queue/identity.ts'
import type { ProviderRow } from './queries.ts'

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
