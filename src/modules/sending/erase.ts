import type { HasDb } from '../../context/context.ts'
import { pagesOf } from '../../lib/page.ts'
import { scrubText } from '../../lib/scrub.ts'
import type { Erasing } from '../erasures/erasures.ts'
import { bareSends, type ErasedSend, eraseFromAnswers, listRecipients, readBodiesPage, updateBody } from './queries.ts'

const BODIES_AT_ONCE = 500

/** Adds the leads of this campaign's messages to the person, even when the leads no longer exist. */
export async function findErasedRecipients({ db }: HasDb, { emailHash, leadIds }: Erasing, campaignId: string): Promise<void> {
  for (const id of await listRecipients(db, campaignId, emailHash)) leadIds.add(id)
}

/** Erases messages to the person. The fact, the time, and the hash that the unsubscribe link needs are kept. */
export const eraseSends = ({ db }: HasDb, { workspaceId, emailHash, leadIds, person, count }: Erasing): Promise<ErasedSend[]> =>
  db.inTransaction(async tx => {
    const erased = await bareSends(tx, workspaceId, [...leadIds], emailHash)
    await eraseFromAnswers(tx, workspaceId, emailHash, person.pattern)
    await count(tx, 'messageCount', erased.filter(send => send.isChanged).length)
    return erased
  })

/** Messages to others about the person are kept, without the address. */
export async function eraseFromBodies({ db }: HasDb, { workspaceId, person, signal }: Erasing): Promise<void> {
  const read = (after: string | null) => readBodiesPage(db, workspaceId, after, BODIES_AT_ONCE, person.pattern)
  for await (const page of pagesOf(read, body => body.sendId)) {
    signal.throwIfAborted()
    const found = page.filter(body => body.found)
    if (found.length === 0) continue
    await db.inTransaction(async tx => {
      for (const { sendId, subject, text, html } of found) {
        const scrubbed = { subject: scrubText(subject!, person), text: scrubText(text!, person), html: html && scrubText(html, person) }
        await updateBody(tx, workspaceId, sendId, scrubbed)
      }
    })
  }
}
