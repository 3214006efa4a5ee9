import type { Context } from '../../context/context.ts'
import { type Erasing, scrubText } from '../../lib/scrub.ts'
import { findReasonMentions, rewordReason } from './connection-queries.ts'

/** What a mail server said about the person may be why a mailbox is disconnected. */
export async function eraseFromReasons({ db }: Pick<Context, 'db'>, { workspaceId, person }: Erasing): Promise<void> {
  for (const { id, reason } of await findReasonMentions(db, workspaceId, person.address))
    await db.inTransaction(tx => rewordReason(tx, id, scrubText(reason, person)))
}
