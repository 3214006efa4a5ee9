import type { Context } from '../../context/context.ts'
import { scrubText } from '../../lib/scrub.ts'
import type { Erasing } from '../erasures/erasures.ts'
import { findReasonMentions, rewordReasons } from './queries.ts'

/** What a mail server said about the person may be why a mailbox is disconnected. */
export async function eraseFromReasons({ db }: Pick<Context, 'db'>, { workspaceId, person }: Erasing): Promise<void> {
  const scrub = (reason: string | null): string | null => reason && scrubText(reason, person)
  for (const { id, status, inbox, resting, copies } of await findReasonMentions(db, workspaceId, person.address)) {
    const reworded = { id, status: scrub(status), inbox: scrub(inbox), resting: scrub(resting), copies: scrub(copies) }
    await db.inTransaction(tx => rewordReasons(tx, reworded))
  }
}
