import type { HasLink } from '../../context/context.ts'
import type { Tx } from '../../db/sql.ts'
import { type Caller, withDownload } from '../../http/access.ts'
import { pick } from '../../lib/pick.ts'
import type { Ending } from '../../operations/claim-queries.ts'
import type { OperationRow } from '../../operations/queries.ts'
import { operationLink } from '../../operations/writes.ts'
import { recordEvent } from '../events/events.ts'
import type { ActorRow, ShownOperation } from './queries.ts'

/** The event of an ended operation. */
export function announceOperation(tx: Tx, operation: OperationRow, ending: Ending, now: Date): void {
  const { id: operationId, workspaceId, action, campaignId } = operation
  const data = { operationId, action, campaignId }
  const when = { workspaceId, timestamp: now, campaignId }
  if (ending.error) recordEvent(tx, { ...when, type: 'operation.failed', data: { ...data, error: ending.error } })
  else recordEvent(tx, { ...when, type: 'operation.succeeded', data })
}

export function presentOperation(row: ShownOperation, ctx: HasLink, caller: Caller) {
  return {
    ...pick(row, 'id', 'action', 'status', 'error', 'createdAt', 'startedAt', 'completedAt'),
    actor: presentActor(row.actor),
    result: withDownload(row.result ?? null, caller),
    ...(row.doneCount == null ? {} : { doneCount: row.doneCount }),
    ...(row.progress == null ? {} : { progress: row.progress }),
    links: { self: operationLink(ctx, row.id) },
  }
}

/** Without a token, the service itself acted, or the token was deleted with its user. */
export const presentActor = (row: ActorRow | null) =>
  row ? { type: row.type, id: row.id, name: row.name } : { type: 'system', id: null, name: 'Overture' }
