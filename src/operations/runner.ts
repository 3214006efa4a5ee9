import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../context/context.ts'
import { isConnectionRefused, isDatabaseDown, isLockedByOthers } from '../db/errors.ts'
import type { Tx } from '../db/sql.ts'
import { backoffMs, patientMs } from '../lib/backoff.ts'
import { AppError } from '../lib/errors.ts'
import { Tally } from '../lib/tally.ts'
import type { WorkerIdentity } from '../queue/identity.ts'
import { LeasedQueue, type Piece } from '../queue/leased-queue.ts'
import {
  claimIsolated,
  claimOperations,
  type Ending,
  endOperations,
  ISOLATED,
  lookAgainLater,
  postponeOperations,
  releaseOperationsExcept,
  setProgress,
} from './claim-queries.ts'
import type { OperationRow } from './queries.ts'
import { checkApproval, registryOf } from './registry.ts'
import { Again, type OperationTask, type OutsideTask, type Report } from './tasks.ts'
import { wakeWaiting } from './waiting.ts'

/** Records the event that an operation is over, in the transaction that ends it. */
type Announce = (tx: Tx, operation: OperationRow, ending: Ending, now: Date) => void

const POLL_MS = 250
const MAX_ATTEMPTS = 8
const RETRY_BASE_MS = 250
const RETRY_MAX_MS = 30_000
const GROUP_SIZE = 128
/** Requests at the same moment may exceed the allowed number of open operations by a few, and the number may have been lowered. */
const USUALLY_OPEN = 1000
/**
 * A group waits for PostgreSQL most of the time, so others run in parallel. More than three would only wait for each other when events get
 * their numbers. One at a time misses the floor of operations accepted and succeeded (`npm run bench -- foundation operations`).
 */
const GROUPS_AT_ONCE = 3
/** A locked row delays its own operation, which is tried again later, and delays others no longer than this. */
const LOCK_WAIT_MS = 1000
const LOCKED_RETRY_MS = 2000
const LARGE_LOCK_WAIT_MS = 4000
/** After one locked row, the wait for the next ones is short. */
const NEXT_LOCK_WAIT_MS = 100
/** The next worker would do the work outside again. Shorter than the limit of a statement, so that it still ends as a locked row. */
const LAST_LOCK_WAIT_MS = 14_000
const OUTSIDE_TIMEOUT_MS = 10 * 60_000
/** Work that uses the network can be slow. It has its own limit, so that it never takes the place of quick work. */
const OUTSIDE_AT_ONCE = 16
/** One workspace leaves room for the others. */
const OUTSIDE_PER_WORKSPACE = 12
/** Operations that have to be tried alone are rare. */
const ISOLATED_EVERY_MS = 1000

/** The place where an operation runs. An isolated one runs alone. */
type Place = 'groups' | 'outside' | 'large' | 'isolated'

/** Claims operations and carries them out. Those of one campaign are applied in the order in which they were accepted. */
export class OperationRunner {
  readonly #ctx: Context
  readonly #tasks: Record<string, OperationTask>
  readonly #announce: Announce
  readonly #queue: LeasedQueue<OperationRow>
  readonly #outsideActions: string[]
  readonly #running: Record<Place, number> = { groups: 0, outside: 0, large: 0, isolated: 0 }
  readonly #outsideOf = new Tally()
  #lookedForIsolatedMs = 0

  constructor(ctx: Context, tasks: Record<string, OperationTask>, announce: Announce, identity: Pick<WorkerIdentity, 'id'>) {
    this.#ctx = ctx
    this.#tasks = tasks
    this.#announce = announce
    this.#outsideActions = Object.keys(tasks).filter(action => tasks[action]!.kind === 'outside')
    this.#queue = new LeasedQueue(ctx, identity, {
      name: 'operations',
      topics: ['operations'],
      pollMs: POLL_MS,
      room: () => (this.#mayBegin() ? GROUP_SIZE : 0),
      claim: (workerId, limit) => this.#claim(workerId, limit),
      // Operations outside and large ones can stand before others that may be claimed, too.
      mayHaveLeft: (rows, limit) => rows.length >= limit || rows.some(row => !['alone', 'group'].includes(this.#kindOf(row))),
      begin: (rows, workerId) => this.#begin(rows, workerId),
      giveBackExcept: (workerId, ids) => ctx.db.inTransaction(tx => releaseOperationsExcept(tx, workerId, ids)),
      graceMs: ctx.config.stopGraceSeconds * 1000,
    })
  }

  start(): void {
    this.#queue.start()
  }

  stop(): Promise<void> {
    return this.#queue.stop()
  }

  #mayBegin(): boolean {
    return this.#running.isolated === 0 && this.#running.groups < GROUPS_AT_ONCE
  }

