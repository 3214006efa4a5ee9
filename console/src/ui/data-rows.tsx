import { type ColumnDef, type RowSelectionState, rowSelectionFeature, tableFeatures, useTable } from '@tanstack/react-table'
import { memo, type ReactNode, useCallback, useMemo, useRef } from 'react'
import { cx } from './cx.ts'
import type { QuickTarget } from './quick-link.tsx'
import { type Column, type DataTableProps, type Listed, moveBetweenRows, RowLink } from './rows.tsx'
import { Skeleton } from './skeleton.tsx'
import { Checkbox } from './toggles.tsx'
import { useGradually } from './use-gradually.ts'

const features = tableFeatures({ rowSelectionFeature })
const FROM = { md: 'hidden md:table-cell', lg: 'hidden lg:table-cell', xl: 'hidden xl:table-cell' }
export const ROW_PX = 52

function cellClass<Row>({ align, from, className }: Column<Row>): string {
  return cx(align === 'right' && 'text-right tabular', from && FROM[from], className)
}

/** The rows of a list as a table: on everything that is wider than a phone. */
export function DataRows<Row extends Listed>({ label, columns, pages, rowLink, selection }: DataTableProps<Row>) {
  const definitions = useMemo(
    () => columns.map((column): ColumnDef<typeof features, Row> => ({ id: column.id, header: column.header })),
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
    getRowId: row => row.id,
    enableRowSelection: Boolean(selection),
    state: { rowSelection },
    onRowSelectionChange: update => {
      const next = typeof update === 'function' ? update(rowSelection) : update
      selection?.onChange(new Set(Object.keys(next).filter(id => next[id])))
    },
  })
  const { rows } = table.getRowModel()
  const { groups, restCount, drawAll } = useGradually(rows)
  // A row that has not changed is not drawn again; so what it calls must not be another function each time.
  const latest = useRef(table)
  latest.current = table
  const onSelect = useCallback((id: string, isOn: boolean) => latest.current.getRow(id).toggleSelected(isOn), [])
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
                  disabled={pages.rows.length === 0}
                  checked={table.getIsAllRowsSelected()}
                  isMixed={table.getIsSomeRowsSelected() && !table.getIsAllRowsSelected()}
                  onChange={isOn => table.toggleAllRowsSelected(isOn)}
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
        <tbody onKeyDown={event => moveBetweenRows(event, drawAll)}>
          {pages.isLoading
            ? Array.from({ length: 8 }, (_, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
                <tr key={index}>
                  {selection ? <td className="border-line border-b" /> : null}
                  {columns.map((column, at) => (
                    <td key={column.id} className={cx('h-13 border-line border-b px-3 first:pl-4 last:pr-4', cellClass(column))}>
                      <Skeleton className={cx('inline-block', at === 0 ? 'w-44' : 'w-12')} />
                    </td>
                  ))}
                </tr>
              ))
            : groups.map((group, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a group is its place in the list; its rows have keys of their own
                <Lines key={index} rows={group} columns={columns} rowLink={rowLink} selection={selection} onSelect={onSelect} />
              ))}
        </tbody>
      </table>
      {restCount > 0 ? <div style={{ height: restCount * ROW_PX }} /> : null}
    </div>
  )
}

interface LinesProps<Row extends Listed> extends Pick<DataTableProps<Row>, 'columns'> {
  rows: readonly { id: string; original: Row; getIsSelected: () => boolean }[]
  rowLink: DataTableProps<Row>['rowLink'] | undefined
  selection: DataTableProps<Row>['selection'] | undefined
  onSelect: (id: string, isOn: boolean) => void
}

const Lines = memo(SomeLines) as <Row extends Listed>(props: LinesProps<Row>) => ReactNode

function SomeLines<Row extends Listed>({ rows, columns, rowLink, selection, onSelect }: LinesProps<Row>) {
  return rows.map(row => (
    <Line
      key={row.id}
      id={row.id}
      row={row.original}
      columns={columns}
      link={rowLink?.(row.original)}
      choice={selection ? { label: selection.labelOf(row.id), isOn: row.getIsSelected() } : null}
      onSelect={onSelect}
    />
  ))
}

interface LineProps<Row> {
  id: string
  row: Row
  columns: readonly Column<Row>[]
  link: QuickTarget | undefined
  choice: { label: string; isOn: boolean } | null
  onSelect: (id: string, isOn: boolean) => void
}

const Line = memo(
  OneLine,
  (before, after) =>
    before.row === after.row &&
    before.columns === after.columns &&
    before.choice?.isOn === after.choice?.isOn &&
    before.choice?.label === after.choice?.label &&
    JSON.stringify(before.link) === JSON.stringify(after.link),
) as <Row>(props: LineProps<Row>) => ReactNode

function OneLine<Row>({ id, row, columns, link, choice, onSelect }: LineProps<Row>) {
  return (
    <tr className="group relative hover:bg-hover/50 has-data-popup-open:bg-hover/50 has-data-followed:bg-hover">
      {choice ? (
        <td className="relative z-1 w-8 border-line border-b pl-4 group-last:border-b-0">
          <Checkbox label={`Select ${choice.label}`} isLabelHidden checked={choice.isOn} onChange={isOn => onSelect(id, isOn)} />
        </td>
      ) : null}
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
}
