import type { Context } from '../../context/context.ts'
import { scrubText } from '../../lib/scrub.ts'
import type { Erasing } from '../erasures/erasures.ts'
import { findAttentionMentions, rewordAttention } from './erase-queries.ts'

/** The attention reason of a campaign may quote a mail server about the person. */
export async function eraseFromAttention({ db }: Pick<Context, 'db'>, { workspaceId, person }: Erasing): Promise<void> {
  for (const { id, reason } of await findAttentionMentions(db, workspaceId, person.address))
    await db.inTransaction(tx => rewordAttention(tx, id, scrubText(reason, person)))
}
