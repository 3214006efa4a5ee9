import type { TestClock } from '../context/test-clock.ts'
import { AppError } from '../lib/errors.ts'
import type { Ending, TimedEnding } from './claim-queries.ts'
import { endOf } from './ended-at.ts'
import type { OperationError, OperationRow } from './queries.ts'
import { Again } from './tasks.ts'

/** The outcome of an attempt: the operation has ended, or it continues later. */
export type Outcome = { operation: OperationRow; ending?: Ending; again?: Again }

export const repeatedFailure = (): AppError => new AppError('internal_error', 'It failed repeatedly on our side. Nothing was saved.')

export const toOutcome = (operation: OperationRow, result: unknown): Outcome =>
  result instanceof Again
    ? { operation, again: result }
    : { operation, ending: { id: operation.id, status: 'succeeded', result: result ?? null, error: null } }

/** Operations of one campaign that are applied together end together: none begins before the one ahead of it has ended. */
export function timedEndings(clock: TestClock, outcomes: readonly Outcome[]): TimedEnding[] {
  const ended = outcomes.flatMap(({ operation, ending }) => (ending ? [{ lane: operation.campaignId ?? operation.id, ending }] : []))
  const lanes = Map.groupBy(ended, ({ lane }) => lane)
  return [...lanes.values()].flatMap(lane => {
    const endedAt = endOf(
      clock,
      lane.map(({ ending }) => ending.result),
    )
    return lane.map(({ ending }) => ({ ...ending, endedAt }))
  })
}

export function failed(operation: OperationRow, error: AppError): Ending {
  const shown: OperationError = { code: error.code, message: error.message, retryable: error.retryable }
  return { id: operation.id, status: 'failed', result: null, error: shown }
}

/** Somebody took this worker for dead and has the operation now. Whatever we did about it must not be saved. */
export class LostClaim extends Error {}

/** Of a campaign that waits. */
export const isBehind = (operation: OperationRow, waiting: ReadonlySet<string>): boolean =>
  operation.campaignId !== null && waiting.has(operation.campaignId)
