import type { Option } from './options.ts'

export interface SegmentedProps<Value extends string> {
  /** What is chosen here, said by screen readers. */
  label: string
  options: readonly Option<Value>[]
  value: Value
  onChange: (value: Value) => void
}

/** One of two to five, all of them in sight. */
export function Segmented<Value extends string>({ label, options, value, onChange }: SegmentedProps<Value>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset brings a look of its own
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
