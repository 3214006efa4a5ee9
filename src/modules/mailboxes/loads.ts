import type { Tx } from '../../db/client.ts'
import { dateOfDay, zoneOf } from '../../scheduling/zone.ts'
import { lockLoads, reduceLoads } from './load-queries.ts'

/**
 * Messages that were counted when they were claimed have not left: the day has room for others again. The count of another day is not
 * touched: what was claimed before midnight was counted on the day that is over.
 */
export async function giveBackLoads(tx: Tx, unused: { mailboxId: string; claimedAt: Date }[]): Promise<void> {
  if (unused.length === 0) return
  const claimed = Map.groupBy(unused, ({ mailboxId }) => mailboxId)
  const loads = await lockLoads(tx, [...claimed.keys()])
  const reductions = loads.map(({ id, loadDay, timezone }) => {
    // By our own zones: PostgreSQL may not know the name, and would stop the messages of everybody with an error.
    const zone = zoneOf(timezone)
    const count = claimed.get(id)!.filter(({ claimedAt }) => dateOfDay(zone.dayAt(claimedAt.getTime())) === loadDay).length
    return { id, count }
  })
  await reduceLoads(
    tx,
    reductions.filter(({ count }) => count > 0),
  )
}
