import { type Db, sql } from '../../db/client.ts'
import type { EventRow } from './queries.ts'

// By number and not by time: what happened in one transaction has one timestamp.
const LIST = sql(`
  select id, seq, type, timestamp, workspace_id as "workspaceId", campaign_id as "campaignId", lead_id as "leadId",
    data
  from events
  where workspace_id = $1 and lead_id = $2 and seq > $3
  order by seq
  limit $4`)

const FIND = sql(`
  select id, seq, type, timestamp, workspace_id as "workspaceId", campaign_id as "campaignId", lead_id as "leadId", data
  from events
  where id = $3 and workspace_id = $1 and lead_id = $2`)

export const findTimelineEvent = (db: Db, workspaceId: string, leadId: string, id: string): Promise<EventRow | undefined> =>
  db.first<EventRow>(FIND, [workspaceId, leadId, id])

export const listTimelineEvents = (db: Db, workspaceId: string, leadId: string, afterSeq: number, limit: number): Promise<EventRow[]> =>
  db.many<EventRow>(LIST, [workspaceId, leadId, afterSeq, limit])
