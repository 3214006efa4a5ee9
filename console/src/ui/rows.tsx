import type { KeyboardEvent, ReactNode } from 'react'
import { flushSync } from 'react-dom'
import type { Pages } from '@/data/use-pages.ts'
import { Button } from './button.tsx'
import { cx } from './cx.ts'
import { QuickLink, type QuickTarget } from './quick-link.tsx'

export interface Column<Row> {
  id: string
  /** An empty one is said by screen readers only: give `label` then. */
  header: string
  label?: string
  cell: (row: Row) => ReactNode
  /** Numbers stand at the right. */
  align?: 'right'
  /** Leaves this column out where it is narrower than that. */
  from?: 'md' | 'lg' | 'xl'
  /** What becomes of it in a card: its head, its foot (for buttons), or nothing. Else a line with its name. */
  card?: 'head' | 'mark' | 'foot' | 'none'
  className?: string
}

/** The column of the buttons of a row. */
export const ACTIONS = { id: 'actions', header: '', label: 'Actions', align: 'right', card: 'foot' } as const

export interface Selection {
  chosen: ReadonlySet<string>
  onChange: (chosen: ReadonlySet<string>) => void
  labelOf: (id: string) => string
}

/** What a table can show: what the API lists has an id. */
export interface Listed {
  id: string
}

export interface DataTableProps<Row extends Listed> {
  label: string
  columns: readonly Column<Row>[]
  pages: Pages<Row>
  /** Where a row leads. The first column becomes a link, and the whole row follows it. */
  rowLink?: (row: Row) => QuickTarget
  selection?: Selection
  /** Shown when there is nothing: an `EmptyState`. */
  empty: ReactNode
}

/** Loads what stands behind the last row. */
export function MoreRows({ pages, className, children }: { pages: Pages<unknown>; className?: string; children: ReactNode }) {
  if (!pages.hasMore) return null
  return (
    <div className={cx('flex justify-center p-3', className)}>
      <Button variant="ghost" pending={pages.isLoadingMore} onClick={pages.loadMore}>
        {children}
      </Button>
    </div>
  )
}

/** Up and down (or k and j) go from row to row, Home and End to the first and the last, which may have to be drawn before. */
export function moveBetweenRows(event: KeyboardEvent<HTMLElement>, drawAll: () => void): void {
  if (event.key === 'End') flushSync(drawAll)
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row-link]')]
  const at = links.indexOf(document.activeElement as HTMLElement)
  if (at < 0) return
  const next = { ArrowDown: at + 1, j: at + 1, ArrowUp: at - 1, k: at - 1, Home: 0, End: links.length - 1 }[event.key]
  if (next === undefined || event.metaKey || event.ctrlKey || event.altKey) return
  event.preventDefault()
  links[next]?.focus()
}

export function RowLink({ link, children }: { link: QuickTarget; children: ReactNode }) {
  return (
    <QuickLink
      link={link}
      data-row-link
      className="font-medium text-ink outline-none after:absolute after:inset-0 focus-visible:after:rounded-md focus-visible:after:outline-2 focus-visible:after:outline-accent focus-visible:after:-outline-offset-2"
    >
      {children}
    </QuickLink>
  )
}
