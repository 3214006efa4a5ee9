import type { Tx } from '../../db/client.ts'
import { DAY_MS, HOUR_MS } from '../../lib/time.ts'
import { addDay, BY_QUARTER, eachDay, newTally, packDays, QUARTERS, quarterAt, type Tally } from './packed-day.ts'
import {
  addFortnights,
  COUNTS,
  clearFortnights,
  FORTNIGHT_DAYS,
  type Fortnight,
  lockDays,
  type Owner,
  type PackedDays,
  replaceFortnight,
  takeQuarters,
} from './packing-queries.ts'

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

  add(key: string | null, quarters: Buffer): void {
    eachDay(quarters, (day, start, end) => addDay(quarters, start, end, BY_QUARTER, this.of(key, day)))
  }

  /** Forgets everything from that quarter on. */
  cutOff(quarter: number): void {
    const last = Math.floor(quarter / QUARTERS)
    for (const days of this.#ofKeys.values()) {
      for (const day of days.keys()) if (day > last) days.delete(day)
      days.get(last)?.fill(0, (quarter % QUARTERS) * COUNTS.length)
    }
  }

  pack(): (Fortnight & PackedDays)[] {
    return [...this.#ofKeys].flatMap(([key, days]) =>
      [...Map.groupBy(days, ([day]) => Math.floor(day / FORTNIGHT_DAYS))].map(([fortnight, its]) => ({ key, fortnight, ...packDays(its) })),
    )
  }
}

/** Packs the oldest quarters from before then, and returns how many they were. */
export async function packQuarters(tx: Tx, owner: Owner, dimension: string, before: Date): Promise<number> {
  await lockDays(tx)
  const quarters = await takeQuarters(tx, owner, dimension, before, MOST_QUARTERS)
  const open = new OpenDays()
  for (const row of quarters) {
    const tally = open.of(row.key, Math.floor(row.quarter / QUARTERS))
    for (const [index, name] of COUNTS.entries()) tally[(row.quarter % QUARTERS) * COUNTS.length + index]! += row[name]
  }
  if (quarters.length > 0) await addFortnights(tx, owner, dimension, open.pack())
  return quarters.length
}

/** Removes what is packed of a campaign, but for the quarters from before the horizon, of which events are gone. Nobody may pack meanwhile. */
export async function unpackCampaign(tx: Tx, campaignId: string, horizon: Date | null): Promise<void> {
  const end = horizon === null ? 0 : quarterAt(horizon)
  const fortnight = Math.floor(end / QUARTERS / FORTNIGHT_DAYS)
  for (const row of await clearFortnights(tx, campaignId, fortnight)) {
    if (row.fortnight !== fortnight) continue
    const open = new OpenDays()
    open.add(row.key, row.quarters)
    open.cutOff(end)
    await addFortnights(tx, { workspaceId: row.workspaceId, campaignId }, row.dimension, open.pack())
  }
}

/** What is packed of a workspace becomes the sum of what is packed of its campaigns. Nobody may pack meanwhile. */
export async function sumUpFortnight(tx: Tx, workspaceId: string, fortnight: number): Promise<void> {
  const rows = await replaceFortnight(tx, workspaceId, fortnight)
  for (const [dimension, ofDimension] of Map.groupBy(rows, row => row.dimension)) {
    const open = new OpenDays()
    for (const { key, quarters } of ofDimension) open.add(key, quarters)
    await addFortnights(tx, { workspaceId, campaignId: null }, dimension, open.pack())
  }
}
