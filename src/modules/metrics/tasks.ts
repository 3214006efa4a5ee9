import type { Database, Tx } from '../../db/client.ts'
import { repeatWhileLocked } from '../../db/locked.ts'
import { DAY_MS } from '../../lib/time.ts'
import { recountMetrics } from './metrics.ts'
import { DIMENSIONS, packedBefore, packQuarters, sumUpFortnight } from './packing.ts'
import { FORTNIGHT_DAYS, keepDays, listUnpacked, type Owner } from './packing-queries.ts'
import { listCounted } from './queries.ts'
import { findCountedSpan, holdEvents, sumUpQuarters } from './series-queries.ts'

/** What is summed up in one transaction: thousands of campaigns have some hundred thousand rows in such a time. */
const FORTNIGHT_MS = FORTNIGHT_DAYS * DAY_MS

/** Counts again from the log: one campaign, or all of them. Each is a transaction of its own. Returns how many were counted. */
export async function recomputeMetrics(db: Database, campaignId: string | null): Promise<number> {
  const campaigns = await listCounted(db, campaignId)
  for (const { id } of campaigns) await repeatWhileLocked(() => db.inTransaction(tx => recountMetrics(tx, id)))
  for (const workspaceId of new Set(campaigns.map(campaign => campaign.workspaceId))) await sumUp(db, workspaceId)
  return campaigns.length
}

async function sumUp(db: Database, workspaceId: string): Promise<void> {
  const { first, last } = await findCountedSpan(db, workspaceId)
  if (!first || !last) return
  for (let fortnight = Math.floor(first.getTime() / FORTNIGHT_MS); fortnight * FORTNIGHT_MS <= last.getTime(); fortnight++) {
    const sumUpOne = async (tx: Tx): Promise<void> => {
      await keepDays(tx)
      await holdEvents(tx, workspaceId)
      await sumUpFortnight(tx, workspaceId, fortnight)
      await sumUpQuarters(tx, workspaceId, new Date(fortnight * FORTNIGHT_MS), new Date((fortnight + 1) * FORTNIGHT_MS))
    }
    await repeatWhileLocked(() => db.inTransaction(sumUpOne))
  }
}

/** Packs the quarters of the days that are over, a batch at a time. Returns how many they were. Several workers may do this at once. */
export async function packMetrics(db: Database, now: Date, signal?: AbortSignal): Promise<number> {
  const before = packedBefore(now)
  let count = 0
  for (
    let owners: Owner[] = await listUnpacked(db, before);
    owners.length > 0 && !signal?.aborted;
    owners = await listUnpacked(db, before)
  ) {
    for (const owner of owners) count += await packOwner(db, owner, before, signal)
  }
  return count
}

async function packOwner(db: Database, owner: Owner, before: Date, signal?: AbortSignal): Promise<number> {
  let count = 0
  for (const dimension of DIMENSIONS) {
    for (let packed = -1; packed !== 0; count += packed) {
      if (signal?.aborted) return count
      packed = await db.inTransaction(tx => packQuarters(tx, owner, dimension, before))
    }
  }
  return count
}
