import type { Export } from '@overture/sdk'
import { Link } from '@tanstack/react-router'
import { Status } from '@/ui/badge.tsx'
import { buttonClass } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { ACTIONS, type Column, DataTable } from '@/ui/data-table.tsx'
import { formatCount, formatNoun } from '@/ui/format.ts'
import { FindLeadsIcon } from '@/ui/icons.tsx'
import { NumberLink } from '@/ui/quick-link.tsx'
import { EmptyState } from '@/ui/states.tsx'
import { Time } from '@/ui/time.tsx'
import { useExports } from './data.ts'

const COLUMNS: Column<Export>[] = [
  {
    id: 'leads',
    header: 'Export',
    card: 'head',
    cell: one => <span className="font-medium">{one.status === 'building' ? 'Creating file' : formatNoun(one.leadCount, 'lead')}</span>,
  },
  { id: 'status', header: 'Status', card: 'mark', cell: one => <Status status={one.status} /> },
  { id: 'asked', header: 'Ordered', align: 'right', from: 'md', cell: one => formatCount(one.requestedCount) },
  {
    id: 'credits',
    header: 'Credits',
    align: 'right',
    cell: one => (
      <NumberLink link={{ to: '/developers/operations', search: { id: one.operationId } as never }} title="View the operation">
        {formatCount(one.creditsCharged)}
      </NumberLink>
    ),
  },
  { id: 'when', header: 'Started', cell: one => <Time at={one.createdAt} /> },
  { id: 'until', header: 'Kept until', from: 'lg', cell: one => <Time at={one.expiresAt} /> },
  {
    ...ACTIONS,
    cell: one => (
      <span className="flex items-center justify-end gap-3">
        <Link to="/developers/operations" search={{ id: one.operationId }} className="text-faint text-xs hover:text-ink">
          Operation
        </Link>
        {one.downloadUrl ? (
          <a href={one.downloadUrl} className={buttonClass('secondary', 'sm')} download>
            Download CSV
          </a>
        ) : null}
      </span>
    ),
  },
]

export function ExportsCard() {
  const pages = useExports()
  return (
    <Card id="exports" title="Exports" description="You can download a file again at no cost until it expires." isFlush>
      <DataTable
        label="Exports"
        columns={COLUMNS}
        pages={pages}
        empty={
          <EmptyState icon={FindLeadsIcon} title="No exports yet" className="py-10!">
            Your exports appear here with their price and file.
          </EmptyState>
        }
      />
    </Card>
  )
}
