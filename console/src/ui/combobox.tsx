import { Combobox as Base } from '@base-ui/react/combobox'
import { cx } from './cx.ts'
import { ChevronsIcon } from './icons.tsx'
import { type Option, type SelectProps, Tick } from './select.tsx'

interface ComboboxProps<Value extends string> extends Omit<SelectProps<Value>, 'onChange'> {
  onChange: (value: Value | null) => void
  /** Shown if nothing matches the text. */
  empty?: string
  autoFocus?: boolean
}

/** A select with a search, for long lists. Typing replaces the choice, and Enter selects the first match. */
export function Combobox<Value extends string>(props: ComboboxProps<Value>) {
  const { label, options, value, onChange, placeholder, empty = 'No matches.', autoFocus, disabled = false, className } = props
  return (
    <Base.Root
      items={options as Option<Value>[]}
      value={options.find(option => option.value === value) ?? null}
      onValueChange={(option: Option<Value> | null) => onChange(option?.value ?? null)}
      disabled={disabled}
      isItemEqualToValue={(a: Option<Value>, b: Option<Value>) => a.value === b.value}
      autoHighlight
    >
      <Base.InputGroup className={cx('field-box flex h-8 items-center', className)}>
        <Base.Input
          aria-label={label}
          placeholder={placeholder}
          autoFocus={autoFocus}
          onFocus={event => event.currentTarget.select()}
          className="h-full min-w-0 flex-1 rounded-lg bg-transparent pl-2.5 field-text outline-none placeholder:text-faint"
        />
        <Base.Trigger aria-label="Show options" className="grid h-full w-7 place-items-center text-faint">
          <ChevronsIcon />
        </Base.Trigger>
      </Base.InputGroup>
      <Base.Portal>
        <Base.Positioner sideOffset={6} className="z-50">
          <Base.Popup className="popup w-(--anchor-width) p-1">
            <Base.Empty>
              <div className="px-2.5 py-3 text-faint">{empty}</div>
            </Base.Empty>
            <Base.List className="max-h-72 overflow-y-auto">
              {(option: Option<Value>) => (
                <Base.Item key={option.value} value={option} className="popup-item">
                  {option.mark}
                  <span className="flex-1 truncate">{option.label}</span>
                  <Tick of={Base.ItemIndicator} />
                </Base.Item>
              )}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
