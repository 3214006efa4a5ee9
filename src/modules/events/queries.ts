import { type Db, sql, type Tx } from '../../db/client.ts'

export interface EventRow {
  id: string
  seq: number
  type: string
  timestamp: Date
  workspaceId: string
  data: Record<string, unknown>
}

export interface NewEventRow {
  id: string
  workspaceId: string
  type: string
  timestamp: Date
  campaignId: string | null
  leadId: string | null
  data: Record<string, unknown>
}

const INSERT = sql(`
  with counter as (
    insert into event_streams (workspace_id, seq)
    values ($1, $2)
    on conflict (workspace_id) do update
    set seq = event_streams.seq + $2
    returning seq
  )
  insert into events (workspace_id, seq, id, type, timestamp, campaign_id, lead_id, data)
  select $1, counter.seq - $2 + r.n, r.id, r.type, r.timestamp, r."campaignId", r."leadId", r.data
  from counter, jsonb_to_recordset($3::jsonb) as r(
    n int, id uuid, type text, timestamp timestamptz, "campaignId" uuid, "leadId" uuid, data jsonb)`)

/** Numbered without a gap, in the order given. */
export async function insertEvents(tx: Tx, workspaceId: string, events: NewEventRow[]): Promise<void> {
  const rows = events.map(({ workspaceId: _, ...event }, index) => ({ n: index + 1, ...event }))
  await tx.run(INSERT, [workspaceId, events.length, JSON.stringify(rows)])
}

const COLUMNS = 'id, seq, type, timestamp, workspace_id as "workspaceId", data'

const FIND = sql(`
  select ${COLUMNS}
  from events
  where id = $2 and workspace_id = $1`)

export const findEvent = (db: Db, workspaceId: string, id: string): Promise<EventRow | undefined> =>
  db.first<EventRow>(FIND, [workspaceId, id])

const LIST = sql(`
  select ${COLUMNS}
  from events
  where workspace_id = $1 and seq > $2 and ($3::text[] is null or type = any($3))
  order by seq
  limit $4`)

export const listEvents = (db: Db, workspaceId: string, after: number, types: string[] | null, limit: number): Promise<EventRow[]> =>
  db.many<EventRow>(LIST, [workspaceId, after, types, limit])
