import type { Context } from '../../context/context.ts'
import { type Erasing, isPerson, scrubText } from '../../lib/scrub.ts'
import { eraseReplies } from '../events/erase.ts'
import { bareInbound, eraseUnread, readInboundPage, updateTexts } from './erase-queries.ts'

const MESSAGES_AT_ONCE = 500

/** Messages from the person, and what others wrote about them. What stays is that there was one, when, and what kind. */
export async function eraseFromInbox({ db }: Pick<Context, 'db'>, erasing: Erasing): Promise<number> {
  const { workspaceId, leadIds, person } = erasing
  await db.inTransaction(tx => eraseUnread(tx, workspaceId, person.address))
  const count = await db.inTransaction(tx => bareInbound(tx, workspaceId, { leadIds: [...leadIds], ids: [] }))
  return count + (await eraseFromThreads({ db }, erasing))
}

/** What others have received from the person, or written about them, in threads of their own. */
async function eraseFromThreads({ db }: Pick<Context, 'db'>, { workspaceId, person, signal }: Erasing): Promise<number> {
  let count = 0
  for (let after: string | null = null; ; ) {
    signal.throwIfAborted()
    const page = await readInboundPage(db, workspaceId, after, MESSAGES_AT_ONCE, person.address)
    const last = page.at(-1)
    if (!last) return count
    after = last.id
    const found = page.filter(message => message.found)
    const theirs = found.filter(message => isPerson(message.fromAddress, person))
    await db.inTransaction(async tx => {
      count += await bareInbound(tx, workspaceId, { leadIds: [], ids: theirs.map(message => message.id) })
      const colleagueIds = theirs.flatMap(message => message.leadId ?? [])
      const sendIds = theirs.flatMap(message => message.sendId ?? [])
      await eraseReplies(tx, workspaceId, colleagueIds, sendIds)
      for (const message of found) {
        if (theirs.includes(message)) continue
        const { id, subject, text } = message
        const texts = { subject: subject && scrubText(subject, person), text: text && scrubText(text, person) }
        await updateTexts(tx, id, texts, person.address)
      }
    })
  }
}
