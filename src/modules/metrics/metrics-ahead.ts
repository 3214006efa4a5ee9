import type { Context } from '../../context/context.ts'
import { startOfDay } from '../../scheduling/zone.ts'
import { type Measured, type Metrics, presentMetrics, readMetrics } from './metrics.ts'
import { findMetrics, type MetricsRow } from './queries.ts'

const MOST_REMEMBERED = 10_000

/**
 * The time zones that campaigns had when they were last shown. "Today" of the metrics begins at midnight in the zone of the campaign, which
 * is not known while the campaign itself is still being looked up. A zone from here is a guess: what was read with it counts only
 * when the campaign turns out to have that midnight.
 */
class RememberedZones {
  readonly #zones = new Map<string, string>()
  #latest = 'UTC'

  guess(campaignId: string): string {
    return this.#zones.get(campaignId) ?? this.#latest
  }

  note(campaignId: string, zone: string): void {
    if (this.#zones.size >= MOST_REMEMBERED) this.#zones.clear()
    this.#zones.set(campaignId, zone)
    this.#latest = zone
  }
}

const makeZones = (): RememberedZones => new RememberedZones()

type ReadAhead = { row: MetricsRow; midnight: Date; now: Date }

/** Begins together with the look-up of the campaign, so that both are one trip to the database. */
export async function readMetricsAhead(ctx: Context, campaignId: string): Promise<ReadAhead> {
  const now = ctx.clock.now()
  const midnight = startOfDay(ctx.part(makeZones).guess(campaignId), now)
  return { row: await findMetrics(ctx.db, campaignId, midnight), midnight, now }
}

/** The metrics that were read ahead. If the guess of the zone was wrong, they are read again. */
export async function confirmMetrics(ctx: Context, campaign: Measured, { row, midnight, now }: ReadAhead): Promise<Metrics> {
  const zone = campaign.timezone ?? 'UTC'
  if (startOfDay(zone, now).getTime() === midnight.getTime()) return presentMetrics(row, now)
  ctx.part(makeZones).note(campaign.id, zone)
  return (await readMetrics(ctx.db, [campaign], now))[0]!
}
