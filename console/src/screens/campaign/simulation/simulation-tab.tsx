import type { Simulation } from '@overture/sdk'
import { Link, type LinkProps } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { campaignNow, useClockOffset } from '@/data/clock.ts'
import { sentence } from '@/data/field-words.ts'
import { limitWords } from '@/data/words.ts'
import { Badge } from '@/ui/badge.tsx'
import { Button, buttonClass, optionsOf, Segmented } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { type BarGroup, type StackedBar, StackedBars } from '@/ui/chart.tsx'
import { CopyAs } from '@/ui/copy-as.tsx'
import { cx } from '@/ui/cx.ts'
import { formatCount, formatDay, formatMoment, formatNoun, formatWeekday, readable, zoneWords } from '@/ui/format.ts'
import { CampaignIcon, CheckIcon, RefreshIcon } from '@/ui/icons.tsx'
import type { TabLink } from '@/ui/page.tsx'
import { Skeleton } from '@/ui/skeleton.tsx'
import { EmptyState, ErrorState } from '@/ui/states.tsx'
import { Time } from '@/ui/time.tsx'
import { useAllMailboxes, useSchedule, useSimulation, useThisCampaign } from '../data.ts'
import { ReasonCount } from '../sending/reasons.tsx'

const STACKINGS = optionsOf({ mailbox: 'By mailbox', step: 'By step' })
const HORIZONS = optionsOf({ '30': '30 days', '90': '90 days', '365': '1 year' })
const HEIGHT = 240

/** The rest of the campaign, simulated by the code that sends. */
export function SimulationTab() {
  const campaign = useThisCampaign()
  const [stacking, setStacking] = useState<Stacking>('mailbox')
  const [horizon, setHorizon] = useState<'30' | '90' | '365'>('365')
  const { data, error, refetch, isFetching, dataUpdatedAt } = useSimulation(campaign, Number(horizon))
  if (error && !data) {
    const isNotReady = (error as { code?: string }).code === 'campaign_not_ready'
    if (!isNotReady) return <ErrorState error={error} onRetry={() => void refetch()} />
    return (
      <Card isFlush>
        <EmptyState
          icon={CampaignIcon}
          title="No forecast yet"
          actions={
            <Link to="/campaigns/$campaignId" params={{ campaignId: campaign.id }} className={buttonClass('secondary')}>
              View checks
            </Link>
          }
        >
          {error.message.replace(/^There is nothing to simulate yet: /, '')}
        </EmptyState>
      </Card>
    )
  }
  if (data && data.sends === 0 && data.notSent.length === 0) {
    return (
      <Card isFlush>
        <EmptyState
          icon={CampaignIcon}
          title="Nothing left to send"
          actions={
            <Button pending={isFetching} onClick={() => void refetch()}>
              Update forecast
            </Button>
          }
        >
          No lead is waiting for an email.
        </EmptyState>
      </Card>
    )
  }
  return (
    <div className="flex flex-col gap-5">
      <Card
        title="Forecast"
        description={
          <>
            Assumes no replies and no other campaign on these mailboxes{campaign.status === 'active' ? '' : ', and that sending starts now'}
            . Calculated <Time at={dataUpdatedAt ? new Date(dataUpdatedAt).toISOString() : null} isReal />.
          </>
        }
        actions={
          <div className="flex flex-wrap items-center gap-2">
            <Segmented label="Group by" options={STACKINGS} value={stacking} onChange={setStacking} />
            <Segmented label="Period" options={HORIZONS} value={horizon} onChange={setHorizon} />
            <Button icon={RefreshIcon} label="Update forecast" pending={isFetching} onClick={() => void refetch()} />
            <CopyAs call={overture => overture.campaigns.getSimulation(campaign.id, { horizonDays: Number(horizon) })} />
          </div>
        }
      >
        {data ? (
          <div className={cx('transition-opacity', isFetching && 'opacity-60')}>
            <ForecastChart simulation={data} stacking={stacking} />
          </div>
        ) : (
          <div style={{ height: HEIGHT }} aria-busy="true">
            <Skeleton className="size-full" />
          </div>
        )}
      </Card>
      {data ? (
        <div className="grid items-start gap-5 lg:grid-cols-2">
          {data.bindingLimit.code === 'nothing_to_send' ? null : <SpeedLimit simulation={data} />}
          <NotSent {...data} />
        </div>
      ) : null}
    </div>
  )
}

