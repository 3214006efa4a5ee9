import type { Context } from '../../context/context.ts'
import type { Erasing } from '../../lib/scrub.ts'
import { bareSends, type ErasedSend, listRecipients } from './erase-queries.ts'

type Ctx = Pick<Context, 'db'>

/** Adds to the leads those that messages of this campaign to the person were for, whether they are still there or not. */
export async function findErasedRecipients({ db }: Ctx, { emailHash, leadIds }: Erasing, campaignId: string): Promise<void> {
  for (const id of await listRecipients(db, campaignId, emailHash)) leadIds.add(id)
}

/** Messages to the person. What stays of them is that there was one, when, and the hash that its unsubscribe link needs. */
export const eraseSends = ({ db }: Ctx, { workspaceId, emailHash, leadIds }: Erasing): Promise<ErasedSend[]> =>
  db.inTransaction(tx => bareSends(tx, workspaceId, [...leadIds], emailHash))
