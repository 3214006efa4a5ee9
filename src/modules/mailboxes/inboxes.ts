import type { Tx } from '../../db/client.ts'
import { type Inbox, leaseFreeInboxes, listLeasedInboxes, updateCursor } from './inbox-queries.ts'

// Who reads which inbox, and how far. One worker reads an inbox, until it gives it back or dies.

export { releaseInboxesOfDeadWorkers, returnInboxes } from './inbox-queries.ts'
export type { Inbox }

/** Takes up to `room` inboxes that nobody reads. All that the worker has then. */
export async function takeInboxes(tx: Tx, workerId: number, room: number): Promise<Inbox[]> {
  await leaseFreeInboxes(tx, workerId, room)
  return listLeasedInboxes(tx, workerId)
}

/** Somebody else reads this inbox now: nothing of the batch may be saved. */
export class LeaseLost extends Error {}

/** The inbox has been read up to here. Part of the transaction that stores what was found. */
export async function saveCursor(tx: Tx, id: string, workerId: number, cursor: unknown): Promise<void> {
  if ((await updateCursor(tx, id, workerId, cursor)) === 0) throw new LeaseLost('the inbox was taken over')
}
