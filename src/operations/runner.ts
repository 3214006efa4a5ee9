import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../context/context.ts'
import { isConnectionRefused, type Tx } from '../db/client.ts'
import { backoffMs } from '../lib/backoff.ts'
import { AppError } from '../lib/errors.ts'
import { recordEvent } from '../modules/events/events.ts'
import { ClaimLoop } from '../queue/claim-loop.ts'
import type { WorkerIdentity } from '../queue/identity.ts'
import {
  claimOperations,
  type OperationError,
  type OperationRow,
  postponeOperation,
  releaseOperationsExcept,
  type Settlement,
  settleOperations,
} from './queries.ts'

/** "Not finished, look again in a while": what was done so far is committed, and it does not count as an attempt. */
export class Again {
  readonly delayMs: number

  constructor(delayMs: number) {
    this.delayMs = delayMs
  }
}

/** Work that is nothing but a transaction: several operations share one, each within a savepoint of its own. */
export interface TransactionTask {
  apply(tx: Tx, ctx: Context, operation: OperationRow): Promise<unknown>
}

/** Work that reaches the outside world or takes long: done outside of any transaction, and concluded in one. */
export interface OutsideTask {
  run(ctx: Context, operation: OperationRow, signal: AbortSignal): Promise<(tx: Tx) => Promise<unknown>>
  /** Puts back what was reserved, when the operation ends in failure. */
  abandon?(tx: Tx, ctx: Context, operation: OperationRow, error: AppError): Promise<void>
  timeoutMs?: number
}

export type OperationTask = TransactionTask | OutsideTask

export type OperationTasks = Record<string, OperationTask>

const MAX_ATTEMPTS = 8
const RETRY_BASE_MS = 250
const RETRY_MAX_MS = 30_000
const CONNECTION_DELAY_MS = 500
const GROUP_SIZE = 32
/** Groups of one workspace wait for each other at the end, where events get their numbers: more of them would only be smaller. */
const GROUPS_AT_ONCE = 3
const OUTSIDE_TIMEOUT_MS = 10 * 60_000
/** Outside work can be slow. It has room of its own, so that it never takes the room of the quick kind. */
const OUTSIDE_AT_ONCE = 16

type Outcome = { operation: OperationRow; settlement?: Settlement; again?: Again }

/** Claims operations in batches and carries them out. */
export class OperationRunner {
  readonly #ctx: Context
  readonly #tasks: OperationTasks
  readonly #identity: WorkerIdentity
  readonly #outsideActions: string[]
  readonly #loop: ClaimLoop<OperationRow>
  readonly #outside = new Set<Promise<void>>()
  readonly #inFlight = new Set<string>()
  /** True while rows may carry our number although nobody here works on them. */
  #mayHaveForgotten = false
  #stopped = false

