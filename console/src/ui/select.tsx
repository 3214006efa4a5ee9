import { Select as Base } from '@base-ui/react/select'
import type { ComponentType, ReactNode } from 'react'
import { cx } from './cx.ts'
import { CheckIcon, ChevronsIcon } from './icons.tsx'
import { showFocusGuards } from './keyboard.tsx'

export interface Option<Value extends string> {
  value: Value
  label: string
  /** Shown before the label. */
  mark?: ReactNode
}

export interface SelectProps<Value extends string> {
  /** For screen readers. Put the select into a `Field` to show a label. */
  label?: string
  options: readonly Option<Value>[]
  value: Value | null
  onChange: (value: Value) => void
  placeholder?: string
  disabled?: boolean
  className?: string
}

/** A choice between a few options. */
export function Select<Value extends string>({ label, options, value, onChange, placeholder, disabled, className }: SelectProps<Value>) {
  return (
    <Base.Root
      items={options as Option<Value>[]}
      value={value}
      onValueChange={chosen => chosen !== null && onChange(chosen as Value)}
      disabled={disabled ?? false}
      // Locking the page behind it would lay out the whole page twice.
      modal={false}
      onOpenChange={showFocusGuards}
    >
      <Base.Trigger
        aria-label={label}
        className={cx('field-box flex h-8 min-w-36 items-center justify-between gap-2 pr-1.5 pl-2.5 text-sm', className)}
      >
        <Base.Value className="truncate data-placeholder:text-faint" placeholder={placeholder} />
        <Base.Icon className="text-faint">
          <ChevronsIcon />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={6} alignItemWithTrigger={false} className="z-50">
          <Base.Popup className="popup max-h-(--available-height) min-w-(--anchor-width) overflow-y-auto p-1">
            <Base.List>
              {options.map(option => (
                <Base.Item key={option.value} value={option.value} className="popup-item">
                  {option.mark}
                  <Base.ItemText className="flex-1">{option.label}</Base.ItemText>
                  <Tick of={Base.ItemIndicator} />
                </Base.Item>
              ))}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

/** Marks the selected option. */
export function Tick({ of: Indicator }: { of: ComponentType<{ children?: ReactNode }> }) {
  return (
    <span className="grid w-4 place-items-center text-accent-ink">
      <Indicator>
        <CheckIcon />
      </Indicator>
    </span>
  )
}
