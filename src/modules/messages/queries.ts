import { type Db, sql } from '../../db/client.ts'

const COUNT_IN_FLIGHT = sql(`select count(*)::int as count from sends where campaign_id = $1 and status = 'sending'`)

export async function countInFlight(db: Db, campaignId: string): Promise<number> {
  return (await db.first<{ count: number }>(COUNT_IN_FLIGHT, [campaignId]))!.count
}
