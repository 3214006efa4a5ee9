import type { Provider } from '@overture/sdk'
import { formatCount, formatNoun } from '@/ui/format.ts'
import { rampDays } from './data.ts'

export interface RampPictureProps {
  dailyCap: number
  ramp: Provider['ramp']
  /** Counted from 0; null before it is connected. */
  today: number | null
}

const HEIGHT = 96

/** How many may leave on each day until the cap: what the two numbers of a ramp mean. */
export function RampPicture({ dailyCap, ramp, today }: RampPictureProps) {
  if (!ramp) {
    return (
      <p className="text-faint text-xs">
        No ramp: {formatCount(dailyCap)} may leave from the first day on. A new mailbox that suddenly sends much looks like a stolen one.
      </p>
    )
  }
  const days = rampDays(dailyCap, ramp)
  const isReached = days.at(-1) === dailyCap
  const words = isReached
    ? `${formatCount(days[0]!)} on the first day, the cap of ${formatCount(dailyCap)} on day ${days.length}`
    : `${formatCount(days[0]!)} on the first day, and the cap of ${formatCount(dailyCap)} is never reached`
  return (
    <figure>
      <div role="img" aria-label={words} className="flex items-end gap-px" style={{ height: HEIGHT }}>
        {days.map((limit, day) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: a day is its number
            key={day}
            title={`Day ${day + 1}: ${formatCount(limit)}`}
            className={`min-w-0 flex-1 rounded-t-sm ${day === today ? 'bg-accent' : 'bg-accent/30'}`}
            style={{ height: Math.max(2, (limit / dailyCap) * HEIGHT) }}
          />
        ))}
      </div>
      <figcaption className="mt-2 flex flex-wrap justify-between gap-x-4 text-faint text-xs">
        <span>{words}.</span>
        {today !== null && isReached ? (
          <span>
            {today >= days.length - 1
              ? 'The ramp is over.'
              : `Today is day ${today + 1}; ${formatNoun(days.length - 1 - today, 'day')} to go.`}
          </span>
        ) : null}
      </figcaption>
    </figure>
  )
}
