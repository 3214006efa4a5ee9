import type { Operation } from '@overture/sdk'
import { useSearch } from '@tanstack/react-router'
import { statusWords } from '@/ui/badge.tsx'
import { Card } from '@/ui/card.tsx'
import { DataTable } from '@/ui/data-table.tsx'
import { FilterBar } from '@/ui/filter-bar.tsx'
import { CodeIcon } from '@/ui/icons.tsx'
import type { Column } from '@/ui/rows.tsx'
import { EmptyState } from '@/ui/states.tsx'
import { useOperations } from './data.ts'
import { durationWords, TOLD, took } from './operation-parts.tsx'
import { OperationSheet } from './operation-sheet.tsx'
import { Page } from './page.tsx'
import { useSeenActions } from './use-seen.ts'

const STATUSES = (['queued', 'running', 'succeeded', 'failed'] as const).map(value => ({ value, label: statusWords(value) }))

const COLUMNS: Column<Operation>[] = [
  {
    id: 'action',
    header: 'Action',
    card: 'head',
    className: 'max-w-96',
    cell: operation => (
      <>
        <code className="block truncate font-mono text-xs">{operation.action}</code>
        {operation.error ? <span className="block truncate font-normal text-bad text-xs">{operation.error.message}</span> : null}
      </>
    ),
  },
  TOLD.status,
  TOLD.actor,
  { id: 'took', header: 'Took', align: 'right', from: 'md', cell: operation => durationWords(took(operation).totalMs) },
  TOLD.when,
]

export function OperationsScreen() {
  const { id, ...filters } = useSearch({ from: '/shell/developers/operations' })
  const pages = useOperations(filters)
  const actions = useSeenActions(pages, filters.action)
  return (
    <Page
      title="Operations"
      description="Every write, who asked for it, how long it took and what came of it."
      scope="operations:read"
      call={overture => overture.operations.list(filters as object)}
    >
      <Card isFlush>
        <FilterBar
          filters={[
            { key: 'status', label: 'Status', all: 'Any status', options: STATUSES },
            { key: 'action', label: 'Action', all: 'Any action', options: actions },
          ]}
        />
        <DataTable
          label="Operations"
          columns={COLUMNS}
          pages={pages}
          rowLink={operation => ({ to: '/developers/operations', search: { ...filters, id: operation.id } as never })}
          empty={
            filters.status || filters.action || filters.campaignId ? (
              <EmptyState icon={CodeIcon} title="No operation fits">
                Clear the filters to see the others.
              </EmptyState>
            ) : (
              <EmptyState icon={CodeIcon} title="No operations yet">
                Every change that you or a program asks for is an operation, and stands here.
              </EmptyState>
            )
          }
        />
      </Card>
      <OperationSheet id={id} filters={filters} />
    </Page>
  )
}
