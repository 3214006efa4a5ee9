import type { MetricSeries } from '@overture/sdk'
import type { Metric, SeriesGroup } from '@/data/series-types.ts'

export const METRICS: readonly { value: Metric; label: string; colour: `--c-${string}`; event: string }[] = [
  { value: 'sent', label: 'Sent', colour: '--c-accent', event: 'email.sent' },
  { value: 'opened', label: 'Opened', colour: '--c-info', event: 'email.opened' },
  { value: 'clicked', label: 'Clicked', colour: '--c-soft', event: 'email.clicked' },
  { value: 'replied', label: 'Replied', colour: '--c-warn', event: 'email.replied' },
  { value: 'positive', label: 'Positive', colour: '--c-good', event: 'ai_sdr.positive_reply' },
  { value: 'bounced', label: 'Bounced', colour: '--c-bad', event: 'email.bounced' },
  { value: 'unsubscribed', label: 'Unsubscribed', colour: '--c-faint', event: 'lead.unsubscribed' },
]

/** Enough for any answer, and an end if the clock of the service were wrong. */
const MOST_TIMES = 2000
const FEWEST_TIMES = 8

/**
 * The beginning of every hour, day or week from `from` to `to`, as the service counts them. It was asked in the time zone of
 * this browser, so the calendar of this browser tells when they begin, also where a day has 23 hours.
 */
export function timesOf({ interval, from, to }: Pick<MetricSeries, 'interval' | 'from' | 'to'>, createdAt: string): number[] {
  const at = new Date(from)
  if (interval === 'hour') at.setMinutes(0, 0, 0)
  else at.setHours(0, 0, 0, 0)
  if (interval === 'week') at.setDate(at.getDate() - ((at.getDay() + 6) % 7))
  const end = Date.parse(to)
  const times: number[] = []
  while (at.getTime() < end && times.length < MOST_TIMES) {
    times.push(at.getTime() / 1000)
    if (interval === 'hour') at.setTime(at.getTime() + 3_600_000)
    else at.setDate(at.getDate() + (interval === 'day' ? 1 : 7))
  }
  // What lies before the campaign is left out, as long as there is enough to see a shape.
  const begun = Date.parse(createdAt) / 1000
  const first = times.findIndex((_, index) => (times[index + 1] ?? Number.POSITIVE_INFINITY) > begun)
  return times.slice(Math.max(0, Math.min(first - 1, times.length - FEWEST_TIMES)))
}

/** The values of a group at these times; where nothing happened, nothing happened: 0. */
export function valuesAt(times: readonly number[], { points }: SeriesGroup, metric: Metric): number[] {
  const values = times.map(() => 0)
  let index = 0
  for (const point of points) {
    const at = Date.parse(point.at) / 1000
    while (index < times.length - 1 && times[index + 1]! <= at) index++
    if (times.length > 0) values[index]! += point[metric]
  }
  return values
}
