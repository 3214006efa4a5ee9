import type { Tx } from '../../db/client.ts'
import { storableData } from '../../lib/storable-text.ts'
import { recordEvent } from '../events/events.ts'
import { changeInboxState, type Inbox, leaseFreeInboxes, listLeasedInboxes, updateCursor } from './queries.ts'

// Which worker reads which inbox, and how far. One worker reads an inbox, until it gives it back or dies.

/** Takes up to `room` inboxes that no worker reads, and returns all inboxes of this worker. */
export async function takeInboxes(tx: Tx, workerId: number, room: number): Promise<Inbox[]> {
  await leaseFreeInboxes(tx, workerId, room)
  return listLeasedInboxes(tx, workerId)
}

/** Somebody else reads this inbox now: nothing of the batch may be saved. */
export class LeaseLost extends Error {}

/** The inbox has been read up to here. Part of the transaction that stores what was found. */
export async function saveCursor(tx: Tx, id: string, workerId: number, cursor: unknown): Promise<void> {
  if ((await updateCursor(tx, id, workerId, cursor)) === 0) throw new LeaseLost('another worker has taken over the inbox')
}

/** The result of reading: `unread` when the connection was lost, `unreadable` when it could not be made. */
export type InboxNews = { state: 'readable' } | { state: 'unread' | 'unreadable'; reason: string }

/**
 * Follow-ups wait while an inbox is not readable; an event is recorded when that begins and when it ends. The result counts only if the
 * mailbox was not changed since: it may have other servers and credentials now.
 */
export async function noteInbox(
  tx: Tx,
  inbox: Pick<Inbox, 'id' | 'updatedAt'>,
  workerId: number,
  found: InboxNews,
  now: Date,
): Promise<void> {
  const news = storableData(found)
  const reason = news.state === 'readable' ? null : news.reason
  const change = await changeInboxState(tx, inbox, workerId, news.state, reason, now)
  if (!change || change.before === news.state) return
  const { workspaceId, name, fromEmail, before } = change
  const data = { providerId: inbox.id, name, fromEmail, reason }
  if (news.state === 'unreadable') recordEvent(tx, { workspaceId, type: 'provider.inbox_unreadable', timestamp: now, data })
  if (news.state !== 'readable') return
  if (before === 'unreadable') recordEvent(tx, { workspaceId, type: 'provider.inbox_readable', timestamp: now, data })
  tx.wake('sends')
}
