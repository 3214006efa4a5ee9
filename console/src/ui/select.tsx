import { Suspense, useState } from 'react'
import { cx } from './cx.ts'
import { ChevronsIcon } from './icons.tsx'
import { lazyPart } from './lazy-part.ts'
import type { SelectProps } from './options.ts'

const Parts = lazyPart(() =>
  import('./select-parts.tsx').then(
    module => module.SelectParts as (props: SelectProps<string> & { isOpenFirst: boolean }) => React.ReactNode,
  ),
)

/** One of a few. What it opens with is loaded right behind the screen; until then it looks the same, and a click is not lost. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, options, value, placeholder, disabled, className } = props
  const [isAwaited, setAwaited] = useState(false)
  const shown = options.find(option => option.value === value)?.label ?? placeholder
  const closed = (
    <button
      type="button"
      aria-label={label ? `${label}: ${shown ?? ''}` : undefined}
      disabled={disabled}
      onClick={() => setAwaited(true)}
      className={cx('field-box flex h-8 min-w-36 items-center justify-between gap-2 pr-1.5 pl-2.5 text-sm', className)}
    >
      {shown}
      <ChevronsIcon className="text-faint" />
    </button>
  )
  return (
    <Suspense fallback={closed}>
      <Parts {...(props as unknown as SelectProps<string>)} isOpenFirst={isAwaited} />
    </Suspense>
  )
}