function ForecastChart({ simulation, stacking }: { simulation: Simulation; stacking: Stacking }) {
  useClockOffset()
  const { data: mailboxes } = useAllMailboxes()
  const { data: schedule } = useSchedule(simulation.campaignId)
  const { bars, groups, isByWeek } = useMemo(() => {
    const names = new Map((mailboxes ?? []).map(mailbox => [mailbox.id, mailbox.name]))
    return drawSimulation(simulation, stacking, key => (stacking === 'step' ? `Step ${Number(key) + 1}` : (names.get(key) ?? 'Mailbox')))
  }, [simulation, stacking, mailboxes])
  const { sends, startsAt, endsAt } = simulation
  if (bars.length === 0) {
    return (
      <EmptyState title="Nothing left to send" className="py-10">
        See below which leads get no email and why.
      </EmptyState>
    )
  }
  const isNow = startsAt !== null && Date.parse(startsAt) <= campaignNow().getTime()
  const facts = [
    ['Emails', formatCount(sends), null],
    ['First email', isNow ? 'now' : <Time key="starts" at={startsAt} />, startsAt ? formatMoment(startsAt, schedule?.timezone) : null],
    ['Last email', endsAt ? <Time key="ends" at={endsAt} /> : '–', endsAt ? formatMoment(endsAt, schedule?.timezone) : null],
  ] as const
  return (
    <>
      <dl className="mb-5 grid grid-cols-2 gap-4 sm:grid-cols-3">
        {facts.map(([name, value, exact]) => (
          <div key={name}>
            <dt className="text-faint text-xs">{name}</dt>
            <dd className="font-semibold text-xl tabular tracking-tight">{value}</dd>
            {exact ? <dd className="text-faint text-xs">{exact}</dd> : null}
          </div>
        ))}
      </dl>
      <ul className="mb-3 flex flex-wrap gap-x-5 gap-y-1">
        {groups.map(({ key, label, color }) => (
          <li key={key} className="flex items-center gap-1.5 text-soft text-xs">
            <span className={cx('size-2 rounded-full', color)} aria-hidden="true" /> {label}
          </li>
        ))}
        <li className="text-faint text-xs">
          {isByWeek
            ? 'Each bar is a week'
            : `Each bar is a day in ${schedule?.timezone ? zoneWords(schedule.timezone) : "the campaign's time zone"}`}
        </li>
      </ul>
      <StackedBars bars={bars} groups={groups} height={HEIGHT} label={`${formatNoun(sends, 'email')} by ${isByWeek ? 'week' : 'day'}`} />
      <details className="mt-3 text-xs">
        <summary className="cursor-pointer text-faint hover:text-ink">Show as table</summary>
        <div className="mt-2 max-h-72 overflow-auto rounded-lg border border-line">
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
          <table className="w-full tabular" tabIndex={0}>
            <thead>
              <tr className="text-left text-faint">
                <th className="px-3 py-1.5 font-medium">{isByWeek ? 'Week' : 'Day'}</th>
                {groups.map(({ key, label }) => (
                  <th key={key} className="px-3 py-1.5 text-right font-medium">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {bars.map(({ key, title, values }) => (
                <tr key={key} className="border-line border-t">
                  <td className="px-3 py-1">{title}</td>
                  {groups.map(group => (
                    <td key={group.key} className="px-3 py-1 text-right">
                      {formatCount(values[group.key] ?? 0)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </>
  )
}

const SETTLED_AT: Record<string, Pick<TabLink, 'to' | 'label'>> = {
  end_date: { to: '/campaigns/$campaignId/schedule', label: 'Edit dates' },
  mailbox_cap: { to: '/mailboxes', label: 'Open mailboxes' },
  gap_and_window: { to: '/campaigns/$campaignId/schedule', label: 'Edit schedule' },
  domain_throttle: { to: '/mailboxes', label: 'Open mailboxes' },
  delays: { to: '/campaigns/$campaignId/sequence', label: 'Edit delays' },
  no_mailbox: { to: '/campaigns/$campaignId/settings', label: 'Choose mailbox' },
}

/** The limit to raise first. */
function SpeedLimit({ simulation: { bindingLimit, campaignId } }: { simulation: Simulation }) {
  const settled = SETTLED_AT[bindingLimit.code]
  return (
    <Card title="Speed limit" actions={<Badge tone="info">{limitWords(bindingLimit.code)}</Badge>}>
      <p className="text-base">{readable(bindingLimit.message)}</p>
      {settled ? (
        <Link {...({ to: settled.to, params: { campaignId } } as LinkProps)} className={cx(buttonClass('secondary', 'sm'), 'mt-3')}>
          {settled.label}
        </Link>
      ) : null}
    </Card>
  )
}

type Stacking = 'mailbox' | 'step'

const COLORS = ['bg-accent', 'bg-info', 'bg-good', 'bg-warn', 'bg-bad', 'bg-faint'] as const
const OTHERS = 'others'
/** A longer simulation is shown by week. */
const MOST_DAYS = 70
const DAY_MS = 86_400_000

const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY_MS
const dateOf = (day: number): Date => new Date(day * DAY_MS)
/** Day 0 was a Thursday. */
const mondayOf = (day: number): number => day - ((day + 3) % 7)

type Day = Simulation['days'][number]

const valuesOf = ({ byMailbox, byStep }: Day, stacking: Stacking): Record<string, number> =>
  stacking === 'mailbox' ? byMailbox : Object.fromEntries(byStep.map((count, step) => [String(step), count]))

/** The bars include days without emails, so that gaps are visible. */
function drawSimulation(
  { days }: Simulation,
  stacking: Stacking,
  nameOf: (key: string) => string,
): { bars: StackedBar[]; groups: BarGroup[]; isByWeek: boolean } {
  const totals = new Map<string, number>()
  for (const day of days)
    for (const [key, count] of Object.entries(valuesOf(day, stacking))) totals.set(key, (totals.get(key) ?? 0) + count)
  const inOrder = [...totals].sort((a, b) => (stacking === 'step' ? Number(a[0]) - Number(b[0]) : b[1] - a[1])).map(([key]) => key)
  const isCut = inOrder.length > COLORS.length
  const own = isCut ? inOrder.slice(0, COLORS.length - 1) : inOrder
  const groups = [
    ...own.map((key, index) => ({ key, label: nameOf(key), color: COLORS[index]! as string })),
    ...(isCut ? [{ key: OTHERS, label: `${inOrder.length - own.length} others`, color: COLORS.at(-1)! as string }] : []),
  ]
  if (days.length === 0) return { bars: [], groups, isByWeek: false }
  const [first, last] = [dayOf(days[0]!.date), dayOf(days.at(-1)!.date)]
  const isByWeek = last - first > MOST_DAYS
  const begin = isByWeek ? mondayOf(first) : first
  const size = isByWeek ? 7 : 1
  const bars: (StackedBar & { values: Record<string, number> })[] = []
  for (let day = begin; day <= last; day += size) {
    const date = dateOf(day)
    bars.push({
      key: String(day),
      label: formatDay(date, 'UTC'),
      title: isByWeek ? `Week of ${formatDay(date, 'UTC')}` : formatWeekday(date, 'UTC'),
      values: {},
    })
  }
  for (const day of days) {
    const bar = bars[Math.floor((dayOf(day.date) - begin) / size)]!
    for (const [key, count] of Object.entries(valuesOf(day, stacking))) {
      const group = own.includes(key) ? key : OTHERS
      bar.values[group] = (bar.values[group] ?? 0) + count
    }
  }
  return { bars, groups, isByWeek }
}

/** Leads that do not get all emails, with the reason. */
function NotSent({ campaignId, notSent, truncated }: Pick<Simulation, 'campaignId' | 'notSent' | 'truncated'>) {
  return (
    <Card isFlush title="Not sent" description={truncated ? 'The campaign continues after this period.' : null}>
      {notSent.length === 0 ? (
        <p className="flex items-center gap-2 px-4 py-3.5 text-soft">
          <CheckIcon className="text-good" /> Every waiting lead gets all its emails. Skipped leads are not included.
        </p>
      ) : (
        <ul>
          {notSent.map(({ reason, count, messages, text }) => (
            <li key={reason} className="grid grid-cols-[3.5rem_minmax(0,1fr)] gap-4 border-line px-4 py-3 not-last:border-b">
              <ReasonCount campaignId={campaignId} reason={reason} count={count} className="font-semibold text-lg" />
              <div>
                <p>{sentence(readable(text))}</p>
                <p className="flex flex-wrap gap-x-3 text-faint text-xs">
                  <span>
                    {formatNoun(count, 'lead')}, {formatNoun(messages, 'email')}
                  </span>
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
