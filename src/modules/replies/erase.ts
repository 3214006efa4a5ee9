import type { HasDb } from '../../context/context.ts'
import type { Tx } from '../../db/sql.ts'
import { pagesOf } from '../../lib/page.ts'
import { isPerson, scrubText } from '../../lib/scrub.ts'
import type { Erasing } from '../erasures/erasures.ts'
import { eraseReplies } from '../events/erase.ts'
import { bareInbound, deleteAttachments, deleteMentioning, eraseUnread, readInboundPage, updateTexts } from './queries.ts'

/** Each may have texts of half a megabyte, and attachments of ten. */
const MESSAGES_AT_ONCE = 50

/** Erases messages from the person, and messages of others about them. The fact, the time and the kind are kept. */
export async function eraseFromInbox({ db }: HasDb, erasing: Erasing): Promise<void> {
  const { workspaceId, leadIds, person } = erasing
  await db.inTransaction(tx => eraseUnread(tx, workspaceId, person.pattern))
  await db.inTransaction(tx => bareWhole(tx, erasing, { leadIds: [...leadIds], ids: [] }))
  await eraseFromThreads({ db }, erasing)
}

async function bareWhole(tx: Tx, { workspaceId, count }: Erasing, which: { leadIds: string[]; ids: string[] }): Promise<void> {
  const ids = await bareInbound(tx, workspaceId, which)
  if (ids.length > 0) await deleteAttachments(tx, workspaceId, ids)
  await count(tx, 'replyCount', ids.length)
}

/** Messages in the threads of others that quote the person or are about them. */
async function eraseFromThreads({ db }: HasDb, erasing: Erasing): Promise<void> {
  const { workspaceId, person, signal } = erasing
  const read = (after: string | null) => readInboundPage(db, workspaceId, after, MESSAGES_AT_ONCE, person.pattern)
  for await (const page of pagesOf(read, message => message.id)) {
    signal.throwIfAborted()
    const found = page.filter(message => message.found)
    const theirs = found.filter(message => isPerson(message.fromAddress, person))
    await db.inTransaction(async tx => {
      await bareWhole(tx, erasing, { leadIds: [], ids: theirs.map(message => message.id) })
      const colleagueIds = theirs.flatMap(message => message.leadId ?? [])
      const sendIds = theirs.flatMap(message => message.sendId ?? [])
      await eraseReplies(tx, workspaceId, colleagueIds, sendIds)
      for (const message of found) {
        if (theirs.includes(message)) continue
        const scrub = (text: string | null): string | null => text && scrubText(text, person)
        const { id, subject, text, fullText, html } = message
        const texts = { subject: scrub(subject), text: scrub(text), fullText: scrub(fullText), html: scrub(html) }
        await updateTexts(tx, id, texts, person)
      }
      const ids = page.filter(message => message.hasAttachments).map(message => message.id)
      if (ids.length > 0) await deleteMentioning(tx, workspaceId, ids, person.pattern)
    })
  }
}
