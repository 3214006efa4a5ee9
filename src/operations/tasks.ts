import type { Context } from '../context/context.ts'
import type { Tx } from '../db/sql.ts'
import { compileCheck } from '../http/validation.ts'
import { AppError } from '../lib/errors.ts'
import type { Static, TSchema } from '../lib/type.ts'
import { type Claim, holdsClaim, lockClaim, saveCheckpoint } from './claim-queries.ts'
import type { OperationRow } from './queries.ts'

/** "Not finished, continue later": the work so far is committed, and this does not count as an attempt. */
export class Again {
  readonly delayMs: number

  constructor(delayMs: number) {
    this.delayMs = delayMs
  }
}

/** An operation whose stored input has been read with the schema of its action. */
export type OperationWith<I> = Omit<OperationRow, 'input'> & { input: I }

/** Work that is nothing but a transaction: several operations share one. */
interface TransactionTask {
  kind: 'transaction'
  apply(tx: Tx, ctx: Context, operation: OperationRow): Promise<unknown>
  /** Its effect was stored when the request was accepted and happens anyway, so it continues until the outcome is known. */
  isStoredWhenAccepted?: true
}

/** Shows on the operation how far it is. Each report replaces the one before; all are gone when the attempt ends. */
export type Report = (progress: unknown) => void

/** Work that reaches the outside world or takes long: done outside of any transaction, and concluded in one. */
export interface OutsideTask<I = OperationRow['input'], R = unknown> {
  kind: 'outside'
  run(ctx: Context, operation: OperationWith<I>, signal: AbortSignal, report: Report): Promise<(tx: Tx) => Promise<R | Again>>
  /** Describes what it reports while it runs. */
  progress?: TSchema
  /** Returns what was reserved if the operation fails. */
  abandon?(tx: Tx, ctx: Context, operation: OperationWith<I>, error: AppError): Promise<void>
  timeoutMs?: number
  /** For work that is done in steps, or is seen outside: what may be left when it fails, in a sentence. Without it, nothing is. */
  leaves?: string
}

export type OperationTask = TransactionTask | OutsideTask

/** `result` is the schema of the result of a successful operation. */
type Described<T> = T & { result: TSchema }
export type OperationTasks = Record<string, Described<OperationTask>>

/** Reads stored input. Input of another version of the service is validated, not trusted. */
function inputReader<S extends TSchema>(schema: S): (operation: OperationRow) => OperationWith<Static<S>> {
  const check = compileCheck(schema, 'body')
  return operation => {
    try {
      check(operation.input)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      throw new AppError('internal_error', `This version cannot read the stored request: ${why} Nothing was saved. Send the request again.`)
    }
    return operation as OperationWith<Static<S>>
  }
}

export function transactionTask<S extends TSchema, R extends TSchema>(
  input: S,
  result: R,
  apply: (tx: Tx, ctx: Context, operation: OperationWith<Static<S>>) => Promise<Static<R> | Again>,
  options: Pick<TransactionTask, 'isStoredWhenAccepted'> = {},
): Described<TransactionTask> {
  const read = inputReader(input)
  return { kind: 'transaction', result, apply: (tx, ctx, operation) => apply(tx, ctx, read(operation)), ...options }
}

export function outsideTask<S extends TSchema, R extends TSchema>(
  input: S,
  result: R,
  { run, abandon, ...work }: Omit<OutsideTask<Static<S>, Static<R>>, 'kind'>,
): Described<OutsideTask> {
  const read = inputReader(input)
  return {
    ...work,
    kind: 'outside',
    result,
    run: (ctx, operation, signal, report) => run(ctx, read(operation), signal, report),
    abandon: async (tx, ctx, operation, error) => abandon?.(tx, ctx, read(operation), error),
  }
}

// Steps of work that takes long: each is a transaction, and succeeds only while this worker holds the operation.

const takenOver = (id: string): Error => new Error(`another worker has taken over operation ${id}`)

/** Runs a part of the work of an operation that stays even if the rest fails. Succeeds only while this worker holds the operation. */
export function whileOurs<T>({ db }: Pick<Context, 'db'>, claim: Claim, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.inTransaction(async tx => {
    if (!(await lockClaim(tx, claim))) throw takenOver(claim.id)
    return work(tx)
  })
}

/**
 * The same for parts that run in parallel. The operation is not locked, so that its progress can be stored in the meantime; instead,
 * `lock` must lock what the next attempt locks before it writes anything.
 */
export function besideOthers<T>(
  { db }: Pick<Context, 'db'>,
  claim: Claim,
  lock: (tx: Tx) => Promise<unknown>,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return db.inTransaction(async tx => {
    await lock(tx)
    if (!(await holdsClaim(tx, claim))) throw takenOver(claim.id)
    return work(tx)
  })
}

/**
 * One step of a task as one transaction that also stores the progress of the task. A later attempt finds the progress in
 * `operation.checkpoint`, so no step is done twice and the counts are complete.
 */
export const takeStep = <C>(ctx: Pick<Context, 'db'>, operation: Claim, work: (tx: Tx) => Promise<C>): Promise<C> =>
  whileOurs(ctx, operation, async tx => {
    const checkpoint = await work(tx)
    await noteStep(operation)(tx, checkpoint)
    return checkpoint
  })

/** The note alone, for a step whose transaction is opened elsewhere. */
export const noteStep =
  (claim: Claim) =>
  async (tx: Tx, checkpoint: unknown): Promise<void> => {
    if (!(await saveCheckpoint(tx, claim, checkpoint))) throw takenOver(claim.id)
  }
