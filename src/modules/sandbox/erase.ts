import type { HasDb } from '../../context/context.ts'
import type { Page } from '../../lib/page.ts'
import type { Erasing } from '../erasures/erasures.ts'
import type { ErasedSend } from '../sending/queries.ts'
import { deleteMentionsOnPage, deleteReactions } from './queries.ts'

const MESSAGES_AT_ONCE = 500

/** Deletes the planned reactions of the simulated person, and every message to, from or about the person. */
export async function eraseFromSandbox({ db }: HasDb, { person, leadIds, signal }: Erasing, sends: ErasedSend[], mailboxIds: string[]) {
  const sendIds = sends.map(send => send.id)
  await db.inTransaction(tx => deleteReactions(tx, sendIds))
  const wanted = { leadIds: [...leadIds], messageIds: sends.map(send => send.messageId), pattern: person.pattern }
  for (const mailboxId of mailboxIds) {
    for (let page: Page | undefined = { limit: MESSAGES_AT_ONCE, after: null }; page; ) {
      signal.throwIfAborted()
      const current: Page = page
      const after = await db.inTransaction(tx => deleteMentionsOnPage(tx, mailboxId, current, wanted))
      page = after && { ...page, after }
    }
  }
}
