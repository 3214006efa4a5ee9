import { cx } from '@/ui/cx.ts'
import { formatNoun } from '@/ui/format.ts'
import { NumberLink } from '@/ui/number-link.tsx'
import { useLeadZones } from '../data.ts'
import type { ScheduleValues } from './form-values.ts'
import { HourLines, HourScale, percentOf } from './week-picture.tsx'
import { commonOf, offsetOf, piecesOf, spanOf, wordSpan } from './zones.ts'

const MOST_ZONES = 8
/** Between these hours a message looks as if a person had sent it. */
const POLITE = { from: 7 * 60, to: 20 * 60 }

/** Where the leads are, and at which hours of theirs the messages leave; drawn on the clock of the campaign. */
export function ZonesPicture({ campaignId, values }: { campaignId: string; values: ScheduleValues }) {
  const { data: sample } = useLeadZones(campaignId)
  if (!sample || sample.size === 0) return null
  const known = sample.zones.filter(({ zone }) => zone !== null)
  if (known.length === 0) {
    return (
      <p className="text-faint text-xs">
        {sample.hasMore ? `None of the first ${sample.size} leads has` : 'No lead has'} a time zone, so the clock of the campaign holds for
        all of them.
      </p>
    )
  }
  const now = new Date()
  const home = offsetOf(values.timezone, now) ?? 0
  const span = spanOf(values.window)
  const length = span.to - span.from
  return (
    <div>
      <div className="grid grid-cols-[minmax(0,10rem)_1fr] items-center gap-x-3 gap-y-1.5">
        <span className="text-faint text-xs">on the clock of {values.timezone}</span>
        <HourScale />
        {sample.zones.slice(0, MOST_ZONES).map(({ zone, count }) => {
          const offset = zone === null ? home : (offsetOf(zone, now) ?? home)
          const ahead = offset - home
          // With the clock of the lead the bar moves; with that of the campaign the hours of the lead do.
          const begins = values.useLeadTimezone ? span.from - ahead : span.from
          const pieces = length > 0 ? piecesOf(begins, length) : []
          const polite = commonOf(pieces, piecesOf(POLITE.from - ahead, POLITE.to - POLITE.from))
          const isPolite = lengthOf(polite) === lengthOf(pieces)
          const there = wordSpan(begins + ahead, length)
          return (
            <div key={zone ?? 'none'} className="contents">
              <p className="min-w-0">
                <span className="block truncate text-xs">{zone ?? 'No zone'}</span>
                <span className={cx('block text-2xs', isPolite ? 'text-faint' : 'text-warn')}>
                  <NumberLink
                    link={{ to: '/campaigns/$campaignId/leads', params: { campaignId }, search: (zone ? { timezone: zone } : {}) as never }}
                    title="See the leads"
                  >
                    {formatNoun(count, 'lead')}
                  </NumberLink>
                  , {there} there
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
        Before 07:00 or after 20:00 there. {sample.hasMore ? `Counted among the first ${sample.size} leads. ` : ''}
        {sample.zones.length > MOST_ZONES ? `${sample.zones.length - MOST_ZONES} more zones are not drawn.` : ''}
      </p>
    </div>
  )
}

const lengthOf = (pieces: readonly { from: number; to: number }[]): number => pieces.reduce((sum, { from, to }) => sum + to - from, 0)
