import type { Database } from '../../db/client.ts'
import { DAY_MS } from '../../lib/time.ts'
import { recountMetrics } from './metrics.ts'
import { listCounted } from './queries.ts'
import { findCountedSpan, sumUpWorkspace } from './series-queries.ts'

/** What is summed up in one transaction: thousands of campaigns have some hundred thousand rows in such a time. */
const PERIOD_MS = 7 * DAY_MS

/** Counts again from the log: one campaign, or all of them. Each is a transaction of its own. Returns how many were counted. */
export async function recomputeMetrics(db: Database, campaignId: string | null): Promise<number> {
  const campaigns = await listCounted(db, campaignId)
  for (const { id } of campaigns) await db.inTransaction(tx => recountMetrics(tx, id))
  for (const workspaceId of new Set(campaigns.map(campaign => campaign.workspaceId))) await sumUp(db, workspaceId)
  return campaigns.length
}

async function sumUp(db: Database, workspaceId: string): Promise<void> {
  const { first, last } = await findCountedSpan(db, workspaceId)
  if (!first || !last) return
  for (let at = first.getTime(); at <= last.getTime(); at += PERIOD_MS) {
    await db.inTransaction(tx => sumUpWorkspace(tx, workspaceId, new Date(at), new Date(at + PERIOD_MS)))
  }
}
