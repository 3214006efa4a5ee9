import type { Provider } from '@overture/sdk'
import { Field, Input } from '@/ui/field.tsx'
import { Switch } from '@/ui/toggles.tsx'
import { RampPicture } from './ramp-picture.tsx'

export type Limits = Pick<Provider, 'dailyCap' | 'minGapSeconds' | 'ramp'>

const FIRST_RAMP = { startPerDay: 5, increasePerDay: 3 }
const numberOf = (typed: string): number => Number(typed.replace(/\D/g, '').slice(0, 6))

export interface NumberFieldProps {
  label: string
  help?: string
  error?: string | null
  value: number | null
  onChange: (value: number) => void
}

export function NumberField({ label, help, error, value, onChange }: NumberFieldProps) {
  return (
    <Field label={label} help={help} error={error}>
      <Input value={value === null ? '' : String(value)} inputMode="numeric" onChange={event => onChange(numberOf(event.target.value))} />
    </Field>
  )
}

export interface LimitsFormProps {
  limits: Limits
  onChange: (limits: Limits) => void
  /** What the hoster allows in a day, where it says so. */
  hosterPerDay?: number | null
  /** The day of the ramp, from 0; null before it is connected. */
  today: number | null
}

/** How much and how fast, with a picture of what that means in the first weeks. */
export function LimitsForm({ limits, onChange, hosterPerDay = null, today }: LimitsFormProps) {
  const { dailyCap, minGapSeconds, ramp } = limits
  return (
    <div className="flex flex-col gap-4">
      <div className="grid grid-cols-2 gap-3">
        <NumberField
          label="Most in a day"
          help={hosterPerDay ? `The hoster allows ${hosterPerDay}.` : 'Answers of people count, too.'}
          value={dailyCap}
          onChange={value => onChange({ ...limits, dailyCap: value })}
        />
        <NumberField
          label="Seconds between two"
          help="At least; a little more at random."
          value={minGapSeconds}
          onChange={value => onChange({ ...limits, minGapSeconds: value })}
        />
      </div>
      <Switch
        label="Begin slowly"
        help="A few on the first day, a few more on each day after it."
        checked={ramp !== null}
        onChange={isOn => onChange({ ...limits, ramp: isOn ? FIRST_RAMP : null })}
      />
      {ramp ? (
        <div className="grid grid-cols-2 gap-3">
          <NumberField
            label="On the first day"
            value={ramp.startPerDay}
            onChange={startPerDay => onChange({ ...limits, ramp: { ...ramp, startPerDay } })}
          />
          <NumberField
            label="More each day"
            value={ramp.increasePerDay}
            onChange={increasePerDay => onChange({ ...limits, ramp: { ...ramp, increasePerDay } })}
          />
        </div>
      ) : null}
      {dailyCap > 0 ? <RampPicture dailyCap={dailyCap} ramp={ramp} today={today} /> : null}
    </div>
  )
}
