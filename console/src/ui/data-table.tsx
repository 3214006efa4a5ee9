import { type ColumnDef, type RowData, type RowSelectionState, rowSelectionFeature, tableFeatures, useTable } from '@tanstack/react-table'
import { memo, type ReactNode, useDeferredValue, useMemo } from 'react'
import { Button } from './button.tsx'
import { cx } from './cx.ts'
import { DataCards } from './data-cards.tsx'
import { type DataTableProps, moveBetweenRows, RowLink } from './rows.tsx'
import { Skeleton } from './skeleton.tsx'
import { ErrorState } from './states.tsx'
import { Checkbox } from './toggles.tsx'
import { useNarrow } from './use-narrow.ts'

const features = tableFeatures({ rowSelectionFeature })
const FROM = { md: 'hidden md:table-cell', lg: 'hidden lg:table-cell', xl: 'hidden xl:table-cell' }

export function DataTable<Row extends RowData>(props: DataTableProps<Row>) {
  const isNarrow = useNarrow()
  const { pages, empty, label } = props
  // Rows are drawn when the browser has time for them: what is typed or clicked does not wait.
  const drawn = useDeferredValue(props)
  const isBehind = drawn.pages.rows !== pages.rows
  if (pages.error) return <ErrorState error={pages.error} onRetry={pages.retry} />
  if (!pages.isLoading && pages.rows.length === 0) return empty
  return (
    <div aria-busy={pages.isLoading || pages.isStale || isBehind} className={cx('transition-opacity', pages.isStale && 'opacity-60')}>
      {isNarrow ? <Cards of={drawn} /> : <Table of={drawn} />}
      {pages.hasMore ? (
        <div className="flex justify-center border-line border-t p-3">
          <Button variant="ghost" pending={pages.isLoadingMore} onClick={pages.loadMore}>
            More {label.toLowerCase()}
          </Button>
        </div>
      ) : null}
    </div>
  )
}

/** The same properties are not drawn again. */
const remembered = <Row extends RowData>(Part: (props: DataTableProps<Row>) => ReactNode) =>
  memo(({ of }: { of: DataTableProps<Row> }) => <Part {...of} />) as <R>(props: { of: DataTableProps<R> }) => ReactNode
const Cards = remembered(DataCards)
const Table = remembered(Rows)

function Rows<Row extends RowData>({ label, columns, pages, rowKey, rowLink, selection }: DataTableProps<Row>) {
  const definitions = useMemo(
    () =>
      columns.map(
        (column): ColumnDef<typeof features, Row> => ({
          id: column.id,
          header: column.header,
          cell: ({ row }) => column.cell(row.original),
        }),
      ),
    [columns],
  )
  const rowSelection = useMemo(
    (): RowSelectionState => Object.fromEntries([...(selection?.chosen ?? [])].map(id => [id, true])),
    [selection?.chosen],
  )
  const table = useTable({
    features,
    columns: definitions,
    data: pages.rows as Row[],
    getRowId: rowKey,
    enableRowSelection: Boolean(selection),
    state: { rowSelection },
    onRowSelectionChange: update => {
      const next = typeof update === 'function' ? update(rowSelection) : update
      selection?.onChange(new Set(Object.keys(next).filter(id => next[id])))
    },
  })
  const byId = useMemo(() => new Map(columns.map(column => [column.id, column])), [columns])
  const cellClass = (id: string) => {
    const { align, from, className } = byId.get(id)!
    return cx(align === 'right' && 'text-right tabular', from && FROM[from], className)
  }
  return (
    <div className="overflow-x-auto">
      <table className="w-full border-separate border-spacing-0 text-sm" aria-label={label}>
        <thead>
          <tr>
            {selection ? (
              <th scope="col" className="w-8 border-line border-b pl-4">
                <Checkbox
                  label="Select all rows"
                  isLabelHidden
                  disabled={pages.rows.length === 0}
                  checked={table.getIsAllRowsSelected()}
                  isMixed={table.getIsSomeRowsSelected() && !table.getIsAllRowsSelected()}
                  onChange={isOn => table.toggleAllRowsSelected(isOn)}
                />
              </th>
            ) : null}
            {table.getHeaderGroups()[0]!.headers.map(header => (
              <th
                key={header.id}
                scope="col"
                className={cx(
                  'h-9 border-line border-b px-3 text-left font-medium text-faint text-xs whitespace-nowrap first:pl-4 last:pr-4',
                  cellClass(header.column.id),
                )}
              >
                {byId.get(header.column.id)!.header || <span className="sr-only">{byId.get(header.column.id)!.label ?? 'Actions'}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody onKeyDown={moveBetweenRows}>
          {pages.isLoading
            ? Array.from({ length: 8 }, (_, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
                <tr key={index}>
                  {selection ? <td className="border-line border-b" /> : null}
                  {columns.map((column, at) => (
                    <td key={column.id} className={cx('h-13 border-line border-b px-3 first:pl-4 last:pr-4', cellClass(column.id))}>
                      <Skeleton className={cx('inline-block', at === 0 ? 'w-44' : 'w-12')} />
                    </td>
                  ))}
                </tr>
              ))
            : table.getRowModel().rows.map(row => (
                <tr key={row.id} className="group relative hover:bg-hover/50 has-data-popup-open:bg-hover/50">
                  {selection ? (
                    <td className="relative z-1 w-8 border-line border-b pl-4 group-last:border-b-0">
                      <Checkbox
                        label={`Select ${selection.labelOf(row.id)}`}
                        isLabelHidden
                        checked={row.getIsSelected()}
                        onChange={isOn => row.toggleSelected(isOn)}
                      />
                    </td>
                  ) : null}
                  {row.getAllCells().map((cell, index) => (
                    <td
                      key={cell.id}
                      className={cx('h-13 border-line border-b px-3 first:pl-4 last:pr-4 group-last:border-b-0', cellClass(cell.column.id))}
                    >
                      {index === 0 && rowLink ? (
                        <RowLink link={rowLink(row.original)}>
                          <table.FlexRender cell={cell} />
                        </RowLink>
                      ) : (
                        <table.FlexRender cell={cell} />
                      )}
                    </td>
                  ))}
                </tr>
              ))}
        </tbody>
      </table>
    </div>
  )
}
