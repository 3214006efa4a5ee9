import type { AuditEntry } from '@overture/sdk'
import { useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { Card } from '@/ui/card.tsx'
import { type Column, DataTable } from '@/ui/data-table.tsx'
import { FilterBar } from '@/ui/filter-bar.tsx'
import { BookIcon } from '@/ui/icons.tsx'
import { EmptyState } from '@/ui/states.tsx'
import { useAudit, useSeenActions } from './data.ts'
import { Page, TOLD } from './page.tsx'

const COLUMNS: Column<AuditEntry>[] = [
  { id: 'action', header: 'Action', card: 'head', cell: entry => <code className="font-mono text-xs">{entry.action}</code> },
  TOLD.status,
  TOLD.actor,
  TOLD.when,
]

export function AuditScreen() {
  const filters = useSearch({ from: '/shell/developers/audit' })
  const pages = useAudit(filters)
  const actions = useSeenActions(pages, filters.action)
  const names = useRef(new Map<string, string>())
  for (const { actor } of pages.rows) if (actor.id) names.current.set(actor.id, actor.name)
  return (
    <Page
      title="Audit"
      description="Who did what and when: people, keys, and the service itself."
      scope="audit:read"
      call={overture => overture.audit.list(filters as object)}
    >
      <Card isFlush>
        <FilterBar
          filters={[
            { key: 'action', label: 'Action', all: 'Any action', options: actions },
            {
              key: 'actorId',
              label: 'Who',
              all: 'Anybody',
              options: [...names.current].map(([value, label]) => ({ value, label })),
            },
          ]}
        />
        <DataTable
          label="Entries"
          columns={COLUMNS}
          pages={pages}
          rowLink={entry => ({ to: '/developers/operations', search: { id: entry.id } as never })}
          empty={
            <EmptyState icon={BookIcon} title={filters.action || filters.actorId ? 'No entry fits' : 'Nothing was done yet'}>
              Everything that changes something is written down here.
            </EmptyState>
          }
        />
      </Card>
    </Page>
  )
}
