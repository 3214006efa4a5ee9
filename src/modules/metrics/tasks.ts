import type { Database } from '../../db/client.ts'
import { recountMetrics } from './metrics.ts'
import { listCampaignIds } from './queries.ts'

/** Counts again from the log: one campaign, or all of them. Each is a transaction of its own. Returns how many were counted. */
export async function recomputeMetrics(db: Database, campaignId: string | null): Promise<number> {
  const ids = await listCampaignIds(db, campaignId)
  for (const id of ids) await db.inTransaction(tx => recountMetrics(tx, id))
  return ids.length
}
