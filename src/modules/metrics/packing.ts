import type { Tx } from '../../db/client.ts'
import { DAY_MS, HOUR_MS } from '../../lib/time.ts'
import { newTally, packFortnight, QUARTERS, quarterAt, type Tally, unpackFortnight } from './packed-fortnight.ts'
import {
  COUNTS,
  clearFortnights,
  FORTNIGHT_DAYS,
  type Fortnight,
  listFortnights,
  lockDays,
  type Owner,
  type PackedBlocks,
  putFortnights,
  replaceFortnight,
  takeQuarters,
} from './packing-queries.ts'

/** The most quarters that one transaction packs. */
const MOST_QUARTERS = 5000

/** The metrics of a campaign count its own day from the quarters, and no day began longer ago. */
const LONGEST_DAY_MS = 26 * HOUR_MS

/** The dimensions, in the order in which they are packed. The rows for all come last, because they show which work is left. */
export const DIMENSIONS = ['step', 'variant', 'mailbox', 'all'] as const

/** Days that ended before this are over: hardly any event will be added to them. */
export const packedBefore = (now: Date): Date => new Date(Math.floor((now.getTime() - LONGEST_DAY_MS) / DAY_MS) * DAY_MS)

/** The unpacked days of one owner in one dimension. */
class OpenDays {
  readonly #ofKeys = new Map<string | null, Map<number, Tally>>()

  of(key: string | null, day: number): Tally {
    const days = this.#ofKeys.get(key) ?? new Map<number, Tally>()
    this.#ofKeys.set(key, days)
    const tally = days.get(day) ?? newTally(QUARTERS)
    days.set(day, tally)
    return tally
  }

  add({ fortnight, key, ...packed }: Fortnight & PackedBlocks): void {
    unpackFortnight(packed, place => this.of(key, fortnight * FORTNIGHT_DAYS + place))
  }

  /** Forgets everything from that quarter on. */
  cutOff(quarter: number): void {
    const last = Math.floor(quarter / QUARTERS)
    for (const days of this.#ofKeys.values()) {
      for (const day of days.keys()) if (day > last) days.delete(day)
      days.get(last)?.fill(0, (quarter % QUARTERS) * COUNTS.length)
    }
  }

  fortnights(): (Fortnight & { days: [number, Tally][] })[] {
    return [...this.#ofKeys].flatMap(([key, ofKey]) =>
      [...Map.groupBy(ofKey, ([day]) => Math.floor(day / FORTNIGHT_DAYS))].map(([fortnight, days]) => ({ key, fortnight, days })),
    )
  }

  async put(tx: Tx, owner: Owner, dimension: string): Promise<void> {
    const packed = this.fortnights().flatMap(({ days, ...fortnight }) => {
      const its = packFortnight(days)
      return its ? [{ ...fortnight, ...its }] : []
    })
    await putFortnights(tx, owner, dimension, packed)
  }
}

/** Packs the oldest quarters from before then, and returns how many they were. */
export async function packQuarters(tx: Tx, owner: Owner, dimension: string, before: Date): Promise<number> {
  await lockDays(tx)
  const quarters = await takeQuarters(tx, owner, dimension, before, MOST_QUARTERS)
  if (quarters.length === 0) return 0
  const open = new OpenDays()
  for (const row of quarters) {
    const tally = open.of(row.key, Math.floor(row.quarter / QUARTERS))
    for (const [index, name] of COUNTS.entries()) tally[(row.quarter % QUARTERS) * COUNTS.length + index]! += row[name]
  }
  for (const packed of await listFortnights(tx, owner, dimension, open.fortnights())) open.add(packed)
  await open.put(tx, owner, dimension)
  return quarters.length
}

/** Removes the packed counts of a campaign, except the quarters before the horizon, whose events are gone. The caller prevents packing. */
export async function unpackCampaign(tx: Tx, campaignId: string, horizon: Date | null): Promise<void> {
  const end = horizon === null ? 0 : quarterAt(horizon)
  const fortnight = Math.floor(end / QUARTERS / FORTNIGHT_DAYS)
  for (const { workspaceId, dimension, ...row } of await clearFortnights(tx, campaignId, fortnight)) {
    if (row.fortnight !== fortnight) continue
    const open = new OpenDays()
    open.add(row)
    open.cutOff(end)
    await open.put(tx, { workspaceId, campaignId }, dimension)
  }
}

/** Sets the packed counts of a workspace to the sum of those of its campaigns. The caller prevents packing. */
export async function sumUpFortnight(tx: Tx, workspaceId: string, fortnight: number): Promise<void> {
  const rows = await replaceFortnight(tx, workspaceId, fortnight)
  for (const [dimension, ofDimension] of Map.groupBy(rows, row => row.dimension)) {
    const open = new OpenDays()
    for (const row of ofDimension) open.add({ ...row, fortnight })
    await open.put(tx, { workspaceId, campaignId: null }, dimension)
  }
}
