import { type Db, sql, type Tx } from '../../db/client.ts'
import type { EventRow } from './queries.ts'

// The log of a workspace is deleted from its beginning, so it has no other gaps. Events that an endpoint has not received yet are kept.
// Rows are selected by their keys: otherwise PostgreSQL would read the whole table.
const DELETE_OLDEST = sql(`
  with workspace as materialized (
    select s.workspace_id as id, bound.seq as bound
    from event_streams s
    cross join lateral (
      select coalesce(min(e.cursor_seq), s.seq) as seq
      from webhook_endpoints e
      where e.workspace_id = s.workspace_id
        and e.status = 'active'
    ) as bound
    cross join lateral (
      select e.seq, e.timestamp
      from events e
      where e.workspace_id = s.workspace_id
      order by e.seq
      limit 1
    ) as oldest
    where oldest.timestamp < $1
      and oldest.seq <= bound.seq
    limit 1
  ), oldest as materialized (
    select e.workspace_id, e.seq, e.timestamp
    from events e
    where e.workspace_id = (select id from workspace)
      and e.seq <= (select bound from workspace)
    order by e.seq
    limit $2
    for update
  ), outlived as (
    select workspace_id, seq, bool_and(timestamp < $1) over (order by seq) as is_old
    from oldest
  )
  delete from events
  where workspace_id = (select id from workspace)
    and seq = any(array(select seq from outlived where is_old))
  returning id, seq, type, timestamp, workspace_id as "workspaceId", campaign_id as "campaignId", lead_id as "leadId", data`)

/** Deletes and returns the oldest events of one workspace that has events from before this time. */
export const deleteOldestEvents = (tx: Tx, before: Date, limit: number): Promise<EventRow[]> =>
  tx.many<EventRow>(DELETE_OLDEST, [before, limit])

const MOVE_HORIZON = sql(`
  insert into event_horizons as h (workspace_id, gone_seq, gone_before)
  values ($1, $2, $3)
  on conflict (workspace_id) do update
  set gone_seq = greatest(h.gone_seq, excluded.gone_seq),
    gone_before = greatest(h.gone_before, excluded.gone_before)`)

export async function moveHorizon(tx: Tx, workspaceId: string, goneSeq: number, goneBefore: Date): Promise<void> {
  await tx.run(MOVE_HORIZON, [workspaceId, goneSeq, goneBefore])
}

export interface Horizon {
  /** Events up to this number are gone. */
  goneSeq: number
  /** All that are gone happened before this. */
  goneBefore: Date
}

const FIND_HORIZON = sql(`
  select gone_seq as "goneSeq", gone_before as "goneBefore"
  from event_horizons
  where workspace_id = $1`)

export const findHorizon = (db: Db, workspaceId: string): Promise<Horizon | undefined> => db.first<Horizon>(FIND_HORIZON, [workspaceId])
