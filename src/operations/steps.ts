import type { Context } from '../context/context.ts'
import type { Tx } from '../db/client.ts'
import { type Claim, holdsClaim, lockClaim, saveCheckpoint } from './claim-queries.ts'

const takenOver = (id: string): Error => new Error(`another worker has taken over operation ${id}`)

/** Runs a part of the work of an operation that stays even if the rest fails. Succeeds only while this worker holds the operation. */
export function whileOurs<T>({ db }: Pick<Context, 'db'>, claim: Claim, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.inTransaction(async tx => {
    if (!(await lockClaim(tx, claim))) throw takenOver(claim.id)
    return work(tx)
  })
}

/**
 * The same for parts that are done beside each other. The operation is not locked, so that its progress can be stored meanwhile; instead,
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
