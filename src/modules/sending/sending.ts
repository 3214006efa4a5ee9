import type { Tx } from '../../db/client.ts'
import { putBackIntoQueue } from '../leads/queue-queries.ts'
import { giveBackLoads } from '../mailboxes/mailboxes.ts'
import { putBackAnswers } from './answer-queries.ts'
import { doubtDeadSends, type ReleasedSend, releaseDeadClaims, releaseSends, releaseSendsExcept, requeueUnknown } from './queries.ts'

// The rules about messages that other slices and the steps of sending call.

/** Gives claims back when nothing has left, and returns how many. */
export async function releaseClaims(tx: Tx, workerId: number, ids: string[]): Promise<number> {
  return putBack(tx, await releaseSends(tx, workerId, ids))
}

/** After the answer to a claim was lost: gives back every message of this worker that it does not work on. */
export async function releaseClaimsExcept(tx: Tx, workerId: number, ids: string[]): Promise<number> {
  return putBack(tx, await releaseSendsExcept(tx, workerId, ids))
}

/** The message certainly has not left, so it is sent again. */
export async function requeueSend(tx: Tx, id: string): Promise<number> {
  return putBack(tx, await requeueUnknown(tx, id))
}

/** Claims of dead workers go back to the queue; messages that they were sending may have left, and are reconciled. */
export async function releaseSendsOfDeadWorkers(tx: Tx, now: Date): Promise<number> {
  return (await putBack(tx, await releaseDeadClaims(tx))) + (await doubtDeadSends(tx, now))
}

/** An open lead goes back into the queue; the message of a closed lead stays as it is. An answer is its own queue. */
async function putBack(tx: Tx, released: ReleasedSend[]): Promise<number> {
  const steps = released.filter(send => !send.isAnswer)
  const answerIds = released.filter(send => send.isAnswer).map(send => send.id)
  if (steps.length > 0) await putBackIntoQueue(tx, steps)
  if (answerIds.length > 0) await putBackAnswers(tx, answerIds)
  await giveBackLoads(tx, released)
  return released.length
}