  async #claim(workerId: number, limit: number): Promise<OperationRow[]> {
    const { db, config } = this.#ctx
    const onlyRead = registryOf(this.#ctx).actions.having('onlyReads')
    if (this.#queue.inHand === 0 && performance.now() - this.#lookedForIsolatedMs > ISOLATED_EVERY_MS) {
      const isolated = await claimIsolated(db, workerId, onlyRead)
      if (isolated.length > 0) return isolated
      this.#lookedForIsolatedMs = performance.now()
    }
    const rows = await claimOperations(db, workerId, limit, {
      outsideActions: this.#outsideActions,
      outsideRoom: Math.max(0, OUTSIDE_AT_ONCE - this.#running.outside),
      largeRoom: this.#running.large === 0 ? 1 : 0,
      crowdedWorkspaces: [...this.#outsideOf.counts.keys()].filter(id => this.#outsideOf.of(id) >= OUTSIDE_PER_WORKSPACE),
      onlyRead,
      maxOpen: Math.max(config.maxOpenOperations, USUALLY_OPEN) + GROUP_SIZE,
    })
    return rows.sort((a, b) => a.seq - b.seq)
  }

  #begin(rows: OperationRow[], workerId: number): Piece<OperationRow>[] {
    const { outside = [], large = [], alone = [], group = [] } = Object.groupBy(rows, row => this.#kindOf(row))
    const pieces = outside.map(row => this.#piece([row], 'outside', () => this.#runOutside(workerId, row)))
    for (const row of large) pieces.push(this.#piece([row], 'large', () => this.#applyAlone(workerId, row, LARGE_LOCK_WAIT_MS)))
    if (group.length === 1) alone.push(group.pop()!)
    for (const row of alone) pieces.push(this.#piece([row], 'groups', () => this.#applyAlone(workerId, row)))
    if (group.length > 0) pieces.push(this.#piece(group, 'groups', () => this.#applyGroup(workerId, group)))
    return pieces
  }

  /** An operation that was begun before and did not end may have killed its worker, so it gets a transaction of its own. */
  #kindOf(operation: OperationRow): 'outside' | 'large' | 'alone' | 'group' {
    if (this.#tasks[operation.action]?.kind === 'outside') return 'outside'
    if (operation.isLarge) return 'large'
    return operation.attempts > 1 || operation.suspicion > 0 ? 'alone' : 'group'
  }

  #piece(rows: OperationRow[], kind: 'groups' | 'outside' | 'large', work: () => Promise<unknown>): Piece<OperationRow> {
    const place = rows[0]!.suspicion === ISOLATED ? 'isolated' : kind
    const { workspaceId } = rows[0]!
    this.#running[place]++
    if (kind === 'outside') this.#outsideOf.add(workspaceId, 1)
    const done = work().then(() => undefined)
    return {
      rows,
      done: done.finally(() => {
        this.#running[place]--
        if (kind === 'outside') this.#outsideOf.add(workspaceId, -1)
      }),
    }
  }

  /**
   * One commit for the whole group. Savepoints would be two of five round trips and help only when an operation fails. So the first try has
   * none; after a failure, everything is rolled back and repeated with savepoints.
   */
  async #applyGroup(workerId: number, group: OperationRow[], withSavepoints = false, lockWaitMs = LOCK_WAIT_MS): Promise<void> {
    let current: OperationRow | null = null
    try {
      await this.#ctx.db.withLockTimeout(lockWaitMs, async tx => {
        const outcomes: Outcome[] = []
        for (const operation of group) {
          current = operation
          outcomes.push(await this.#apply(tx, operation, withSavepoints))
        }
        current = null
        await this.#conclude(tx, workerId, outcomes)
      })
    } catch (error) {
      if (isConnectionRefused(error)) return this.#putBack(workerId, group, RETRY_BASE_MS, false)
      if (isDatabaseDown(error)) throw error
      if (error instanceof AppError && !withSavepoints) return this.#applyGroup(workerId, group, true, lockWaitMs)
      const nextWaitMs = isLockedByOthers(error) ? NEXT_LOCK_WAIT_MS : lockWaitMs
      const unlucky: OperationRow | null = current
      // The commit failed for an unknown reason.
      if (!unlucky) for (const operation of group) await this.#applyAlone(workerId, operation, nextWaitMs)
      else {
        await this.#recover(workerId, unlucky, error)
        const rest = group.filter(operation => operation !== unlucky)
        if (rest.length > 0) await this.#applyGroup(workerId, rest, false, nextWaitMs)
      }
    }
  }

  async #applyAlone(workerId: number, operation: OperationRow, lockWaitMs = LOCK_WAIT_MS): Promise<void> {
    // Every attempt so far has killed its worker, and the next one would, too.
    if (operation.attempts > MAX_ATTEMPTS && this.#mayGiveUp(operation)) return this.#giveUp(workerId, operation)
    try {
      await this.#ctx.db.withLockTimeout(lockWaitMs, async tx => {
        await this.#conclude(tx, workerId, [await this.#apply(tx, operation, false)])
      })
    } catch (error) {
      await this.#recover(workerId, operation, error)
    }
  }

  async #apply(tx: Tx, operation: OperationRow, withSavepoint: boolean): Promise<Outcome> {
    const task = this.#tasks[operation.action]
    try {
      if (task?.kind !== 'transaction')
        throw new AppError('internal_error', `This version of the service does not know the action ${operation.action}.`)
      const apply = async (): Promise<unknown> => {
        await checkApproval(tx, this.#ctx, operation)
        return task.apply(tx, this.#ctx, operation)
      }
      return toOutcome(operation, await (withSavepoint ? tx.savepoint(apply) : apply()))
    } catch (error) {
      if (error instanceof AppError && withSavepoint) return { operation, ending: failed(operation, error) }
      throw error
    }
  }

  async #runOutside(workerId: number, operation: OperationRow): Promise<void> {
    const task = this.#tasks[operation.action] as OutsideTask
    if (operation.attempts > MAX_ATTEMPTS) return this.#giveUp(workerId, operation)
    try {
      await this.#ctx.db.inTransaction(tx => checkApproval(tx, this.#ctx, operation))
      // When this process stops, a long import ends after its current step, and continues in another process.
      const signal = AbortSignal.any([this.#queue.signal, AbortSignal.timeout(task.timeoutMs ?? OUTSIDE_TIMEOUT_MS)])
      const finish = await task.run(this.#ctx, operation, signal, this.#reporterOf(workerId, operation))
      await this.#endOutside(async tx => this.#conclude(tx, workerId, [toOutcome(operation, await finish(tx))]))
    } catch (error) {
      await this.#recover(workerId, operation, error)
    }
  }

  /**
   * Outside work, such as sending a message, is not repeated because a row is locked: only its end is repeated. The
   * operation keeps its worker meanwhile, but neither its place nor a connection. A process that stops waits for the row one last time.
   */
  async #endOutside(end: (tx: Tx) => Promise<void>): Promise<void> {
    const stopping = this.#queue.signal
    for (;;) {
      if (stopping.aborted) return this.#ctx.db.withLockTimeout(LAST_LOCK_WAIT_MS, end)
      try {
        return await this.#ctx.db.withLockTimeout(LOCK_WAIT_MS, end)
      } catch (error) {
        if (!isLockedByOthers(error)) throw error
      }
      this.#running.outside--
      await sleep(LOCKED_RETRY_MS, undefined, { signal: stopping }).catch(() => {})
      this.#running.outside++
    }
  }

  /** Stores the reports of a running operation, one after the other. A report that cannot be stored is lost, and the operation continues. */
  #reporterOf(workerId: number, operation: OperationRow): Report {
    const { db, log } = this.#ctx
    let stored = Promise.resolve()
    return progress => {
      stored = stored
        .then(() => setProgress(db, workerId, operation, progress))
        .catch(error => log.warn({ err: error, operationId: operation.id }, 'the progress of an operation could not be stored'))
    }
  }

  async #conclude(tx: Tx, workerId: number, outcomes: Outcome[]): Promise<void> {
    const endings = outcomes.flatMap(({ ending }) => ending ?? [])
    const { testClock, clock } = this.#ctx
    // Operations use real time, and the data that they change uses the test clock.
    const stored = endings.length === 0 ? [] : await endOperations(tx, workerId, endings, testClock.real.now())
    if (stored.length !== endings.length) throw new LostClaim()
    for (const { operation, ending, again } of outcomes) {
      // The changes of a transaction that asks to be continued are in effect from this commit on.
      const isUnderway = this.#tasks[operation.action]?.kind === 'transaction'
      if (again && !(await lookAgainLater(tx, workerId, operation.id, again.delayMs, isUnderway))) throw new LostClaim()
      if (ending) this.#announce(tx, operation, ending, clock.now())
    }
    if (endings.length > 0) wakeWaiting(tx)
    // The next operation of the same campaign may have been waiting for this one.
    tx.wake('operations')
  }

  /** An expected failure ends the operation; after an unexpected one it is tried again later. */
  async #recover(workerId: number, operation: OperationRow, error: unknown): Promise<void> {
    if (error instanceof LostClaim) return
    if (this.#queue.signal.aborted && !(error instanceof AppError)) return this.#putBack(workerId, [operation], 0, false)
    const isOver = operation.attempts >= MAX_ATTEMPTS && this.#mayGiveUp(operation)
    if (error instanceof AppError && (!error.retryable || isOver)) return this.#fail(workerId, operation, error)
    // Missing connections and locked rows say nothing about the operation, so this does not count as an attempt.
    if (isLockedByOthers(error)) {
      this.#ctx.log.info({ operationId: operation.id }, 'an operation waits for a row that others keep locked')
      const waitedMs = this.#ctx.clock.now().getTime() - (operation.startedAt ?? operation.createdAt).getTime()
      return this.#putBack(workerId, [operation], patientMs(waitedMs, LOCKED_RETRY_MS, RETRY_MAX_MS), false)
    }
    this.#ctx.log.warn({ err: error, operationId: operation.id, attempt: operation.attempts }, 'an operation failed')
    if (isConnectionRefused(error)) return this.#putBack(workerId, [operation], RETRY_BASE_MS, false)
    if (isOver) return this.#giveUp(workerId, operation)
    await this.#putBack(workerId, [operation], backoffMs(operation.attempts, RETRY_BASE_MS, RETRY_MAX_MS), true)
  }

  async #putBack(workerId: number, operations: OperationRow[], delayMs: number, countsAsAttempt: boolean): Promise<void> {
    const ids = operations.map(operation => operation.id)
    await this.#queue.record(() =>
      this.#ctx.db.inTransaction(async tx => void (await postponeOperations(tx, workerId, ids, delayMs, countsAsAttempt))),
    )
  }

  /** An effect that is already visible cannot be undone by a failure, so such an operation continues until its outcome is known. */
  #mayGiveUp({ action, isUnderway }: OperationRow): boolean {
    const task = this.#tasks[action]
    return !isUnderway && !(task?.kind === 'transaction' && task.isStoredWhenAccepted)
  }

  #giveUp(workerId: number, operation: OperationRow): Promise<void> {
    const task = this.#tasks[operation.action]
    const left = (task?.kind === 'outside' && task.leaves) || 'Nothing was saved.'
    return this.#fail(
      workerId,
      operation,
      new AppError('internal_error', `The operation failed repeatedly because of an internal error. ${left}`),
    )
  }

  async #fail(workerId: number, operation: OperationRow, error: AppError): Promise<void> {
    const task = this.#tasks[operation.action]
    await this.#ctx.db.inTransaction(async tx => {
      if (task?.kind === 'outside') await task.abandon?.(tx, this.#ctx, operation, error)
      await this.#conclude(tx, workerId, [{ operation, ending: failed(operation, error) }])
    })
  }
}

/** The outcome of an attempt: the operation has ended, or it continues later. */
type Outcome = { operation: OperationRow; ending?: Ending; again?: Again }

const toOutcome = (operation: OperationRow, result: unknown): Outcome =>
  result instanceof Again
    ? { operation, again: result }
    : { operation, ending: { id: operation.id, status: 'succeeded', result: result ?? null, error: null } }

const failed = ({ id }: OperationRow, { code, message, retryable }: AppError): Ending => ({
  ...{ id, status: 'failed', result: null },
  error: { code, message, retryable },
})

/** Another worker considered this one dead and has the operation now. None of our work on it may be saved. */
class LostClaim extends Error {}
