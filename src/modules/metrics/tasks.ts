import type { Database } from '../../db/client.ts'
import { recountMetrics } from './metrics.ts'
import { listCounted } from './queries.ts'
import { sumUpWorkspace } from './series-queries.ts'

/** Counts again from the log: one campaign, or all of them. Each is a transaction of its own. Returns how many were counted. */
export async function recomputeMetrics(db: Database, campaignId: string | null): Promise<number> {
  const campaigns = await listCounted(db, campaignId)
  for (const { id } of campaigns) await db.inTransaction(tx => recountMetrics(tx, id))
  for (const workspaceId of new Set(campaigns.map(campaign => campaign.workspaceId))) {
    await db.inTransaction(tx => sumUpWorkspace(tx, workspaceId))
  }
  return campaigns.length
}
