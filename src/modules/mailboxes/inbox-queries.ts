import { type Db, sql, type Tx } from '../../db/client.ts'
import { columnsOf } from '../../db/fragments.ts'
import { LIVE_WORKERS } from '../../queue/identity.ts'

interface ReadUpTo {
  uidValidity: string
  lastUid: number
}

/** The inbox of a mailbox, and how far it has been read. */
export interface Inbox {
  id: string
  workspaceId: string
  settings: Record<string, unknown>
  credentials: Buffer | null
  updatedAt: Date
  cursor: (ReadUpTo & { folders?: Record<string, ReadUpTo> }) | null
}

const FIELDS: Readonly<Record<keyof Inbox, string>> = {
  id: 'id',
  workspaceId: 'workspace_id',
  settings: 'settings',
  credentials: 'credentials',
  updatedAt: 'updated_at',
  cursor: 'inbox_cursor',
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
  select ${columnsOf(FIELDS)}
  from providers
  where inbox_worker_id = $1 and status = 'connected' and jsonb_typeof(settings->'imap') = 'object'`)

export const listLeasedInboxes = (db: Db, workerId: number): Promise<Inbox[]> => db.many<Inbox>(LIST_LEASED, [workerId])

const RETURN = sql(`
  update providers
  set inbox_worker_id = null
  where id = any($2::uuid[]) and inbox_worker_id = $1`)

export const returnInboxes = (tx: Tx, workerId: number, ids: string[]): Promise<number> => tx.run(RETURN, [workerId, ids])

const RELEASE_DEAD = sql(`
  update providers
  set inbox_worker_id = null
  where inbox_worker_id is not null and inbox_worker_id not in (${LIVE_WORKERS})`)

export const releaseInboxesOfDeadWorkers = (tx: Tx): Promise<number> => tx.run(RELEASE_DEAD)

const UPDATE_CURSOR = sql(`
  update providers
  set inbox_cursor = $3
  where id = $1 and inbox_worker_id = $2`)

export const updateCursor = (tx: Tx, id: string, workerId: number, cursor: unknown): Promise<number> =>
  tx.run(UPDATE_CURSOR, [id, workerId, JSON.stringify(cursor)])
