import type { Provider } from '@overture/sdk'
import { Field, Input, Switch } from '@/ui/field.tsx'
import { formatCount, formatNoun } from '@/ui/format.ts'
import { rampDays } from './data.ts'

export type Limits = Pick<Provider, 'dailyCap' | 'minGapSeconds' | 'ramp'>

const FIRST_RAMP = { startPerDay: 5, increasePerDay: 3 }
const numberOf = (typed: string): number => Number(typed.replace(/\D/g, '').slice(0, 6))

interface NumberFieldProps {
  label: string
  help?: string
  error?: string | null
  value: number | null
  onChange: (value: number) => void
}

export function NumberField({ label, help, error, value, onChange }: NumberFieldProps) {
  return (
    <Field label={label} help={help} error={error}>
      <Input value={value === null ? '' : String(value)} inputMode="numeric" onValueChange={typed => onChange(numberOf(typed))} />
    </Field>
  )
}

interface LimitsFormProps {
  limits: Limits
  onChange: (limits: Limits) => void
  /** The daily limit of the provider, if it is known. */
  hosterPerDay?: number | null
  /** The day of the ramp-up, from 0. Null before the mailbox is connected. */
  today: number | null
}

/** The limits, with a chart of the ramp-up. */
export function LimitsForm({ limits, onChange, hosterPerDay = null, today }: LimitsFormProps) {
  const { dailyCap, minGapSeconds, ramp } = limits
  return (
    <div className="flex flex-col gap-4">
      <div className="grid grid-cols-2 gap-3">
        <NumberField
          label="Daily limit"
          help={
            hosterPerDay
              ? `Your provider allows ${formatNoun(hosterPerDay, 'email')} a day.`
              : 'Answers you send from the inbox also count.'
          }
          value={dailyCap}
          onChange={value => onChange({ ...limits, dailyCap: value })}
        />
        <NumberField
          label="Delay between emails"
          help="Minimum delay in seconds. Overture adds a small random delay."
          value={minGapSeconds}
          onChange={value => onChange({ ...limits, minGapSeconds: value })}
        />
      </div>
      <Switch
        label="Ramp up"
        help="Starts with a few emails a day and adds more each day."
        checked={ramp !== null}
        onChange={isOn => onChange({ ...limits, ramp: isOn ? FIRST_RAMP : null })}
      />
      {ramp ? (
        <div className="grid grid-cols-2 gap-3">
          <NumberField
            label="Emails on the first day"
            value={ramp.startPerDay}
            onChange={startPerDay => onChange({ ...limits, ramp: { ...ramp, startPerDay } })}
          />
          <NumberField
            label="Daily increase"
            value={ramp.increasePerDay}
            onChange={increasePerDay => onChange({ ...limits, ramp: { ...ramp, increasePerDay } })}
          />
        </div>
      ) : null}
      {dailyCap > 0 ? <RampPicture dailyCap={dailyCap} ramp={ramp} today={today} /> : null}
    </div>
  )
}

const HEIGHT = 96

/** The limit of each day until the daily limit is reached. */
function RampPicture({ dailyCap, ramp, today }: { dailyCap: number; ramp: Provider['ramp']; today: number | null }) {
  if (!ramp) {
    return (
      <p className="text-faint text-xs">
        No ramp-up: {formatNoun(dailyCap, 'email')} from the first day. Mail providers may distrust a new mailbox that suddenly sends a lot.
      </p>
    )
  }
  const days = rampDays(dailyCap, ramp)
  const isReached = days.at(-1) === dailyCap
  const words = isReached
    ? `Starts at ${formatNoun(days[0]!, 'email')} a day and reaches the daily limit of ${formatCount(dailyCap)} on day ${days.length}`
    : `Starts at ${formatNoun(days[0]!, 'email')} a day and does not reach the daily limit of ${formatCount(dailyCap)} in ${days.length} days`
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
              ? 'Ramp-up complete.'
              : `Today is day ${today + 1}, ${formatNoun(days.length - 1 - today, 'day')} left.`}
          </span>
        ) : null}
      </figcaption>
    </figure>
  )
}
