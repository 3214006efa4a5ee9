import { type LinkProps, useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, type MouseEvent, type ReactNode, useMemo } from 'react'
import type { Pages } from '@/data/use-pages.ts'

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

export interface Selection {
  chosen: ReadonlySet<string>
  onChange: (chosen: ReadonlySet<string>) => void
  labelOf: (id: string) => string
}

export type RowTarget = Pick<LinkProps, 'to' | 'params' | 'search'>

export interface DataTableProps<Row> {
  label: string
  columns: readonly Column<Row>[]
  pages: Pages<Row>
  rowKey: (row: Row) => string
  /** Where a row leads. The first column becomes a link, and the whole row follows it. */
  rowLink?: (row: Row) => RowTarget
  selection?: Selection
  /** Shown when there is nothing: an `EmptyState`. */
  empty: ReactNode
}

/** Up and down (or k and j) go from row to row, Home and End to the first and the last. */
export function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row-link]')]
  const at = links.indexOf(document.activeElement as HTMLElement)
  if (at < 0) return
  const next = { ArrowDown: at + 1, j: at + 1, ArrowUp: at - 1, k: at - 1, Home: 0, End: links.length - 1 }[event.key]
  if (next === undefined || event.metaKey || event.ctrlKey || event.altKey) return
  event.preventDefault()
  links[next]?.focus()
}

/** The router's own link computes its address again whenever the address of the page changes, which a hundred rows make felt. */
export function RowLink({ link, children }: { link: RowTarget; children: ReactNode }) {
  const router = useRouter()
  const asText = JSON.stringify(link)
  const { target, href } = useMemo(() => {
    const parsed = JSON.parse(asText) as Parameters<typeof router.buildLocation>[0]
    return { target: parsed, href: router.buildLocation(parsed).href }
  }, [asText, router])
  const preload = () => void router.preloadRoute(target as never).catch(() => undefined)
  const follow = (event: MouseEvent) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    void router.navigate(target as never)
  }
  return (
    <a
      href={href}
      onClick={follow}
      onMouseEnter={preload}
      onFocus={preload}
      onTouchStart={preload}
      data-row-link
      className="font-medium text-ink outline-none after:absolute after:inset-0 focus-visible:after:rounded-md focus-visible:after:outline-2 focus-visible:after:outline-accent focus-visible:after:-outline-offset-2"
    >
      {children}
    </a>
  )
}
