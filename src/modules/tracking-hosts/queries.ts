import { type Db, sql, type Tx } from '../../db/client.ts'
import { columnsOf } from '../../db/fragments.ts'
import { lockWorkspace } from '../../db/locks.ts'

export interface TrackingHostRow {
  host: string
  workspaceId: string
  status: 'pending' | 'verified' | 'failing'
  origin: string | null
  reason: string | null
  failures: number
  verifiedAt: Date | null
  checkedAt: Date | null
  checkAt: Date
  createdAt: Date
}

const COLUMNS = columnsOf(`host, workspace_id, status, origin, reason, failures, verified_at, checked_at, check_at, created_at`, 't')

const LIST = sql(`
  select ${COLUMNS}
  from tracking_hosts t
  where t.workspace_id = $1`)

/** At most one that is in use, and one that is pending. */
export const listHosts = (db: Db, workspaceId: string): Promise<TrackingHostRow[]> => db.many<TrackingHostRow>(LIST, [workspaceId])

const FIND = sql(`
  select ${COLUMNS}
  from tracking_hosts t
  where t.host = $1`)

/** In any workspace. */
export const findHost = (db: Db, host: string): Promise<TrackingHostRow | undefined> => db.first<TrackingHostRow>(FIND, [host])

const LOCK = sql(`
  select ${COLUMNS}
  from tracking_hosts t
  where t.host = $1
  for update`)

export async function lockHost(tx: Tx, workspaceId: string, host: string): Promise<TrackingHostRow | undefined> {
  await lockWorkspace(tx, workspaceId)
  return tx.first<TrackingHostRow>(LOCK, [host])
}

const DELETE_PENDING = sql(`
  delete from tracking_hosts
  where workspace_id = $1 and status = 'pending' and host <> $2`)

export const deleteOtherPending = (tx: Tx, workspaceId: string, host: string): Promise<number> =>
  tx.run(DELETE_PENDING, [workspaceId, host])

const DELETE_IN_USE = sql(`
  delete from tracking_hosts
  where workspace_id = $1 and status <> 'pending' and host <> $2`)

export const deleteOtherInUse = (tx: Tx, workspaceId: string, host: string): Promise<number> => tx.run(DELETE_IN_USE, [workspaceId, host])

const INSERT = sql(`
  insert into tracking_hosts as t (host, workspace_id, status, check_at, created_at)
  values ($1, $2, 'pending', $3, $4)
  on conflict (host) do update
  set workspace_id = excluded.workspace_id, created_at = excluded.created_at, check_at = excluded.check_at, reason = null,
    checked_at = null, failures = 0
  where t.status = 'pending'
  returning ${COLUMNS}`)

/** Undefined when it is in use already. */
export const insertPending = (tx: Tx, host: string, workspaceId: string, checkAt: Date, now: Date): Promise<TrackingHostRow | undefined> =>
  tx.first<TrackingHostRow>(INSERT, [host, workspaceId, checkAt, now])

const UPDATE = sql(`
  update tracking_hosts t
  set status = $3, origin = $4, reason = $5, failures = $6, verified_at = $7, checked_at = $8, check_at = $9
  where t.host = $1 and t.workspace_id = $2`)

export async function updateHost(tx: Tx, row: TrackingHostRow): Promise<void> {
  const { host, workspaceId, status, origin, reason, failures, verifiedAt, checkedAt, checkAt } = row
  await tx.run(UPDATE, [host, workspaceId, status, origin, reason, failures, verifiedAt, checkedAt, checkAt])
}

const DELETE_ALL = sql(`
  delete from tracking_hosts
  where workspace_id = $1`)

export const deleteHosts = (tx: Tx, workspaceId: string): Promise<number> => tx.run(DELETE_ALL, [workspaceId])

// The next time is moved ahead as a claim: two workers never check the same host at once, and after a worker has died, the host is checked
// at its next time.
const TAKE_DUE = sql(`
  update tracking_hosts t
  set check_at = $2
  from (
    select host
    from tracking_hosts
    where check_at <= $1
    order by check_at
    limit 1
    for update skip locked
  ) as due
  where t.host = due.host
  returning ${COLUMNS}`)

export const takeDueHost = (tx: Tx, now: Date, until: Date): Promise<TrackingHostRow | undefined> =>
  tx.first<TrackingHostRow>(TAKE_DUE, [now, until])
