import type { Campaign, MetricSeries } from '@overture/sdk'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { sentence } from '@/data/field-words.ts'
import type { Metric, SeriesGroup } from '@/data/use-answer.ts'
import { optionsOf, Segmented } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { Chart, type ChartLine } from '@/ui/chart.tsx'
import { formatCount } from '@/ui/format.ts'
import { Select } from '@/ui/select.tsx'
import { Skeleton } from '@/ui/skeleton.tsx'
import { ErrorState } from '@/ui/states.tsx'
import { type Grouping, type Interval, useAllMailboxes, useCampaignSeries, useSteps } from '../data.ts'

const INTERVALS = optionsOf({ hour: 'Hour', day: 'Day', week: 'Week' })
const GROUPINGS = optionsOf({ none: 'All emails', step: 'By step', variant: 'By variant', mailbox: 'By mailbox' })
const SPANS = { hour: 'last 2 days', day: 'last 30 days', week: 'last 26 weeks' }
const COLORS = ['accent', 'warn', 'good', 'info', 'bad', 'soft'] as const
/** More lines than this are hard to tell apart. */
const MOST_LINES = 6
const HEIGHT = 240

const oneOf = <Value extends string>(options: readonly { value: Value }[], asked: string | undefined, otherwise: Value): Value =>
  options.find(({ value }) => value === asked)?.value ?? otherwise

export function ResultsChart({ campaign }: { campaign: Campaign }) {
  const search = useSearch({ from: '/shell/campaigns/$campaignId/' })
  const navigate = useNavigate()
  const interval = oneOf<Interval>(INTERVALS, search.interval, 'day')
  const grouping = oneOf<Grouping>(GROUPINGS, search.by, 'none')
  const metric = oneOf<Metric>(METRICS, search.metric, 'sent')
  const set = (changed: { interval?: string; by?: string; metric?: string }) =>
    void navigate({ to: '.', search: (before: object) => ({ ...before, ...changed }) as never, replace: true, resetScroll: false })
  const { data, error, refetch, isPlaceholderData } = useCampaignSeries(campaign.id, interval, grouping)
  const nameOf = useNames(campaign.id)
  const { createdAt } = campaign
  const drawn = useMemo(() => (data ? draw(data, metric, nameOf, createdAt) : null), [data, metric, nameOf, createdAt])
  return (
    <Card
      title="Results over time"
      description={`${sentence(SPANS[interval])}, by event date`}
      actions={
        <div className="flex flex-wrap items-center gap-2">
          {grouping === 'none' ? null : (
            <Select label="Metric" options={METRICS} value={metric} onChange={value => set({ metric: value })} className="min-w-28" />
          )}
          <Select label="Group by" options={GROUPINGS} value={grouping} onChange={value => set({ by: value })} />
          <Segmented label="Interval" options={INTERVALS} value={interval} onChange={value => set({ interval: value })} />
        </div>
      }
    >
      {error && !data ? <ErrorState error={error} onRetry={() => void refetch()} className="py-8" /> : null}
      {drawn ? (
        <div aria-busy={isPlaceholderData} className={isPlaceholderData ? 'opacity-60 transition-opacity' : 'transition-opacity'}>
          <ul className="mb-2 flex flex-wrap gap-x-5 gap-y-1.5">
            {(drawn.isEmpty ? [] : drawn.legend).map(({ key, label, color, total, event }) => (
              <li key={key} className="flex items-center gap-1.5 text-xs">
                <span className="size-2 rounded-full" style={{ background: `var(--color-${color})` }} aria-hidden="true" />
                <span className="max-w-56 truncate text-soft">{label}</span>
                <Link
                  to="/campaigns/$campaignId/activity"
                  params={{ campaignId: campaign.id }}
                  search={{ type: event }}
                  className="font-medium tabular underline-offset-2 hover:underline"
                  aria-label={`${label}: ${total}, view events`}
                >
                  {formatCount(total)}
                </Link>
              </li>
            ))}
            {drawn.hidden > 0 ? <li className="text-faint text-xs">{drawn.hidden} more not shown</li> : null}
          </ul>
          {drawn.isEmpty ? (
            <p className="grid place-items-center rounded-lg bg-sunken text-faint" style={{ height: HEIGHT }}>
              No activity in the {SPANS[interval]}.
            </p>
          ) : (
            <Chart times={drawn.times} lines={drawn.lines} height={HEIGHT} label={drawn.label} />
          )}
        </div>
      ) : error ? null : (
        <div style={{ height: HEIGHT + 26 }}>
          <Skeleton className="size-full" />
        </div>
      )}
    </Card>
  )
}

