import type { Tx } from '../../db/client.ts'
import type { Ending } from '../../operations/claim-queries.ts'
import type { OperationRow } from '../../operations/queries.ts'
import { recordEvent } from '../events/events.ts'

/** An operation is over: the event says how it ended. */
export function announceOperation(tx: Tx, operation: OperationRow, ending: Ending, now: Date): void {
  const { id: operationId, workspaceId, action, campaignId } = operation
  const data = { operationId, action, campaignId }
  const when = { workspaceId, timestamp: now, campaignId }
  if (ending.error) recordEvent(tx, { ...when, type: 'operation.failed', data: { ...data, error: ending.error } })
  else recordEvent(tx, { ...when, type: 'operation.succeeded', data })
}
