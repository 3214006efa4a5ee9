import type { Context } from '../../context/context.ts'
import { HOUR_MS } from '../../lib/time.ts'
import { getLockedCampaign } from '../campaigns/campaigns.ts'
import { findWrongWords, listCampaignsToCheck, rewriteWords } from './word-queries.ts'

const BATCH = 5000
/** This is done every hour, so each change is seen, and most are seen twice. */
const LOOKED_BACK_MS = 2 * HOUR_MS

/**
 * A process of a version that knows no words of leads may run on the same database for a while, and it adds, changes and
 * erases leads without them. This finds what it left behind. Returns how many leads had the wrong words.
 */
export async function checkWords({ db, clock }: Pick<Context, 'db' | 'clock'>, signal?: AbortSignal): Promise<number> {
  let count = 0
  for (const { id, workspaceId } of await listCampaignsToCheck(db, new Date(clock.now().getTime() - LOOKED_BACK_MS))) {
    for (let after: string | null = null; !signal?.aborted; ) {
      const leadIds: string[] = await findWrongWords(db, id, after, BATCH)
      if (leadIds.length === 0) break
      await db.inTransaction(async tx => {
        await getLockedCampaign(tx, workspaceId, id)
        await rewriteWords(tx, id, leadIds)
      })
      count += leadIds.length
      after = leadIds.at(-1)!
    }
  }
  return count
}
