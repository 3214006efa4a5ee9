import type { ImapFlow } from 'imapflow'
import { DAY_MS } from '../../lib/time.ts'
import type { FetchedBatch, FetchedMessage, FetchOptions, FolderCursor } from './imap.ts'
import { type ImapFailure, messageRefusalOf } from './imap-refusal.ts'

const REFUSED_SEARCH = 'The server refuses to search the folder'
const MAX_MESSAGE_BYTES = 2 * 1024 * 1024
const MAX_BATCH_BYTES = 4 * MAX_MESSAGE_BYTES
/** The maximum that is read of a relevant message: enough for 10 MB of attachments in base64. */
const MAX_WHOLE_BYTES = 16 * 1024 * 1024

/**
 * The messages after the cursor, oldest first, at most `limit`, on a connection that has the folder open. Without a cursor,
 * only messages since `since` are fetched, in several batches if needed, or none, and the cursor is set to the end of
 * the folder: the old mail of a mailbox that is connected today does not matter.
 */
export async function fetchBatch(
  client: ImapFlow,
  known: FolderCursor | null,
  limit: number,
  options: FetchOptions,
): Promise<FetchedBatch> {
  const mailbox = client.mailbox
  if (!mailbox) throw new Error('The folder is not open')
  const uidValidity = String(mailbox.uidValidity)
  const fetchMore = async (uid: number) => (await fetchMessages(client, [uid], MAX_WHOLE_BYTES)).find(({ refusal }) => refusal === null)
  const renumbered = known !== null && known.uidValidity !== uidValidity
  // Read before the search: the search does not find a message that arrives after it, so the cursor must not pass that one.
  const isNew = known === null || renumbered
  const end = isNew ? await lastUidOf(client) : 0
  const start = known === null ? (await options.since?.())?.toISOString() : known.first?.since
  const first = start === undefined ? undefined : { since: start, lastUid: isNew ? end : known.first!.lastUid }
  const cursorAt = (lastUid: number): FolderCursor => ({ uidValidity, lastUid, ...(first && lastUid < first.lastUid ? { first } : {}) })
  const place = { folder: mailbox.path, isJunk: mailbox.specialUse === '\\Junk', uidValidity, cursorAt, fetchMore }
  if (known === null && !first) return { ...place, messages: [], cursor: cursorAt(end), renumbered, more: false }
  const lastUid = isNew ? 0 : known.lastUid
  const since = first ? dayBefore(new Date(first.since)) : renumbered ? options.rescanSince : undefined
  // The server's own numbers are compared again: "n:*" with nothing after n means the last message there is.
  const query = since ? { since } : { uid: `${lastUid + 1}:*` }
  const answer = await client.search(query, { uid: true })
  // A refused search is not an empty result: the cursor must not pass messages that were not searched.
  if (!answer) throw new Error(REFUSED_SEARCH)
  const found = answer.filter(uid => uid > lastUid).sort((a, b) => a - b)
  const wanted = await withinBytes(client, found.slice(0, limit), options.maxBytes ?? MAX_BATCH_BYTES)
  const more = found.length > wanted.length
  // A search by date leaves out older messages, even after the last one that it finds.
  const reached = Math.max(wanted.at(-1) ?? lastUid, more ? 0 : (first?.lastUid ?? end))
  const fetched = await fetchMessages(client, wanted)
  const isOld = ({ uid, receivedAt }: FetchedMessage): boolean =>
    first !== undefined && uid <= first.lastUid && receivedAt !== null && receivedAt < new Date(first.since)
  const messages = fetched.filter(message => !isOld(message))
  return { ...place, messages, cursor: cursorAt(reached), renumbered, more }
}

/** Servers search by days of their own time zone. */
const dayBefore = (date: Date): Date => new Date(date.getTime() - DAY_MS)

/** The UID of the last message. A server need not state UIDNEXT when a folder is opened; then we ask for the last message. */
async function lastUidOf(client: ImapFlow): Promise<number> {
  const { uidNext, exists } = client.mailbox as { uidNext?: number; exists: number }
  if (uidNext) return uidNext - 1
  if (exists === 0) return 0
  const found = await client.search({ uid: '*' }, { uid: true })
  if (!found) throw new Error(REFUSED_SEARCH)
  return Math.max(0, ...found)
}

/** The first messages that together fit into memory. */
async function withinBytes(client: ImapFlow, uids: number[], maxBytes: number): Promise<number[]> {
  if (uids.length < 2) return uids
  const sizes = new Map<number, number>()
  for await (const { uid, size } of client.fetch(uids.join(','), { uid: true, size: true }, { uid: true })) sizes.set(uid, size ?? 0)
  let total = 0
  const tooMany = uids.findIndex((uid, index) => {
    total += Math.min(sizes.get(uid) ?? 0, MAX_MESSAGE_BYTES)
    return index > 0 && total > maxBytes
  })
  return tooMany < 0 ? uids : uids.slice(0, tooMany)
}

async function fetchMessages(client: ImapFlow, uids: number[], maxLength = MAX_MESSAGE_BYTES): Promise<FetchedMessage[]> {
  if (uids.length === 0) return []
  // By UID: some servers send a message twice, or one that was not requested.
  const messages = new Map<number, FetchedMessage>()
  const items = { uid: true, flags: true, internalDate: true, size: true, source: { start: 0, maxLength } }
  try {
    for await (const message of client.fetch(uids.join(','), items, { uid: true })) {
      if (!message.source || !uids.includes(message.uid)) continue
      messages.set(message.uid, {
        uid: message.uid,
        raw: message.source,
        // Some servers report a wrong size, so a message that fills the limit counts as cut.
        isCut: message.source.length >= maxLength && (message.size ?? Number.POSITIVE_INFINITY) > message.source.length,
        flags: [...(message.flags ?? [])],
        receivedAt: message.internalDate ? new Date(message.internalDate) : null,
        refusal: null,
      })
    }
  } catch (error) {
    const refusal = messageRefusalOf(error as ImapFailure)
    if (refusal === null || !client.usable) throw error
    // One message that the server cannot return must not hide the others, so each is requested alone.
    const left = uids.filter(uid => !messages.has(uid))
    if (left.length === 1) messages.set(left[0]!, refusedMessage(client, left[0]!, refusal))
    else for (const uid of left) for (const message of await fetchMessages(client, [uid], maxLength)) messages.set(uid, message)
    // When the server returns none of several messages, the server has a problem: we request them again later.
    if (left.length > 1 && [...messages.values()].every(message => message.refusal !== null)) throw error
  }
  return [...messages.values()].sort((a, b) => a.uid - b.uid)
}

function refusedMessage({ mailbox }: ImapFlow, uid: number, refusal: string): FetchedMessage {
  const place = mailbox ? `${mailbox.path} ${mailbox.uidValidity} ${uid}` : `${uid}`
  return { uid, raw: Buffer.from(place), isCut: false, flags: [], receivedAt: null, refusal }
}
