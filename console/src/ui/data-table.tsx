import {
  type KeyboardEvent,
  memo,
  type ReactNode,
  startTransition,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import type { Pages } from '@/data/use-answer.ts'
import { Button } from './button.tsx'
import { cx } from './cx.ts'
import { Checkbox } from './field.tsx'
import { QuickLink, type QuickTarget } from './quick-link.tsx'
import { Skeleton, SkeletonLines } from './skeleton.tsx'
import { ErrorState } from './states.tsx'
import { whenIdle } from './timing.ts'
import { useNarrow } from './use-width.ts'

export interface Column<Row> {
  id: string
  /** If it is empty, screen readers need a `label`. */
  header: string
  label?: string
  cell: (row: Row) => ReactNode
  align?: 'right'
  /** Hides this column on narrower screens. */
  from?: 'md' | 'lg' | 'xl'
  /** Its place in a card: the head, next to it, the foot (for buttons), or none. By default, a line with its name. */
  card?: 'head' | 'mark' | 'foot' | 'none'
  className?: string
}

/** The column for the buttons of a row. */
export const ACTIONS = { id: 'actions', header: '', label: 'Actions', align: 'right', card: 'foot' } as const

type Selection = { chosen: ReadonlySet<string>; onChange: (chosen: ReadonlySet<string>) => void; labelOf: (id: string) => string }
/** Everything that the API lists has an id. */
type Listed = { id: string }

interface DataTableProps<Row extends Listed> {
  label: string
  columns: readonly Column<Row>[]
  pages: Pages<Row>
  /** The target of a row. The first column becomes a link that covers the whole row. */
  rowLink?: (row: Row) => QuickTarget | undefined
  selection?: Selection
  /** An `EmptyState` for a list without rows. */
  empty: ReactNode
}

const ROW_PX = 52
const CARD_PX = 110
const FIRST_ROWS = 20
/** Few enough that a click in the meantime does not have to wait. */
const NEXT_ROWS = 6

/** The rows of a list: a table, or on a phone a card for each row. */
export function DataTable<Row extends Listed>(props: DataTableProps<Row>) {
  const isNarrow = useNarrow()
  const { pages, empty, label } = props
  // Rows are rendered when the browser has time, so typing, clicks and the rest of the screen do not wait for them.
  const drawn = useDeferredValue<DataTableProps<Row> | null>(props, pages.isLoading ? props : null)
  const isBehind = drawn?.pages.rows !== pages.rows
  if (pages.error) return <ErrorState error={pages.error} onRetry={pages.retry} />
  if (!pages.isLoading && pages.rows.length === 0) return empty
  const Rows = isNarrow ? Cards : Table
  return (
    <div aria-busy={pages.isLoading || pages.isStale || isBehind} className={cx('transition-opacity', pages.isStale && 'opacity-60')}>
      {drawn === null ? (
        // The height of the rows to come, so that going back restores the scroll position.
        <div style={{ height: pages.rows.length * (isNarrow ? CARD_PX : ROW_PX) }} />
      ) : (
        // The selection shows immediately, even while the rows are outdated.
        <Rows {...drawn} selection={props.selection} />
      )}
      <MoreRows pages={pages} className="border-line border-t">
        Show more {label.toLowerCase()}
      </MoreRows>
    </div>
  )
}

/** Loads the rows after the last one. */
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

type RowsProps<Row extends Listed> = Omit<DataTableProps<Row>, 'selection' | 'empty'> & { selection: Selection | undefined }

/**
 * The rows to render now. Those that fit on a screen come first, the others a few at a time while the browser is idle. In the end all are
 * there, so that users can scroll to them, screen readers read them, and the search of the browser finds them.
 */
function useRows<Row extends Listed>({ columns, pages: { rows }, rowLink, selection }: RowsProps<Row>) {
  const [limit, setLimit] = useState(FIRST_ROWS)
  const isWhole = limit >= rows.length
  useEffect(() => (isWhole ? undefined : whenIdle(() => startTransition(() => setLimit(limit + NEXT_ROWS)))), [isWhole, limit])
  const drawn = useMemo(() => rows.slice(0, limit), [rows, limit])
  const latest = useRef(selection)
  latest.current = selection
  // The function stays the same, so that rows that have not changed are not rendered again.
  const onSelect = useCallback((id: string, isOn: boolean) => {
    const chosen = new Set(latest.current?.chosen)
    if (isOn) chosen.add(id)
    else chosen.delete(id)
    latest.current?.onChange(chosen)
  }, [])
  return {
    restCount: Math.max(0, rows.length - limit),
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => moveBetweenRows(event, () => setLimit(Number.POSITIVE_INFINITY)),
    rowProps: drawn.map(row => ({
      row,
      columns,
      link: rowLink?.(row),
      label: selection?.labelOf(row.id),
      isChosen: selection?.chosen.has(row.id),
      onSelect,
    })),
  }
}

function Table<Row extends Listed>(props: RowsProps<Row>) {
  const { label, columns, selection } = props
  const { rows, isLoading } = props.pages
  const { restCount, onKeyDown, rowProps } = useRows(props)
  const chosenCount = selection ? rows.filter(({ id }) => selection.chosen.has(id)).length : 0
  return (
    <div className="relative overflow-x-auto">
      <table className="w-full border-separate border-spacing-0 text-sm" aria-label={label}>
        <thead>
          <tr>
            {selection ? (
              <th scope="col" className="w-8 border-line border-b pl-4">
                <Checkbox
                  label="Select all rows"
                  isLabelHidden
                  disabled={rows.length === 0}
                  checked={rows.length > 0 && chosenCount === rows.length}
                  isMixed={chosenCount > 0 && chosenCount < rows.length}
                  onChange={isOn => selection.onChange(new Set(isOn ? rows.map(({ id }) => id) : []))}
                />
              </th>
            ) : null}
            {columns.map(column => (
              <th
                key={column.id}
                scope="col"
                className={cx(
                  'h-9 border-line border-b px-3 text-left font-medium text-faint text-xs whitespace-nowrap first:pl-4 last:pr-4',
                  cellClass(column),
                )}
              >
                {column.header || <span className="sr-only">{column.label ?? 'Actions'}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody onKeyDown={onKeyDown}>
          {isLoading
            ? Array.from({ length: 8 }, (_, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no other key
                <tr key={index}>
                  {selection ? <td className="border-line border-b" /> : null}
                  {columns.map((column, at) => (
                    <td key={column.id} className={cx('h-13 border-line border-b px-3 first:pl-4 last:pr-4', cellClass(column))}>
                      <Skeleton className={cx('inline-block', at === 0 ? 'w-44' : 'w-12')} />
                    </td>
                  ))}
                </tr>
              ))
            : rowProps.map(each => <TableRow key={each.row.id} {...each} />)}
        </tbody>
      </table>
      {restCount > 0 ? <div style={{ height: restCount * ROW_PX }} /> : null}
    </div>
  )
}

const FROM = { md: 'hidden md:table-cell', lg: 'hidden lg:table-cell', xl: 'hidden xl:table-cell' }

const cellClass = <Row,>({ align, from, className }: Column<Row>): string =>
  cx(align === 'right' && 'text-right tabular', from && FROM[from], className)

interface RowProps<Row extends Listed> {
  row: Row
  columns: readonly Column<Row>[]
  link: QuickTarget | undefined
  /** The name of the row for its checkbox, if rows can be selected. */
  label: string | undefined
  isChosen: boolean | undefined
  onSelect: (id: string, isOn: boolean) => void
}

/** Whether a row looks the same. The link is a new object each time, so its content is compared. */
const isSameRow = <Row extends Listed>(before: RowProps<Row>, after: RowProps<Row>): boolean =>
  (['row', 'columns', 'label', 'isChosen'] as const).every(name => before[name] === after[name]) &&
  JSON.stringify(before.link) === JSON.stringify(after.link)

const TableRow = memo(function TableRow<Row extends Listed>({ row, columns, link, label, isChosen = false, onSelect }: RowProps<Row>) {
  return (
    <tr className="group relative hover:bg-hover/50 has-data-popup-open:bg-hover/50 has-data-followed:bg-hover">
      {label === undefined ? null : (
        <td className="relative z-1 w-8 border-line border-b pl-4 group-last:border-b-0">
          <Checkbox label={`Select ${label}`} isLabelHidden checked={isChosen} onChange={isOn => onSelect(row.id, isOn)} />
        </td>
      )}
      {columns.map((column, index) => (
        <td
          key={column.id}
          className={cx('h-13 border-line border-b px-3 py-1.5 first:pl-4 last:pr-4 group-last:border-b-0', cellClass(column))}
        >
          {index === 0 && link ? <RowLink link={link}>{column.cell(row)}</RowLink> : column.cell(row)}
        </td>
      ))}
    </tr>
  )
}, isSameRow) as <Row extends Listed>(props: RowProps<Row>) => ReactNode

/** The rows on a phone: a card for each, with a head, lines of names and values, and buttons at its foot. */
function Cards<Row extends Listed>(props: RowsProps<Row>) {
  const { restCount, onKeyDown, rowProps } = useRows(props)
  if (props.pages.isLoading) {
    return (
      <div className="flex flex-col gap-6 p-4">
        <SkeletonLines count={4} />
        <SkeletonLines count={4} />
      </div>
    )
  }
  return (
    <>
      <ul aria-label={props.label} onKeyDown={onKeyDown} className="divide-y divide-line">
        {rowProps.map(each => (
          <Card key={each.row.id} {...each} />
        ))}
      </ul>
      {restCount > 0 ? <div style={{ height: restCount * CARD_PX }} /> : null}
    </>
  )
}

const Card = memo(function Card<Row extends Listed>({ row, columns, link, label, isChosen = false, onSelect }: RowProps<Row>) {
  const placed = (place: Column<Row>['card']) => columns.filter(column => column.card === place)
  const heads = placed('head').length > 0 ? placed('head') : columns.slice(0, 1)
  const lines = columns.filter(column => column.card === undefined && !heads.includes(column))
  return (
    // Cards outside the window are neither laid out nor painted. The search of the browser finds them anyway.
    <li className="relative flex flex-col gap-3 p-4 [contain-intrinsic-size:auto_110px] [content-visibility:auto] has-data-followed:bg-hover">
      <div className="flex items-start justify-between gap-3">
        {label === undefined ? null : (
          <Checkbox
            label={`Select ${label}`}
            isLabelHidden
            className="relative z-1"
            checked={isChosen}
            onChange={isOn => onSelect(row.id, isOn)}
          />
        )}
        <div className="min-w-0 flex-1">
          {heads.map((column, index) => (
            <div key={column.id}>{index === 0 && link ? <RowLink link={link}>{column.cell(row)}</RowLink> : column.cell(row)}</div>
          ))}
        </div>
        <div className="flex shrink-0 items-center gap-1">
          {placed('mark').map(column => (
            <span key={column.id}>{column.cell(row)}</span>
          ))}
        </div>
      </div>
      <div className="flex flex-wrap items-end justify-between gap-3">
        <dl className="flex min-w-0 max-w-full flex-wrap gap-x-5 gap-y-2">
          {lines.map(column => (
            <div key={column.id} className="min-w-0 max-w-full">
              <dt className="text-faint text-xs">{column.header || column.label}</dt>
              <dd className="break-words tabular">{column.cell(row)}</dd>
            </div>
          ))}
        </dl>
        {placed('foot').map(column => (
          <div key={column.id} className="relative z-1 ml-auto flex shrink-0 justify-end gap-2">
            {column.cell(row)}
          </div>
        ))}
      </div>
    </li>
  )
}, isSameRow) as <Row extends Listed>(props: RowProps<Row>) => ReactNode

function RowLink({ link, children }: { link: QuickTarget; children: ReactNode }) {
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

/** Up and down (or k and j) move between rows, Home and End to the first and last one, for which all rows are rendered first. */
function moveBetweenRows(event: KeyboardEvent<HTMLElement>, drawAll: () => void): void {
  if (event.key === 'End') flushSync(drawAll)
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row-link]')]
  const at = links.indexOf(document.activeElement as HTMLElement)
  if (at < 0) return
  const next = { ArrowDown: at + 1, j: at + 1, ArrowUp: at - 1, k: at - 1, Home: 0, End: links.length - 1 }[event.key]
  if (next === undefined || event.metaKey || event.ctrlKey || event.altKey) return
  event.preventDefault()
  links[next]?.focus()
}