  constructor(ctx: Context, tasks: OperationTasks, identity: WorkerIdentity) {
    this.#ctx = ctx
    this.#tasks = tasks
    this.#identity = identity
    this.#outsideActions = Object.keys(tasks).filter(action => 'run' in tasks[action]!)
    this.#loop = new ClaimLoop(
      {
        name: 'operations',
        topics: ['operations'],
        pollMs: 250,
        batchSize: GROUP_SIZE,
        capacity: GROUP_SIZE * GROUPS_AT_ONCE,
        batchesAtOnce: GROUPS_AT_ONCE,
        claim: limit => this.#claim(limit),
        handle: batch => this.#handle(batch),
      },
      ctx.wake,
      ctx.log,
    )
  }

  start(): void {
    this.#loop.start()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#loop.stop()
    await Promise.all(this.#outside)
  }

  /**
   * The answer to a claim can get lost on its way, and so can a result: such rows are ours by number, and this worker
   * lives, so nobody else would ever free them. They go back before the next claim.
   */
  async #claim(limit: number): Promise<OperationRow[]> {
    const workerId = await this.#identity.id()
    const excluded = this.#outside.size >= OUTSIDE_AT_ONCE ? this.#outsideActions : []
    const forgotten = this.#mayHaveForgotten
    // Cleared first: a result that gets lost while this is under way raises it again, and must not be overwritten.
    this.#mayHaveForgotten = false
    try {
      if (forgotten) await this.#ctx.db.inTransaction(tx => releaseOperationsExcept(tx, workerId, [...this.#inFlight]))
      const claimed = await claimOperations(this.#ctx.db, workerId, limit, excluded)
      for (const operation of claimed) this.#inFlight.add(operation.id)
      return claimed
    } catch (error) {
      this.#mayHaveForgotten = true
      throw error
    }
  }

  async #handle(batch: OperationRow[]): Promise<void> {
    const workerId = await this.#identity.id()
    const [exhausted, fresh] = split(batch, operation => operation.attempts > MAX_ATTEMPTS)
    const [outside, group] = split(fresh, operation => this.#outsideActions.includes(operation.action))
    for (const operation of outside) this.#begin(workerId, operation)
    // Every attempt so far took its worker down with it. The next one would too.
    if (exhausted.length > 0) await this.#tracked(exhausted, () => this.#failAll(workerId, exhausted))
    if (group.length > 0) await this.#tracked(group, () => this.#applyGroup(workerId, group))
  }

  /** To the loop a batch is busy until its last row is done, so slow work is counted apart from it. */
  #begin(workerId: number, operation: OperationRow): void {
    const work = this.#tracked([operation], () => this.#runOutside(workerId, operation, this.#tasks[operation.action] as OutsideTask))
      .catch(error => this.#ctx.log.error({ err: error, operationId: operation.id }, 'an operation was not written down'))
      .finally(() => {
        this.#outside.delete(work)
        this.#loop.poke()
      })
    this.#outside.add(work)
  }

  async #tracked(operations: OperationRow[], work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#mayHaveForgotten = true
      throw error
    } finally {
      for (const operation of operations) this.#inFlight.delete(operation.id)
    }
  }

  async #failAll(workerId: number, operations: OperationRow[]): Promise<void> {
    for (const operation of operations) await this.#fail(workerId, operation, REPEATED_FAILURE())
  }

  /**
   * One commit for the whole group. Savepoints would be two of five round trips and are of use only when an operation
   * fails, so the first try goes without them; when one fails, all is rolled back and done again with them. When the
   * group as such fails, each is tried alone.
   */
  async #applyGroup(workerId: number, group: OperationRow[], withSavepoints = false): Promise<void> {
    try {
      await this.#write(async tx => {
        const outcomes: Outcome[] = []
        for (const operation of group) outcomes.push(await this.#applyOne(tx, operation, withSavepoints))
        await this.#conclude(tx, workerId, outcomes)
      })
    } catch (error) {
      if (error instanceof AppError && group.length > 1 && !withSavepoints) return this.#applyGroup(workerId, group, true)
      if (error instanceof AppError && group.length === 1) return this.#fail(workerId, group[0]!, error)
      if (group.length === 1) return this.#retryLater(workerId, group[0]!, error)
      for (const operation of group) await this.#applyGroup(workerId, [operation])
    }
  }

  async #applyOne(tx: Tx, operation: OperationRow, withSavepoint: boolean): Promise<Outcome> {
    const task = this.#tasks[operation.action] as TransactionTask | undefined
    try {
      if (!task) throw new AppError('internal_error', `Nothing here can carry out ${operation.action}.`)
      const apply = (): Promise<unknown> => task.apply(tx, this.#ctx, operation)
      const result = await (withSavepoint ? tx.savepoint(apply) : apply())
      if (result instanceof Again) return { operation, again: result }
      return { operation, settlement: succeeded(operation, result) }
    } catch (error) {
      if (error instanceof AppError && withSavepoint) return { operation, settlement: failed(operation, error) }
      throw error
    }
  }

  async #runOutside(workerId: number, operation: OperationRow, task: OutsideTask): Promise<void> {
    try {
      const signal = AbortSignal.timeout(task.timeoutMs ?? OUTSIDE_TIMEOUT_MS)
      const finish = await task.run(this.#ctx, operation, signal)
      await this.#write(async tx => {
        const result = await finish(tx)
        const outcome = result instanceof Again ? { operation, again: result } : { operation, settlement: succeeded(operation, result) }
        await this.#conclude(tx, workerId, [outcome])
      })
    } catch (error) {
      if (error instanceof AppError && !error.retryable) await this.#fail(workerId, operation, error)
      else await this.#retryLater(workerId, operation, error)
    }
  }

  async #conclude(tx: Tx, workerId: number, outcomes: Outcome[]): Promise<void> {
    const settlements = outcomes.flatMap(outcome => outcome.settlement ?? [])
    const settled = settlements.length > 0 ? await settleOperations(tx, workerId, settlements) : []
    if (settled.length !== settlements.length) throw new LostClaim()
    for (const { operation, settlement, again } of outcomes) {
      if (again && !(await postponeOperation(tx, workerId, operation.id, again.delayMs, false))) throw new LostClaim()
      if (settlement) this.#announce(tx, operation, settlement)
    }
    tx.wake('operations.settled')
    // The next operation of the same campaign may have been waiting for this one.
    tx.wake('operations')
  }

  #announce(tx: Tx, operation: OperationRow, settlement: Settlement): void {
    recordEvent(tx, {
      workspaceId: operation.workspaceId,
      type: settlement.status === 'succeeded' ? 'operation.succeeded' : 'operation.failed',
      timestamp: this.#ctx.clock.now(),
      campaignId: operation.campaignId,
      data: {
        operationId: operation.id,
        action: operation.action,
        campaignId: operation.campaignId,
        ...(settlement.error ? { error: settlement.error } : {}),
      },
    })
  }

  /** An accident: tried again later, and when it has happened too often the operation fails, so that none hangs for ever. */
  async #retryLater(workerId: number, operation: OperationRow, error: unknown): Promise<void> {
    if (error instanceof LostClaim) return
    if (isConnectionRefused(error)) {
      return this.#write(tx => postponeOperation(tx, workerId, operation.id, CONNECTION_DELAY_MS, false))
    }
    this.#ctx.log.warn({ err: error, operationId: operation.id, attempt: operation.attempts }, 'an operation did not go through')
    if (operation.attempts >= MAX_ATTEMPTS) {
      const final = error instanceof AppError ? error : REPEATED_FAILURE()
      return this.#fail(workerId, operation, final)
    }
    const delayMs = backoffMs(operation.attempts, RETRY_BASE_MS, RETRY_MAX_MS)
    await this.#write(tx => postponeOperation(tx, workerId, operation.id, delayMs, true))
  }

  /** A connection that is refused now is there later; nothing has been tried until then, so it is no attempt either. */
  async #write(work: (tx: Tx) => Promise<unknown>): Promise<void> {
    for (;;) {
      try {
        await this.#ctx.db.inTransaction(work)
        return
      } catch (error) {
        if (this.#stopped || !isConnectionRefused(error)) throw error
        await sleep(CONNECTION_DELAY_MS)
      }
    }
  }

  async #fail(workerId: number, operation: OperationRow, error: AppError): Promise<void> {
    const task = this.#tasks[operation.action]
    await this.#write(async tx => {
      if (task && 'run' in task) await task.abandon?.(tx, this.#ctx, operation, error)
      await this.#conclude(tx, workerId, [{ operation, settlement: failed(operation, error) }])
    })
  }
}

const REPEATED_FAILURE = (): AppError => new AppError('internal_error', 'It failed repeatedly on our side. Nothing was saved.')

function split<T>(items: T[], test: (item: T) => boolean): [yes: T[], no: T[]] {
  return [items.filter(test), items.filter(item => !test(item))]
}

/** Somebody took this worker for dead and has the operation now. Whatever we did about it must not be saved. */
class LostClaim extends Error {}

const succeeded = (operation: OperationRow, result: unknown): Settlement => ({
  id: operation.id,
  status: 'succeeded',
  result: result ?? null,
  error: null,
})

function failed(operation: OperationRow, error: AppError): Settlement {
  const shown: OperationError = { code: error.code, message: error.message, retryable: error.retryable }
  return { id: operation.id, status: 'failed', result: null, error: shown }
}
