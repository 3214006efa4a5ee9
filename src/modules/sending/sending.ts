import type { Tx } from '../../db/client.ts'
import { putBackIntoQueue } from '../leads/progress.ts'
import { giveBackLoads } from '../mailboxes/loads.ts'
import { putBackAnswers } from './answer-queries.ts'
import {
  doubtDeadSends,
  type ReleasedSend,
  releaseDeadClaims,
  releaseSends,
  releaseSendsExcept,
  requeueUnknown,
} from './release-queries.ts'

// What other slices, and the steps of sending itself, may ask about messages and do with them.

export { countHitOfSend, countSendsInFlight } from './send-queries.ts'

/** Gives claims back: nothing has left. How many there were. */
export async function releaseClaims(tx: Tx, workerId: number, ids: string[]): Promise<number> {
  return putBack(tx, await releaseSends(tx, workerId, ids))
}

/** Gives back what a claim took whose answer got lost: everything of this worker that is not in hand. */
export async function releaseClaimsExcept(tx: Tx, workerId: number, ids: string[]): Promise<number> {
  return putBack(tx, await releaseSendsExcept(tx, workerId, ids))
}

/** It is known not to have left: it may go again. */
export async function requeueSend(tx: Tx, id: string): Promise<number> {
  return putBack(tx, await requeueUnknown(tx, id))
}

/** Claims of dead workers go back to the queue; what they were sending may have left, and is looked into. */
export async function releaseSendsOfDeadWorkers(tx: Tx, now: Date): Promise<number> {
  return (await putBack(tx, await releaseDeadClaims(tx))) + (await doubtDeadSends(tx, now))
}

/** An open lead goes back into the queue; the message of another is left lying. An answer is its own queue. */
async function putBack(tx: Tx, released: ReleasedSend[]): Promise<number> {
  const steps = released.filter(send => !send.isAnswer)
  const answerIds = released.filter(send => send.isAnswer).map(send => send.id)
  if (steps.length > 0) await putBackIntoQueue(tx, steps)
  if (answerIds.length > 0) await putBackAnswers(tx, answerIds)
  await giveBackLoads(tx, released)
  return released.length
}
