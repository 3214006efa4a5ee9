import type { Context } from '../context/context.ts'
import { isConnectionRefused, isDatabaseDown, isLockedByOthers, type Tx } from '../db/client.ts'
import { backoffMs, patientMs } from '../lib/backoff.ts'
import { AppError } from '../lib/errors.ts'
import type { WorkerIdentity } from '../queue/identity.ts'
import { LeasedQueue, type Piece } from '../queue/leased-queue.ts'
import { claimOperations, type Ending, endOperations, postponeOperations, releaseOperationsExcept } from './claim-queries.ts'
import { endOutside, LOCK_WAIT_MS, LOCKED_RETRY_MS } from './end-outside.ts'
import { failed, isBehind, LostClaim, type Outcome, repeatedFailure, timedEndings, toOutcome } from './outcomes.ts'
import { reporterOf } from './progress.ts'
import type { OperationRow } from './queries.ts'
import { Again, type OperationTask, type OutsideTask } from './tasks.ts'
import { wakeWaiting } from './waiting.ts'

/** Records the event that an operation is over, in the transaction that ends it. */
type Announce = (tx: Tx, operation: OperationRow, ending: Ending, now: Date) => void

export type { Ending, OperationRow }

const POLL_MS = 250
const MAX_ATTEMPTS = 8
const RETRY_BASE_MS = 250
const RETRY_MAX_MS = 30_000
const GROUP_SIZE = 128
/**
 * One group at a time, as large as possible: groups of one workspace would only wait for each other when events get their numbers. When a
 * group takes longer than this, others may start beside it.
 */
const SLOW_MS = 200
const GROUPS_AT_ONCE = 3
const LARGE_LOCK_WAIT_MS = 4000
/** After one locked row, the wait for the next ones is short. */
const NEXT_LOCK_WAIT_MS = 100
const OUTSIDE_TIMEOUT_MS = 10 * 60_000
/** Work that uses the network can be slow. It has its own limit, so that it never takes the place of quick work. */
const OUTSIDE_AT_ONCE = 16

/** Claims operations and carries them out. Those of one campaign are applied in the order in which they were accepted. */
export class OperationRunner {
  readonly #ctx: Context
  readonly #tasks: Record<string, OperationTask>
  readonly #announce: Announce
  readonly #queue: LeasedQueue<OperationRow>
  readonly #outsideActions: string[]
  readonly #running = { groups: 0, outside: 0, large: 0 }
  #lastBegunMs = 0
  #lastLane: string | null = null

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
    if (this.#running.groups === 0) return true
    return this.#running.groups < GROUPS_AT_ONCE && performance.now() - this.#lastBegunMs >= SLOW_MS
  }

