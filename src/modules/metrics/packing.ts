import type { Tx } from '../../db/client.ts'
import { DAY_MS, HOUR_MS } from '../../lib/time.ts'
import { addDay, BY_QUARTER, COUNTS, newTally, packDay, QUARTERS, quarterAt, type Tally } from './packed-day.ts'
import { clearDays, type DayRow, findDays, lockDays, type Owner, putDays, replaceDays, takeQuarters } from './packing-queries.ts'

/** What is packed in one transaction. */
const MOST_QUARTERS = 5000

/** The metrics of a campaign count its own day from the quarters, and no day began longer ago. */
const LONGEST_DAY_MS = 26 * HOUR_MS

/** The quarters of these go in this order: the rows for all show what is left to do. */
export const DIMENSIONS = ['step', 'variant', 'mailbox', 'all'] as const

/** Days that ended before this are over: hardly any event will be added to them. */
export const packedBefore = (now: Date): Date => new Date(Math.floor((now.getTime() - LONGEST_DAY_MS) / DAY_MS) * DAY_MS)

/** The days of one owner in one dimension, unpacked. */
class OpenDays {
  readonly #ofKeys = new Map<string | null, Map<number, Tally>>()

  of(key: string | null, day: number): Tally {
    const days = this.#ofKeys.get(key) ?? new Map<number, Tally>()
    this.#ofKeys.set(key, days)
    const tally = days.get(day) ?? newTally(QUARTERS)
    days.set(day, tally)
    return tally
  }

  add({ key, day, counts }: DayRow): void {
    addDay(counts, BY_QUARTER, this.of(key, day))
  }

  has({ key, day }: DayRow): boolean {
    return this.#ofKeys.get(key)?.has(day) ?? false
  }

  get days(): Set<number> {
    return new Set([...this.#ofKeys.values()].flatMap(days => [...days.keys()]))
  }

  pack(): DayRow[] {
    return [...this.#ofKeys].flatMap(([key, days]) => [...days].map(([day, tally]) => ({ key, day, counts: packDay(tally) })))
  }
}

/** Packs the oldest quarters from before then, together with what was packed of their days already. Returns how many they were. */
export async function packQuarters(tx: Tx, owner: Owner, dimension: string, before: Date): Promise<number> {
  await lockDays(tx)
  const quarters = await takeQuarters(tx, owner, dimension, before, MOST_QUARTERS)
  if (quarters.length === 0) return 0
  const open = new OpenDays()
  for (const row of quarters) {
    const tally = open.of(row.key, Math.floor(row.quarter / QUARTERS))
    for (const [index, name] of COUNTS.entries()) tally[(row.quarter % QUARTERS) * COUNTS.length + index]! += row[name]
  }
  for (const row of await findDays(tx, owner, dimension, open.days)) if (open.has(row)) open.add(row)
  await putDays(tx, owner, dimension, open.pack())
  return quarters.length
}

/** Removes what is packed of a campaign, but for the quarters from before the horizon, of which events are gone. The days must be locked. */
export async function unpackCampaign(tx: Tx, campaignId: string, horizon: Date | null): Promise<void> {
  const end = horizon && quarterAt(horizon)
  const day = end === null ? null : Math.floor(end / QUARTERS)
  for (const row of await clearDays(tx, campaignId, day)) {
    if (end === null || row.day !== day) continue
    const tally = newTally(QUARTERS)
    addDay(row.counts, BY_QUARTER, tally)
    tally.fill(0, (end % QUARTERS) * COUNTS.length)
    await putDays(tx, { workspaceId: row.workspaceId, campaignId }, row.dimension, [{ ...row, counts: packDay(tally) }])
  }
}

/** The packed days of a workspace become the sums of those of its campaigns. Nothing is packed until the end of the transaction. */
export async function sumUpDays(tx: Tx, workspaceId: string, from: Date, to: Date): Promise<void> {
  await lockDays(tx)
  const rows = await replaceDays(tx, workspaceId, Math.floor(from.getTime() / DAY_MS), Math.floor(to.getTime() / DAY_MS))
  for (const [dimension, ofDimension] of Map.groupBy(rows, row => row.dimension)) {
    const open = new OpenDays()
    for (const row of ofDimension) open.add(row)
    await putDays(tx, { workspaceId, campaignId: null }, dimension, open.pack())
  }
}
