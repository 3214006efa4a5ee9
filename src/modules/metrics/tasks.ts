import type { Database } from '../../db/client.ts'
import { repeatWhileLocked } from '../../db/errors.ts'
import { DAY_MS } from '../../lib/time.ts'
import { recountMetrics } from './metrics.ts'
import * as queries from './queries.ts'

/** Rollups of a quarter of an hour become rollups of an hour when they are older than this. */
const QUARTERS_KEPT_DAYS = 60

/** The most rollups that one transaction merges. */
const MERGED_AT_ONCE = 5000

/** The number of events that are summed in one transaction, while no event of the workspace can be recorded. */
const SUMMED_AT_ONCE_MS = 14 * DAY_MS

/** Counts again from the log: one campaign, or all of them. Each is a transaction of its own. Returns how many were counted. */
export async function recomputeMetrics(db: Database, campaignId: string | null): Promise<number> {
  const campaigns = await queries.listCampaignsToCount(db, campaignId)
  for (const { id } of campaigns) await repeatWhileLocked(() => db.inTransaction(tx => recountMetrics(tx, id)))
  for (const workspaceId of new Set(campaigns.map(campaign => campaign.workspaceId))) await recountWorkspace(db, workspaceId)
  return campaigns.length
}

async function recountWorkspace(db: Database, workspaceId: string): Promise<void> {
  const { first, last } = await queries.findCountedSpan(db, workspaceId)
  if (!first || !last) return
  for (let from = first.getTime(); from <= last.getTime(); from += SUMMED_AT_ONCE_MS) {
    await repeatWhileLocked(() =>
      db.inTransaction(async tx => {
        await queries.holdRollups(tx)
        await queries.holdEvents(tx, workspaceId)
        await queries.sumUpWorkspace(tx, workspaceId, new Date(from), new Date(from + SUMMED_AT_ONCE_MS))
      }),
    )
  }
}

/** Merges the quarters of hours that are long past. Returns how many there were. Several workers may do this at once. */
export async function mergeOldRollups(db: Database, now: Date, signal?: AbortSignal): Promise<number> {
  const before = new Date(now.getTime() - QUARTERS_KEPT_DAYS * DAY_MS)
  let count = 0
  for (const merge of queries.MERGES) {
    for (let merged = MERGED_AT_ONCE; merged > 0 && !signal?.aborted; count += merged) {
      merged = await repeatWhileLocked(() => db.inTransaction(tx => merge(tx, before, MERGED_AT_ONCE)))
    }
  }
  return count
}
