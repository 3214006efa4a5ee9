import { cx } from '@/ui/cx.ts'
import type { ScheduleValues } from './form-values.ts'
import { WEEKDAYS, type Weekday } from './words.ts'
import { DAY_MINUTES, spanOf } from './zones.ts'

export const HOURS = [0, 6, 12, 18, 24] as const
export const percentOf = (minutes: number): string => `${(minutes / DAY_MINUTES) * 100}%`

/** Names the hours above bars of one day. */
export function HourScale() {
  return (
    <div className="relative h-4 text-2xs text-faint tabular" aria-hidden="true">
      {HOURS.map(hour => (
        <span
          key={hour}
          className={cx('absolute', hour === 24 ? '-translate-x-full' : hour > 0 && '-translate-x-1/2')}
          style={{ left: percentOf(hour * 60) }}
        >
          {String(hour).padStart(2, '0')}
        </span>
      ))}
    </div>
  )
}

export function HourLines() {
  return HOURS.slice(1, -1).map(hour => (
    <span key={hour} className="absolute inset-y-0 w-px bg-line" style={{ left: percentOf(hour * 60) }} aria-hidden="true" />
  ))
}

export interface WeekPictureProps {
  values: ScheduleValues
  disabled: boolean
  onToggle: (day: Weekday) => void
}

/** The week as it will be: each day a line of 24 hours, and a switch. */
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
