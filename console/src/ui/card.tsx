import { Fragment, type ReactNode } from 'react'
import { cx } from './cx.ts'

interface CardProps {
  id?: string
  title?: ReactNode
  description?: ReactNode
  actions?: ReactNode
  /** Without padding around the content: for tables. */
  isFlush?: boolean
  className?: string
  children?: ReactNode
}

export function Card({ id, title, description, actions, isFlush, className, children }: CardProps) {
  return (
    <section id={id} className={cx('rounded-xl border border-line bg-panel shadow-low', className)}>
      {title ? (
        <header className="flex flex-wrap items-center justify-between gap-3 border-line border-b px-4 py-3">
          <div className={cx('min-w-0', description ? 'grow basis-48' : null)}>
            <h2 className="font-semibold text-base">{title}</h2>
            {description ? <p className="text-faint text-xs">{description}</p> : null}
          </div>
          {actions ? <div className="flex items-center gap-2">{actions}</div> : null}
        </header>
      ) : null}
      <div className={isFlush ? '' : 'p-4'}>{children}</div>
    </section>
  )
}

/** A list of names and values. Null values are left out. */
export function KeyValue({ items }: { items: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[minmax(6rem,auto)_1fr] gap-x-6 gap-y-2 text-sm">
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
