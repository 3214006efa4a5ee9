import type { Context } from '../../context/context.ts'
import { type Caller, withDownload } from '../../http/access.ts'
import type { EventRow } from './queries.ts'

export const presentEvent = (row: EventRow, ctx: Pick<Context, 'link'>, caller: Caller) => ({
  id: row.id,
  seq: row.seq,
  type: row.type,
  timestamp: row.timestamp.toISOString(),
  workspaceId: row.workspaceId,
  data: withDownload(row.data, caller),
  links: { self: ctx.link(`/v1/workspaces/${row.workspaceId}/events/${row.id}`) },
})
