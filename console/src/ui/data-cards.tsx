import { memo, type ReactNode } from 'react'
import { type Column, type DataTableProps, type Listed, moveBetweenRows, RowLink } from './rows.tsx'
import { SkeletonLines } from './skeleton.tsx'
import { Checkbox } from './toggles.tsx'
import { useGradually } from './use-gradually.ts'

export const CARD_PX = 110

/** The same rows on a phone: a card for each, with a head, lines of names and values, and buttons at its foot. */
export function DataCards<Row extends Listed>({ label, columns, pages, rowLink, selection }: DataTableProps<Row>) {
  const { groups, restCount, drawAll } = useGradually(pages.rows)
  if (pages.isLoading) {
    return (
      <div className="flex flex-col gap-6 p-4">
        <SkeletonLines count={4} />
        <SkeletonLines count={4} />
      </div>
    )
  }
  return (
    <>
      <ul aria-label={label} onKeyDown={event => moveBetweenRows(event, drawAll)} className="divide-y divide-line">
        {groups.map((group, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a group is its place in the list; its rows have keys of their own
          <Group key={index} rows={group} columns={columns} rowLink={rowLink} selection={selection} />
        ))}
      </ul>
      {restCount > 0 ? <div style={{ height: restCount * CARD_PX }} /> : null}
    </>
  )
}

interface GroupProps<Row extends Listed> extends Pick<DataTableProps<Row>, 'columns'> {
  rows: readonly Row[]
  rowLink: DataTableProps<Row>['rowLink'] | undefined
  selection: DataTableProps<Row>['selection'] | undefined
}

const Group = memo(SomeCards) as <Row extends Listed>(props: GroupProps<Row>) => ReactNode

function SomeCards<Row extends Listed>({ rows, columns, rowLink, selection }: GroupProps<Row>) {
  const placed = (place: Column<Row>['card']) => columns.filter(column => column.card === place)
  const heads = placed('head').length > 0 ? placed('head') : columns.slice(0, 1)
  const lines = columns.filter(column => column.card === undefined && !heads.includes(column))
  return rows.map(row => (
    <li
      key={row.id}
      // What is out of sight is neither laid out nor painted; the search of the browser finds it all the same.
      className="relative flex flex-col gap-3 p-4 [contain-intrinsic-size:auto_110px] [content-visibility:auto] has-data-followed:bg-hover"
    >
      <div className="flex items-start justify-between gap-3">
        {selection ? (
          <Checkbox
            label={`Select ${selection.labelOf(row.id)}`}
            isLabelHidden
            className="relative z-1"
            checked={selection.chosen.has(row.id)}
            onChange={isOn => {
              const chosen = new Set(selection.chosen)
              if (isOn) chosen.add(row.id)
              else chosen.delete(row.id)
              selection.onChange(chosen)
            }}
          />
        ) : null}
        <div className="min-w-0 flex-1">
          {heads.map((column, index) => (
            <div key={column.id}>
              {index === 0 && rowLink ? <RowLink link={rowLink(row)}>{column.cell(row)}</RowLink> : column.cell(row)}
            </div>
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
  ))
}
