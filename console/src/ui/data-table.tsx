import { memo, type ReactNode, useDeferredValue } from 'react'
import { cx } from './cx.ts'
import { CARD_PX, DataCards } from './data-cards.tsx'
import { DataRows, ROW_PX } from './data-rows.tsx'
import { type DataTableProps, type Listed, MoreRows, type Selection } from './rows.tsx'
import { ErrorState } from './states.tsx'
import { useNarrow } from './use-width.ts'

export function DataTable<Row extends Listed>(props: DataTableProps<Row>) {
  const isNarrow = useNarrow()
  const { pages, empty, label } = props
  // Rows are drawn when the browser has time for them: what is typed or clicked, and the screen around them, does not wait.
  const drawn = useDeferredValue<DataTableProps<Row> | null>(props, pages.isLoading ? props : null)
  const isBehind = drawn?.pages.rows !== pages.rows
  if (pages.error) return <ErrorState error={pages.error} onRetry={pages.retry} />
  if (!pages.isLoading && pages.rows.length === 0) return empty
  return (
    <div aria-busy={pages.isLoading || pages.isStale || isBehind} className={cx('transition-opacity', pages.isStale && 'opacity-60')}>
      {drawn === null ? (
        // As high as they will be: the way back leads to where one was on the page.
        <div style={{ height: pages.rows.length * (isNarrow ? CARD_PX : ROW_PX) }} />
      ) : isNarrow ? (
        <Cards of={drawn} selection={props.selection} />
      ) : (
        <Table of={drawn} selection={props.selection} />
      )}
      <MoreRows pages={pages} className="border-line border-t">
        More {label.toLowerCase()}
      </MoreRows>
    </div>
  )
}

interface DrawnProps<Row extends Listed> {
  of: DataTableProps<Row>
  /** What is chosen shows at once, also while the rows are behind. */
  selection: Selection | undefined
}

/** The same properties are not drawn again. */
const remembered = <Row extends Listed>(Part: (props: DataTableProps<Row>) => ReactNode) =>
  memo(({ of: { selection: _, ...of }, selection }: DrawnProps<Row>) => <Part {...of} {...(selection ? { selection } : {})} />) as <
    R extends Listed,
  >(
    props: DrawnProps<R>,
  ) => ReactNode
const Cards = remembered(DataCards)
const Table = remembered(DataRows)
