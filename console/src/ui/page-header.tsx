import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { useDocumentTitle } from './use-document-title.ts'

export interface PageHeaderProps {
  title: string
  /** Beside the title: a status. */
  mark?: ReactNode
  description?: ReactNode
  actions?: ReactNode
  /** Above the title: the way back. */
  above?: ReactNode
}

/** The one heading of a screen. It names the tab of the browser, too. */
export function PageHeader({ title, mark, description, actions, above }: PageHeaderProps) {
  useDocumentTitle(title)
  return (
    <header className="mb-5">
      {above ? <div className="mb-1 text-faint text-xs">{above}</div> : null}
      {/* On a phone a long title leaves room for one small button; more of them stand below it. */}
      <div className="flex items-start justify-between gap-x-4 gap-y-2 max-sm:flex-wrap max-sm:items-center">
        {/* A status stands below the title there, with the buttons beside it. */}
        <div
          className={cx(
            'flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1',
            actions ? (mark ? 'max-sm:contents' : 'max-sm:max-w-[calc(100%-6rem)]') : null,
          )}
        >
          <h1
            title={title}
            className={cx(
              'line-clamp-3 min-w-0 break-words font-semibold text-xl leading-8 tracking-tight',
              mark && actions ? 'max-sm:basis-full' : null,
            )}
          >
            {title}
          </h1>
          {mark}
        </div>
        {actions ? <div className="flex shrink-0 items-center gap-2">{actions}</div> : null}
      </div>
      {description ? <p className="mt-1 max-w-2xl text-pretty text-soft">{description}</p> : null}
    </header>
  )
}
