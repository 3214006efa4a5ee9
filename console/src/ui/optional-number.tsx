import { Input } from './field.tsx'
import { Switch } from './toggles.tsx'

export interface OptionalNumberProps {
  label: string
  help: string
  unit: string
  /** One where nothing is said. */
  least?: number
  most: number
  /** What it begins with when it is switched on. */
  start: number
  value: number | null
  disabled?: boolean
  onChange: (value: number | null) => void
}

/** A number that can be switched off altogether. */
export function OptionalNumber({ label, help, unit, least = 1, most, start, value, disabled = false, onChange }: OptionalNumberProps) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-3">
      <Switch label={label} help={help} checked={value !== null} disabled={disabled} onChange={isOn => onChange(isOn ? start : null)} />
      {value === null ? null : (
        <span className="flex items-center gap-2">
          <Input
            type="number"
            min={least}
            max={most}
            aria-label={`${label}: ${unit}`}
            className="w-24!"
            value={String(value)}
            disabled={disabled}
            onChange={event => onChange(Math.max(least, Math.min(most, Math.trunc(Number(event.target.value)) || least)))}
          />
          <span className="text-soft">{unit}</span>
        </span>
      )}
    </div>
  )
}
