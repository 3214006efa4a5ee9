import type { Context } from '../context/context.ts'
import { setProgress } from './claim-queries.ts'
import type { OperationRow } from './queries.ts'
import type { Report } from './tasks.ts'

/**
 * Stores the reports of a running operation. Only the newest one counts: reports that arrive while one is being stored replace each other.
 * A report that cannot be stored is lost, and the operation continues.
 */
export function reporterOf(ctx: Pick<Context, 'db' | 'log'>, workerId: number, operation: Pick<OperationRow, 'id' | 'attempts'>): Report {
  let next: unknown
  let isStoring = false
  const store = async (): Promise<void> => {
    isStoring = true
    while (next !== undefined) {
      const progress = next
      next = undefined
      await setProgress(ctx.db, workerId, operation, progress).catch(error =>
        ctx.log.warn({ err: error, operationId: operation.id }, 'the progress of an operation could not be stored'),
      )
    }
    isStoring = false
  }
  return progress => {
    next = progress
    if (!isStoring) void store()
  }
}
