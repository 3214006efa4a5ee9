import { campaignNow } from '@/data/clock.ts'
import { cx } from '@/ui/cx.ts'
import { formatClock, formatHour, formatNoun, zoneWords } from '@/ui/format.ts'
import { NumberLink } from '@/ui/quick-link.tsx'
import { useLeadZones } from '../data.ts'
import { type ScheduleValues, WEEKDAYS, type Weekday } from './schedule.ts'
import { commonOf, DAY_MINUTES, formatSpan, offsetOf, piecesOf, spanOf } from './zones.ts'

const HOURS = [0, 6, 12, 18, 24] as const
const percentOf = (minutes: number): string => `${(minutes / DAY_MINUTES) * 100}%`

/** The hours above bars of one day. On a phone, a short scale has no room for all of them. */
function HourScale({ isShort = false }: { isShort?: boolean }) {
  return (
    <div className="relative h-4 text-2xs text-faint tabular" aria-hidden="true">
      {HOURS.map(hour => (
        <span
          key={hour}
          className={cx(
            'absolute whitespace-nowrap',
            isShort && hour % 12 > 0 && 'max-sm:hidden',
            hour === 24 ? '-translate-x-full' : hour > 0 && '-translate-x-1/2',
          )}
          style={{ left: percentOf(hour * 60) }}
        >
          {formatHour(hour)}
        </span>
      ))}
    </div>
  )
}

function HourLines() {
  return HOURS.slice(1, -1).map(hour => (
    <span key={hour} className="absolute inset-y-0 w-px bg-line" style={{ left: percentOf(hour * 60) }} aria-hidden="true" />
  ))
}

interface WeekPictureProps {
  values: ScheduleValues
  disabled: boolean
  onToggle: (day: Weekday) => void
}

/** The sending window of each weekday on a line of 24 hours, with a switch for the day. */
export function WeekPicture({ values: { days, window }, disabled, onToggle }: WeekPictureProps) {
  const { from, to } = spanOf(window)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset brings a look of its own
    <div role="group" aria-label="Days" className="grid grid-cols-[auto_1fr] items-center gap-x-3 gap-y-1">
      <span />
      <HourScale />
      {WEEKDAYS.map(({ value, short }) => {
        const isOn = days.includes(value)
        return (
          <div key={value} className="contents">
            <button
              type="button"
              aria-pressed={isOn}
              disabled={disabled}
              onClick={() => onToggle(value)}
              className="h-7 w-12 rounded-md border border-line-strong bg-panel font-medium text-faint text-xs transition-colors aria-pressed:border-accent aria-pressed:bg-accent aria-pressed:text-on-accent disabled:opacity-60"
            >
              {short}
            </button>
            <div className="relative h-7 overflow-hidden rounded-md bg-sunken">
              <HourLines />
              {isOn && to > from ? (
                <span
                  className="absolute inset-y-0.5 rounded bg-accent/80"
                  style={{ left: percentOf(from), width: percentOf(to - from) }}
                  aria-hidden="true"
                />
              ) : null}
            </div>
          </div>
        )
      })}
    </div>
  )
}

const MOST_ZONES = 8
/** Between these hours, an email looks as if a person had sent it. */
const POLITE = { from: 7 * 60, to: 20 * 60 }

/** The time zones of the leads, and the local hours of their emails, on a line in the time zone of the campaign. */
export function ZonesPicture({ campaignId, values }: { campaignId: string; values: ScheduleValues }) {
  const { data: sample } = useLeadZones(campaignId)
  if (!sample || sample.size === 0) return null
  const known = sample.zones.filter(({ zone }) => zone !== null)
  if (known.length === 0) {
    return (
      <p className="text-faint text-xs">
        {sample.hasMore ? `None of the first ${sample.size} leads has` : 'No lead has'} a time zone. Overture uses the campaign's time zone.
      </p>
    )
  }
  const now = campaignNow()
  const home = offsetOf(values.timezone, now) ?? 0
  const span = spanOf(values.window)
  const length = span.to - span.from
  return (
    <div>
      <div className="grid grid-cols-[minmax(0,10rem)_1fr] items-center gap-x-3 gap-y-1.5">
        <span className="text-faint text-xs">in {zoneWords(values.timezone)}</span>
        <HourScale isShort />
        {sample.zones.slice(0, MOST_ZONES).map(({ zone, count }) => {
          const offset = zone === null ? home : (offsetOf(zone, now) ?? home)
          const ahead = offset - home
          // In the time zone of the lead, the bar moves. In that of the campaign, the local hours change instead.
          const begins = values.useLeadTimezone ? span.from - ahead : span.from
          const pieces = length > 0 ? piecesOf(begins, length) : []
          const polite = commonOf(pieces, piecesOf(POLITE.from - ahead, POLITE.to - POLITE.from))
          const isPolite = lengthOf(polite) === lengthOf(pieces)
          const there = formatSpan(begins + ahead, length)
          return (
            <div key={zone ?? 'none'} className="contents">
              <p className="min-w-0">
                <span className="block truncate text-xs">{zone === null ? 'No time zone' : zoneWords(zone)}</span>
                <span className={cx('block text-2xs', isPolite ? 'text-faint' : 'text-warn')}>
                  <NumberLink
                    link={{ to: '/campaigns/$campaignId/leads', params: { campaignId }, search: (zone ? { timezone: zone } : {}) as never }}
                    title="View leads"
                  >
                    {formatNoun(count, 'lead')}
                  </NumberLink>
                  , {there} local time
                </span>
              </p>
              <div className="relative h-6 overflow-hidden rounded-md bg-sunken" aria-hidden="true">
                <HourLines />
                {pieces.map(({ from, to }) => (
                  <span
                    key={from}
                    className="absolute inset-y-0.5 rounded bg-warn"
                    style={{ left: percentOf(from), width: percentOf(to - from) }}
                  />
                ))}
                {polite.map(({ from, to }) => (
                  <span
                    key={from}
                    className="absolute inset-y-0.5 rounded-sm bg-accent"
                    style={{ left: percentOf(from), width: percentOf(to - from) }}
                  />
                ))}
              </div>
            </div>
          )
        })}
      </div>
      <p className="mt-2 text-faint text-xs">
        <span className="mr-1.5 inline-block size-2 rounded-full bg-warn" aria-hidden="true" />
        Before {formatClock(POLITE.from)} or after {formatClock(POLITE.to)} local time.{' '}
        {sample.hasMore ? `Based on the first ${sample.size} leads. ` : ''}
        {sample.zones.length > MOST_ZONES ? `${formatNoun(sample.zones.length - MOST_ZONES, 'more time zone')} not shown.` : ''}
      </p>
    </div>
  )
}

const lengthOf = (pieces: readonly { from: number; to: number }[]): number => pieces.reduce((sum, { from, to }) => sum + to - from, 0)