/** The names of groups. The service returns only their ids. */
function useNames(campaignId: string): (groupBy: MetricSeries['groupBy'], key: string | null) => string {
  const { data: steps } = useSteps(campaignId)
  const { data: mailboxes } = useAllMailboxes()
  return useMemo(() => {
    const variants = new Map<string, string>()
    for (const [number, step] of (steps ?? []).entries())
      for (const [index, variant] of step.variants.entries())
        variants.set(variant.id, `Step ${number + 1}${String.fromCharCode(65 + index)}${variant.subject ? ` · ${variant.subject}` : ''}`)
    const names = new Map((mailboxes ?? []).map(mailbox => [mailbox.id, mailbox.name]))
    return (groupBy, key) => {
      if (key === null) return groupBy === null ? 'All' : 'Unknown'
      if (groupBy === 'step') return `Step ${Number(key) + 1}`
      if (groupBy === 'variant') return variants.get(key) ?? 'Earlier variant'
      return names.get(key) ?? 'Removed mailbox'
    }
  }, [steps, mailboxes])
}

interface Legend {
  key: string
  label: string
  color: string
  total: number
  event: string
}

/** Without groups, a line for each metric. With groups, a line for each group. */
function draw(
  data: MetricSeries,
  metric: Metric,
  nameOf: (groupBy: MetricSeries['groupBy'], key: string | null) => string,
  createdAt: string,
) {
  const times = timesOf(data, createdAt)
  const lines: ChartLine[] = []
  const legend: Legend[] = []
  const add = (entry: Legend, group: SeriesGroup, counted: Metric) => {
    legend.push(entry)
    lines.push({ label: entry.label, color: entry.color, values: valuesAt(times, group, counted) })
  }
  let hidden = 0
  if (data.groupBy === null) {
    const all = data.series[0]
    for (const { value, label, color, event } of METRICS) {
      const total = all?.totals[value] ?? 0
      const isAlways = value === 'sent' || value === 'replied' || value === 'positive'
      if (all && (total > 0 || isAlways)) add({ key: value, label, color, total, event }, all, value)
    }
  } else {
    const event = METRICS.find(({ value }) => value === metric)!.event
    const groups = [...data.series].sort((a, b) => b.totals[metric] - a.totals[metric])
    hidden = Math.max(0, groups.length - MOST_LINES)
    for (const [index, group] of groups.slice(0, MOST_LINES).entries())
      add(
        {
          key: String(group.key),
          label: nameOf(data.groupBy, group.key),
          color: COLORS[index]!,
          total: group.totals[metric],
          event,
        },
        group,
        metric,
      )
  }
  const label = legend.map(entry => `${entry.label}: ${entry.total}`).join(', ')
  return { times, lines, legend, hidden, label: `Results over time. ${label}`, isEmpty: legend.every(({ total }) => total === 0) }
}

const METRICS: readonly { value: Metric; label: string; color: string; event: string }[] = [
  { value: 'sent', label: 'Sent', color: 'accent', event: 'email.sent' },
  { value: 'opened', label: 'Opens', color: 'info', event: 'email.opened' },
  { value: 'clicked', label: 'Clicks', color: 'soft', event: 'email.clicked' },
  { value: 'replied', label: 'Replies', color: 'warn', event: 'email.replied' },
  { value: 'positive', label: 'Positive replies', color: 'good', event: 'ai_sdr.positive_reply' },
  { value: 'bounced', label: 'Bounces', color: 'bad', event: 'email.bounced' },
  { value: 'unsubscribed', label: 'Unsubscribes', color: 'faint', event: 'lead.unsubscribed' },
]

/** More than any response has, so that a wrong clock of the service cannot cause an endless loop. */
const MOST_TIMES = 2000
const FEWEST_TIMES = 8

/**
 * The start of every hour, day or week from `from` to `to`, as the service counts them. The request has the time zone of this
 * browser, so the calendar of this browser tells when they start, even if a day has 23 hours.
 */
function timesOf({ interval, from, to }: Pick<MetricSeries, 'interval' | 'from' | 'to'>, createdAt: string): number[] {
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
  // The time before the campaign is left out if enough times remain to see a shape.
  const begun = Date.parse(createdAt) / 1000
  const first = times.findIndex((_, index) => (times[index + 1] ?? Number.POSITIVE_INFINITY) > begun)
  return times.slice(Math.max(0, Math.min(first - 1, times.length - FEWEST_TIMES)))
}

/** The values of a group at these times, 0 if nothing happened. */
function valuesAt(times: readonly number[], { points }: SeriesGroup, metric: Metric): number[] {
  const values = times.map(() => 0)
  let index = 0
  for (const point of points) {
    const at = Date.parse(point.at) / 1000
    while (index < times.length - 1 && times[index + 1]! <= at) index++
    if (times.length > 0) values[index]! += point[metric]
  }
  return values
}
