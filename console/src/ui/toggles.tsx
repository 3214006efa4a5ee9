import { Switch as BaseSwitch } from '@base-ui/react/switch'
import type { ReactNode } from 'react'
import { cx } from './cx.ts'

export interface ToggleProps {
  checked: boolean
  onChange: (checked: boolean) => void
  label: ReactNode
  help?: ReactNode
  disabled?: boolean
  /** The label is said and not shown: for rows of tables. */
  isLabelHidden?: boolean
  className?: string
}

function Labelled({
  label,
  help,
  isLabelHidden,
  className,
  children,
}: Omit<ToggleProps, 'checked' | 'onChange'> & { children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
    <label className={cx('flex items-start gap-2.5', className)}>
      {children}
      <span className={isLabelHidden ? 'sr-only' : 'min-w-0'}>
        <span className="block text-sm">{label}</span>
        {help ? <span className="block text-faint text-xs">{help}</span> : null}
      </span>
    </label>
  )
}

/** The browser's own: a list has one in every row. */
export function Checkbox({ checked, onChange, disabled, ...rest }: ToggleProps & { isMixed?: boolean }) {
  const { isMixed = false, ...labelled } = rest
  return (
    <Labelled {...labelled}>
      <input
        type="checkbox"
        checked={checked}
        ref={box => {
          if (box) box.indeterminate = isMixed
        }}
        onChange={event => onChange(event.target.checked)}
        disabled={disabled}
        className="check-box mt-0.5"
      />
    </Labelled>
  )
}

export function Switch({ checked, onChange, disabled, ...labelled }: ToggleProps) {
  return (
    <Labelled {...labelled}>
      <BaseSwitch.Root
        checked={checked}
        onCheckedChange={onChange}
        disabled={disabled ?? false}
        className="mt-0.5 flex h-4.5 w-8 shrink-0 rounded-full bg-line-strong p-0.5 transition-colors data-checked:bg-accent data-disabled:opacity-50 in-[fieldset:disabled]:pointer-events-none in-[fieldset:disabled]:opacity-50"
      >
        <BaseSwitch.Thumb className="size-3.5 rounded-full bg-white shadow-low transition-transform duration-150 ease-calm data-checked:translate-x-3.5" />
      </BaseSwitch.Root>
    </Labelled>
  )
}
