import type { Context } from '../../context/context.ts'
import { type Erasing, scrubText } from '../../lib/scrub.ts'
import { findAttentionMentions, rewordAttention } from './erase-queries.ts'

/** What a mail server said about the person may be why a campaign stands still. */
export async function eraseFromAttention({ db }: Pick<Context, 'db'>, { workspaceId, person }: Erasing): Promise<void> {
  for (const { id, reason } of await findAttentionMentions(db, workspaceId, person.address))
    await db.inTransaction(tx => rewordAttention(tx, id, scrubText(reason, person)))
}
