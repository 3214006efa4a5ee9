import { Fragment, type ReactNode } from 'react'
import { cx } from './cx.ts'

/** Names and values, one below the other. What is null is left out. */
export function KeyValue({ items, className }: { items: readonly (readonly [name: string, value: ReactNode])[]; className?: string }) {
  return (
    <dl className={cx('grid grid-cols-[minmax(6rem,auto)_1fr] gap-x-6 gap-y-2 text-sm', className)}>
      {items
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([name, value]) => (
          <Fragment key={name}>
            <dt className="text-faint">{name}</dt>
            <dd className="min-w-0 break-words">{value}</dd>
          </Fragment>
        ))}
    </dl>
  )
}
