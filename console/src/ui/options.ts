import type { ReactNode } from 'react'

export interface Option<Value extends string> {
  value: Value
  label: string
  /** Stands before the label. */
  mark?: ReactNode
}

export interface SelectProps<Value extends string> {
  /** Said by screen readers; put the select into a `Field` to show one. */
  label?: string
  options: readonly Option<Value>[]
  value: Value | null
  onChange: (value: Value) => void
  placeholder?: string
  disabled?: boolean
  className?: string
}

export interface ComboboxProps<Value extends string> extends Omit<SelectProps<Value>, 'onChange'> {
  onChange: (value: Value | null) => void
  /** Said when nothing fits what was typed. */
  empty?: string
  /** For the first field of a form that opens. */
  autoFocus?: boolean
}
