import { type Db, sql } from '../../db/client.ts'
import type { Page } from '../../lib/page.ts'
import type { EventRow } from './queries.ts'

const LIST = sql(`
  select id, seq, type, timestamp, workspace_id as "workspaceId", data from events
  where workspace_id = $1 and lead_id = $2 and ($3::timestamptz is null or (timestamp, id) > ($3, $4::uuid))
  order by timestamp, id limit $5`)

export const listTimelineEvents = (db: Db, workspaceId: string, leadId: string, page: Page): Promise<EventRow[]> =>
  db.many<EventRow>(LIST, [workspaceId, leadId, page.after?.at, page.after?.id, page.limit + 1])
