import { Field as BaseField } from '@base-ui/react/field'
import { Switch as BaseSwitch } from '@base-ui/react/switch'
import type { ComponentProps, ReactNode, Ref } from 'react'
import { cx } from './cx.ts'

interface FieldProps {
  label: ReactNode
  /** Explains the field if its label does not. */
  help?: ReactNode
  /** The problem with its value, from our checks or from the API. */
  error?: string | null | undefined
  optional?: boolean
  className?: string
  children: ReactNode
}

/** A label, a control, and its help or error, connected for screen readers. */
export function Field({ label, help, error, optional, className, children }: FieldProps) {
  return (
    <BaseField.Root invalid={Boolean(error)} className={cx('flex flex-col gap-1.5', className)}>
      <BaseField.Label className="flex items-baseline justify-between font-medium text-ink text-sm">
        {label}
        {optional ? <span className="font-normal text-faint text-xs">Optional</span> : null}
      </BaseField.Label>
      {children}
      {help && !error ? <BaseField.Description className="text-faint text-xs">{help}</BaseField.Description> : null}
      <BaseField.Error match={Boolean(error)} className="text-bad text-xs">
        {error}
      </BaseField.Error>
    </BaseField.Root>
  )
}

type InputProps = { value?: string; className?: string; ref?: Ref<HTMLInputElement> }

/** Uses the full width unless a width is given: of two classes for the width, the style sheet would choose one, not the caller. */
export function Input({ className, ...rest }: Omit<BaseField.Control.Props, 'defaultValue' | 'value' | 'className'> & InputProps) {
  const width = /(?:^|\s)w-/.test(className ?? '') ? null : 'w-full'
  return <BaseField.Control className={cx('field-box h-8 min-w-0 px-2.5 field-text placeholder:text-faint', width, className)} {...rest} />
}

export function Textarea({ className, rows = 4, ...rest }: ComponentProps<'textarea'>) {
  return (
    <BaseField.Control
      render={
        <textarea
          rows={rows}
          {...rest}
          className={cx('field-box w-full min-w-0 px-2.5 py-1.5 field-text placeholder:text-faint', className)}
        />
      }
    />
  )
}

/** A form that our code submits, not the browser. The form of a dialog may be inside another form, which is not submitted with it. */
export function Form({ onSubmit, ...rest }: Omit<ComponentProps<'form'>, 'onSubmit'> & { onSubmit: () => unknown }) {
  return (
    <form
      {...rest}
      onSubmit={event => {
        event.preventDefault()
        event.stopPropagation()
        void onSubmit()
      }}
    />
  )
}

interface ToggleProps {
  checked: boolean
  onChange: (checked: boolean) => void
  label: ReactNode
  help?: ReactNode
  disabled?: boolean
  /** Only screen readers get the label: for rows of tables. */
  isLabelHidden?: boolean
  className?: string
}

function Labeled({ label, help, isLabelHidden, className, children }: Omit<ToggleProps, 'checked' | 'onChange'> & { children: ReactNode }) {
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

/** The checkbox of the browser, because a list has one in every row. */
export function Checkbox({ checked, onChange, disabled, ...rest }: ToggleProps & { isMixed?: boolean }) {
  const { isMixed = false, ...labeled } = rest
  return (
    <Labeled {...labeled}>
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
    </Labeled>
  )
}

export function Switch({ checked, onChange, disabled, ...labeled }: ToggleProps) {
  return (
    <Labeled {...labeled}>
      <BaseSwitch.Root
        checked={checked}
        onCheckedChange={onChange}
        disabled={disabled ?? false}
        className="mt-0.5 flex h-4.5 w-8 shrink-0 rounded-full bg-line-strong p-0.5 transition-colors data-checked:bg-accent data-disabled:opacity-50 in-[fieldset:disabled]:pointer-events-none in-[fieldset:disabled]:opacity-50"
      >
        <BaseSwitch.Thumb className="size-3.5 rounded-full bg-white shadow-low transition-transform duration-150 ease-calm data-checked:translate-x-3.5" />
      </BaseSwitch.Root>
    </Labeled>
  )
}

interface OptionalNumberProps extends Pick<ToggleProps, 'disabled'> {
  label: string
  help: string
  unit: string
  least?: number
  most: number
  /** The first value after it is switched on. */
  start: number
  value: number | null
  onChange: (value: number | null) => void
}

/** A number with a switch: off is null. */
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
