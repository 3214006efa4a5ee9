import type { HasLink } from '../../context/context.ts'
import type { Tx } from '../../db/sql.ts'
import { type Caller, withDownload } from '../../http/access.ts'
import { pick } from '../../lib/pick.ts'
import type { Ending } from '../../operations/claim-queries.ts'
import type { OperationRow } from '../../operations/queries.ts'
import { operationLink } from '../../operations/writes.ts'
import { recordEvent } from '../events/events.ts'
import { presentActor } from '../tokens/tokens.ts'
import type { ShownOperation } from './queries.ts'

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
