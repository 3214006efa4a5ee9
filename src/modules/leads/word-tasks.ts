import type { Context } from '../../context/context.ts'
import { HOUR_MS } from '../../lib/time.ts'
import { getLockedCampaign } from '../campaigns/campaigns.ts'
import { findWrongWords, listCampaignsToCheck, rewriteWords } from './word-queries.ts'

const BATCH = 5000
/** This runs every hour, so it sees each change at least once, and most changes twice. */
const LOOKED_BACK_MS = 2 * HOUR_MS

/**
 * During an upgrade, an older version may run on the same database and change leads without their words. This corrects
 * the words. Returns how many leads had wrong ones.
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