  /** Claims from the lanes in turn, so that a long lane does not block the others. */
  async #claim(workerId: number, limit: number): Promise<OperationRow[]> {
    const rows = await claimOperations(this.#ctx.db, workerId, limit, {
      outsideActions: this.#outsideActions,
      isOutsideAllowed: this.#running.outside < OUTSIDE_AT_ONCE,
      isLargeAllowed: this.#running.large === 0,
      afterLane: this.#lastLane,
    })
    // A claim that is not full has reached the last lane, so the next one begins with the first.
    this.#lastLane =
      rows.length < limit
        ? null
        : (rows
            .flatMap(row => row.campaignId ?? [])
            .sort()
            .at(-1) ?? null)
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
    return operation.attempts > 1 ? 'alone' : 'group'
  }

  #piece(rows: OperationRow[], kind: 'groups' | 'outside' | 'large', work: () => Promise<unknown>): Piece<OperationRow> {
    this.#running[kind]++
    this.#lastBegunMs = performance.now()
    const done = work().then(() => undefined)
    return { rows, done: done.finally(() => this.#running[kind]--) }
  }

  /**
   * One commit for the whole group. Savepoints would be two of five round trips and help only when an operation fails. So the first try has
   * none; after a failure, everything is rolled back and repeated with savepoints.
   */
  async #applyGroup(workerId: number, group: OperationRow[], withSavepoints = false, lockWaitMs = LOCK_WAIT_MS): Promise<void> {
    let current: OperationRow | null = null
    try {
      await this.#ctx.db.inImpatience(lockWaitMs, async tx => {
        const outcomes: Outcome[] = []
        const waiting = new Set<string>()
        for (const operation of group) {
          current = operation
          const isHeld = isBehind(operation, waiting)
          const outcome = isHeld ? { operation, again: new Again(0) } : await this.#apply(tx, operation, withSavepoints)
          if (outcome.again && operation.campaignId) waiting.add(operation.campaignId)
          outcomes.push(outcome)
        }
        current = null
        await this.#conclude(tx, workerId, outcomes)
      })
    } catch (error) {
      if (isConnectionRefused(error)) return this.#putBack(workerId, group, RETRY_BASE_MS, false)
      if (isDatabaseDown(error)) throw error
      if (error instanceof AppError && !withSavepoints) return this.#applyGroup(workerId, group, true, lockWaitMs)
      const nextWaitMs = isLockedByOthers(error) ? NEXT_LOCK_WAIT_MS : lockWaitMs
      if (current) return this.#applyRest(workerId, group, current, error, nextWaitMs)
      await this.#applyEach(workerId, group, nextWaitMs)
    }
  }

  /** An operation failed unexpectedly: the others are applied without it, and the operations behind it in its lane wait with it. */
  async #applyRest(workerId: number, group: OperationRow[], unlucky: OperationRow, error: unknown, lockWaitMs: number): Promise<void> {
    const isOver = await this.#recover(workerId, unlucky, error)
    const waiting = new Set(isOver || unlucky.campaignId === null ? [] : [unlucky.campaignId])
    const isWaiting = (operation: OperationRow): boolean => operation.seq > unlucky.seq && isBehind(operation, waiting)
    const held = group.filter(isWaiting)
    if (held.length > 0) await this.#putBack(workerId, held, 0, false)
    const rest = group.filter(operation => operation !== unlucky && !isWaiting(operation))
    if (rest.length > 0) await this.#applyGroup(workerId, rest, false, lockWaitMs)
  }

  /** The commit failed for an unknown reason. Operations behind one that is tried again wait with it. */
  async #applyEach(workerId: number, group: OperationRow[], lockWaitMs: number): Promise<void> {
    const waiting = new Set<string>()
    for (const operation of group) {
      if (isBehind(operation, waiting)) await this.#putBack(workerId, [operation], 0, false)
      else if (!(await this.#applyAlone(workerId, operation, lockWaitMs)) && operation.campaignId) waiting.add(operation.campaignId)
    }
  }

  async #applyAlone(workerId: number, operation: OperationRow, lockWaitMs = LOCK_WAIT_MS): Promise<boolean> {
    // Every attempt so far has killed its worker, and the next one would, too.
    if (operation.attempts > MAX_ATTEMPTS) {
      await this.#fail(workerId, operation, repeatedFailure())
      return true
    }
    try {
      return await this.#ctx.db.inImpatience(lockWaitMs, async tx => {
        const outcome = await this.#apply(tx, operation, false)
        await this.#conclude(tx, workerId, [outcome])
        return outcome.ending !== undefined
      })
    } catch (error) {
      return this.#recover(workerId, operation, error)
    }
  }

  async #apply(tx: Tx, operation: OperationRow, withSavepoint: boolean): Promise<Outcome> {
    const task = this.#tasks[operation.action]
    try {
      if (task?.kind !== 'transaction')
        throw new AppError('internal_error', `This version of the service does not know the action ${operation.action}.`)
      const apply = (): Promise<unknown> => task.apply(tx, this.#ctx, operation)
      return toOutcome(operation, await (withSavepoint ? tx.savepoint(apply) : apply()))
    } catch (error) {
      if (error instanceof AppError && withSavepoint) return { operation, ending: failed(operation, error) }
      throw error
    }
  }

  async #runOutside(workerId: number, operation: OperationRow): Promise<void> {
    const task = this.#tasks[operation.action] as OutsideTask
    if (operation.attempts > MAX_ATTEMPTS) return this.#fail(workerId, operation, repeatedFailure())
    try {
      // When this process stops, a long import ends after its current step, and continues in another process.
      const signal = AbortSignal.any([this.#queue.signal, AbortSignal.timeout(task.timeoutMs ?? OUTSIDE_TIMEOUT_MS)])
      const finish = await task.run(this.#ctx, operation, signal, reporterOf(this.#ctx, workerId, operation))
      const end = async (tx: Tx) => this.#conclude(tx, workerId, [toOutcome(operation, await finish(tx))])
      await endOutside(this.#ctx.db, this.#queue.signal, this.#running, end)
    } catch (error) {
      await this.#recover(workerId, operation, error)
    }
  }

  async #conclude(tx: Tx, workerId: number, outcomes: Outcome[]): Promise<void> {
    const endings = timedEndings(this.#ctx.testClock, outcomes)
    if (endings.length > 0 && (await endOperations(tx, workerId, endings)).length !== endings.length) throw new LostClaim()
    for (const { operation, ending, again } of outcomes) {
      if (again && (await postponeOperations(tx, workerId, [operation.id], again.delayMs, false)) === 0) throw new LostClaim()
      if (ending) this.#announce(tx, operation, ending, this.#ctx.clock.now())
    }
    wakeWaiting(tx, endings)
    // The next operation of the same campaign may have been waiting for this one.
    tx.wake('operations')
  }

  /** An expected failure ends the operation; after an unexpected one it is tried again later. Returns true when the operation has ended. */
  async #recover(workerId: number, operation: OperationRow, error: unknown): Promise<boolean> {
    if (error instanceof LostClaim) return false
    if (this.#queue.signal.aborted && !(error instanceof AppError)) {
      await this.#putBack(workerId, [operation], 0, false)
      return false
    }
    if (error instanceof AppError && (!error.retryable || operation.attempts >= MAX_ATTEMPTS)) {
      await this.#fail(workerId, operation, error)
      return true
    }
    // Missing connections and locked rows say nothing about the operation, so this does not count as an attempt.
    if (isLockedByOthers(error)) {
      this.#ctx.log.info({ operationId: operation.id }, 'an operation waits for a row that others keep locked')
      const waitedMs = this.#ctx.clock.now().getTime() - (operation.startedAt ?? operation.createdAt).getTime()
      await this.#putBack(workerId, [operation], patientMs(waitedMs, LOCKED_RETRY_MS, RETRY_MAX_MS), false)
      return false
    }
    this.#ctx.log.warn({ err: error, operationId: operation.id, attempt: operation.attempts }, 'an operation did not go through')
    if (isConnectionRefused(error)) {
      await this.#putBack(workerId, [operation], RETRY_BASE_MS, false)
      return false
    }
    if (operation.attempts >= MAX_ATTEMPTS) {
      await this.#fail(workerId, operation, repeatedFailure())
      return true
    }
    await this.#putBack(workerId, [operation], backoffMs(operation.attempts, RETRY_BASE_MS, RETRY_MAX_MS), true)
    return false
  }

  async #putBack(workerId: number, operations: OperationRow[], delayMs: number, countsAsAttempt: boolean): Promise<void> {
    const ids = operations.map(operation => operation.id)
    await this.#queue.record(() =>
      this.#ctx.db.inTransaction(async tx => void (await postponeOperations(tx, workerId, ids, delayMs, countsAsAttempt))),
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
