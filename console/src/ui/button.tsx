import type { ComponentProps } from 'react'
import type { OperationPhase } from '@/data/use-operation.ts'
import { cx } from './cx.ts'
import { AlertIcon, CheckIcon, type Icon } from './icons.tsx'
import type { Option } from './select.tsx'

type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger'
type ButtonSize = 'sm' | 'md' | 'lg'

const VARIANTS: Record<ButtonVariant, string> = {
  primary: 'bg-accent text-on-accent shadow-low not-aria-disabled:hover:bg-accent-hover',
  secondary: 'border border-line-strong bg-panel text-ink shadow-low not-aria-disabled:hover:bg-hover not-aria-disabled:active:bg-line',
  ghost: 'text-soft not-aria-disabled:hover:bg-hover not-aria-disabled:hover:text-ink not-aria-disabled:active:bg-line',
  danger: 'border border-line-strong bg-panel text-bad shadow-low not-aria-disabled:hover:border-bad not-aria-disabled:hover:bg-bad-wash',
}
const SIZES: Record<ButtonSize, string> = {
  sm: 'h-7 gap-1.5 rounded-md text-xs',
  md: 'h-8 gap-1.5 rounded-lg text-sm',
  lg: 'h-10 gap-2 rounded-lg text-base',
}
const WIDTHS = {
  words: { sm: 'px-2', md: 'px-3', lg: 'px-4' },
  icon: { sm: 'w-7', md: 'w-8', lg: 'w-10' },
}

/** The look of a button, for links. */
export const buttonClass = (variant: ButtonVariant = 'secondary', size: ButtonSize = 'md', shows: 'words' | 'icon' = 'words'): string =>
  cx(
    'inline-flex shrink-0 items-center justify-center font-medium whitespace-nowrap select-none transition-colors duration-100',
    'aria-disabled:opacity-50 aria-busy:opacity-100 data-disabled:opacity-50 in-[fieldset:disabled]:opacity-50',
    // Enlarges the area that reacts to a finger.
    shows === 'icon' && 'pointer-coarse:relative pointer-coarse:after:absolute pointer-coarse:after:-inset-1.5',
    VARIANTS[variant],
    SIZES[size],
    WIDTHS[shows][size],
  )

const BUSY_WORDS: Partial<Record<OperationPhase, string>> = { queued: 'Queued…', running: 'Working…' }

export interface ButtonProps extends ComponentProps<'button'> {
  variant?: ButtonVariant
  size?: ButtonSize
  icon?: Icon
  /** Shows a spinner for work that is not an operation. */
  pending?: boolean
  /** The progress of the operation that this button has started: `useOperation().phase`. */
  phase?: OperationPhase
  /** The name of a button that shows only an icon. */
  label?: string
}

export function Button({
  variant = 'secondary',
  size = 'md',
  icon: Glyph,
  pending = false,
  phase = 'idle',
  label,
  children,
  className,
  disabled,
  onClick,
  ...rest
}: ButtonProps) {
  const isBusy = pending || phase === 'sending' || phase === 'queued' || phase === 'running'
  const isOff = disabled || isBusy
  const isIconOnly = children === undefined || children === null
  const mark = isBusy ? <Spinner /> : phase === 'done' ? <CheckIcon /> : phase === 'failed' ? <AlertIcon /> : Glyph ? <Glyph /> : null
  return (
    <button
      type="button"
      aria-label={label}
      title={isIconOnly ? label : undefined}
      aria-busy={isBusy || undefined}
      // With `disabled`, the browser would take the focus away from the button that was just pressed.
      aria-disabled={isOff || undefined}
      data-primary={variant === 'primary' || undefined}
      className={cx(buttonClass(variant, size, isIconOnly ? 'icon' : 'words'), className)}
      {...rest}
      onClick={event => {
        // This also prevents the Enter key in a field from submitting the form.
        if (isOff) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {mark}
      {isIconOnly ? null : (BUSY_WORDS[phase] ?? children)}
    </button>
  )
}

export function Spinner({ className = '' }: { className?: string }) {
  return (
    <svg viewBox="0 0 16 16" width="14" height="14" className={`animate-spin ${className}`} aria-hidden="true">
      <circle cx="8" cy="8" r="6.25" fill="none" stroke="currentColor" strokeOpacity="0.25" strokeWidth="2" />
      <path d="M8 1.75A6.25 6.25 0 0 1 14.25 8" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
    </svg>
  )
}

export const optionsOf = <Value extends string>(labels: Readonly<Record<Value, string>>): Option<Value>[] =>
  Object.entries<string>(labels).map(([value, label]) => ({ value: value as Value, label }))

interface SegmentedProps<Value extends string> {
  label: string
  options: readonly Option<Value>[]
  value: Value
  onChange: (value: Value) => void
}

/** A choice between two to five options, all of them visible. */
export function Segmented<Value extends string>({ label, options, value, onChange }: SegmentedProps<Value>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has default styles of its own
    <div role="group" aria-label={label} className="inline-flex h-8 shrink-0 items-center gap-0.5 rounded-lg bg-sunken p-0.5">
      {options.map(option => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
          className="flex h-7 items-center gap-1.5 rounded-md px-2 font-medium text-soft text-xs whitespace-nowrap transition-colors hover:text-ink aria-pressed:bg-panel aria-pressed:text-ink aria-pressed:shadow-low"
        >
          {option.mark}
          {option.label}
        </button>
      ))}
    </div>
  )
}
