import { Suspense } from 'react'
import { cx } from './cx.ts'
import { ChevronsIcon } from './icons.tsx'
import { lazyCode } from './lazy-part.ts'
import type { SelectProps } from './options.ts'
import { type AskedBy, useAsked } from './use-asked.ts'

const Parts = lazyCode(() =>
  import('./select-parts.tsx').then(
    module => module.SelectParts as (props: SelectProps<string> & { askedBy: AskedBy | null }) => React.ReactNode,
  ),
)

/** One of a few. Until it is pressed it is nothing but a button that looks the same; in a `Field`, which has to know it, it is whole at once. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, options, value, placeholder, disabled, className } = props
  const { askedBy, asking } = useAsked()
  const shown = options.find(option => option.value === value)?.label
  const closed = (
    <button
      type="button"
      role="combobox"
      aria-haspopup="listbox"
      aria-expanded={false}
      aria-label={label}
      disabled={disabled}
      {...asking}
      className={cx('field-box flex h-8 min-w-36 items-center justify-between gap-2 pr-1.5 pl-2.5 text-sm', className)}
    >
      <span className={cx('truncate', shown === undefined && 'text-faint')}>{shown ?? placeholder}</span>
      <ChevronsIcon className="text-faint" />
    </button>
  )
  return (
    <Suspense fallback={closed}>
      {askedBy || label === undefined ? <Parts {...(props as unknown as SelectProps<string>)} askedBy={askedBy} /> : closed}
    </Suspense>
  )
}
