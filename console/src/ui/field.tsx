import { Field as BaseField } from '@base-ui/react/field'
import type { InputHTMLAttributes, ReactNode, Ref, TextareaHTMLAttributes } from 'react'
import { cx } from './cx.ts'

export interface FieldProps {
  label: ReactNode
  /** Says what the field is for, when its label does not. */
  help?: ReactNode
  /** What is wrong with it, from our checks or from the API. */
  error?: string | null | undefined
  optional?: boolean
  className?: string
  children: ReactNode
}

/** A label, a control and what is to be said about it, tied together for screen readers. */
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

export interface InputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'defaultValue' | 'value'> {
  value?: string
  ref?: Ref<HTMLInputElement>
}

/** As wide as there is room, unless a width is asked for: of two widths the style sheet, not the caller, would choose. */
export function Input({ className, ...rest }: InputProps) {
  const width = /(?:^|\s)w-/.test(className ?? '') ? null : 'w-full'
  return <BaseField.Control className={cx('field-box h-8 min-w-0 px-2.5 field-text placeholder:text-faint', width, className)} {...rest} />
}

export interface TextareaProps extends TextareaHTMLAttributes<HTMLTextAreaElement> {
  ref?: Ref<HTMLTextAreaElement>
}

export function Textarea({ className, rows = 4, ...rest }: TextareaProps) {
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
