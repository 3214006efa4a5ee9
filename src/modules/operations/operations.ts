import type { Tx } from '../../db/client.ts'
import type { OperationRow, Settlement } from '../../operations/runner.ts'
import { recordEvent } from '../events/events.ts'

/** An operation is over: the event says how it ended. */
export function announceOperation(tx: Tx, operation: OperationRow, settlement: Settlement, now: Date): void {
  recordEvent(tx, {
    workspaceId: operation.workspaceId,
    type: settlement.status === 'succeeded' ? 'operation.succeeded' : 'operation.failed',
    timestamp: now,
    campaignId: operation.campaignId,
    data: {
      operationId: operation.id,
      action: operation.action,
      campaignId: operation.campaignId,
      ...(settlement.error ? { error: settlement.error } : {}),
    },
  })
}
