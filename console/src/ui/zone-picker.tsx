import { Combobox } from './combobox.tsx'
import { zoneWords } from './format.ts'

const asOption = (value: string) => ({ value, label: zoneWords(value) })
const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter(zone => zone !== 'UTC')].map(asOption)

/** A time zone that is saved stays an option, even if this browser does not list it. */
export function ZonePicker({ value, onChange, disabled = false }: { value: string; onChange: (zone: string) => void; disabled?: boolean }) {
  return (
    <Combobox
      label="Time zone"
      disabled={disabled}
      options={ZONES.some(zone => zone.value === value) ? ZONES : [asOption(value), ...ZONES]}
      value={value}
      onChange={zone => zone && onChange(zone)}
      empty="No matching time zone."
    />
  )
}
