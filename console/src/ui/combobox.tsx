import { Suspense } from 'react'
import { cx } from './cx.ts'
import { ChevronsIcon } from './icons.tsx'
import { lazyCode } from './lazy-part.ts'
import type { ComboboxProps } from './options.ts'

const Parts = lazyCode(() =>
  import('./combobox-parts.tsx').then(module => module.ComboboxParts as (props: ComboboxProps<string>) => React.ReactNode),
)

/** A select in which one types to find: for lists that are too long to look through. It is loaded right behind the screen. */
export function Combobox<Value extends string>(props: ComboboxProps<Value>) {
  const { options, value, placeholder, className } = props
  const closed = (
    <span className={cx('field-box flex h-8 items-center justify-between gap-2 pr-1.5 pl-2.5 text-sm', className)}>
      {options.find(option => option.value === value)?.label ?? placeholder}
      <ChevronsIcon className="text-faint" />
    </span>
  )
  return (
    <Suspense fallback={closed}>
      <Parts {...(props as unknown as ComboboxProps<string>)} />
    </Suspense>
  )
}
