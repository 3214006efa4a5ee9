import { AppError } from '../lib/errors.ts'
import type { Ending } from './claim-queries.ts'
import type { OperationError, OperationRow } from './queries.ts'
import { Again } from './tasks.ts'

/** The outcome of an attempt: the operation has ended, or it continues later. */
export type Outcome = { operation: OperationRow; ending?: Ending; again?: Again }

export const repeatedFailure = (): AppError => new AppError('internal_error', 'It failed repeatedly on our side. Nothing was saved.')

export const toOutcome = (operation: OperationRow, result: unknown): Outcome =>
  result instanceof Again
    ? { operation, again: result }
    : { operation, ending: { id: operation.id, status: 'succeeded', result: result ?? null, error: null } }

export function failed(operation: OperationRow, error: AppError): Ending {
  const shown: OperationError = { code: error.code, message: error.message, retryable: error.retryable }
  return { id: operation.id, status: 'failed', result: null, error: shown }
}

/** Somebody took this worker for dead and has the operation now. Whatever we did about it must not be saved. */
export class LostClaim extends Error {}

/** Of a campaign that waits. */
export const isBehind = (operation: OperationRow, waiting: ReadonlySet<string>): boolean =>
  operation.campaignId !== null && waiting.has(operation.campaignId)
