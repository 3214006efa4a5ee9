import type { AuditEntry } from '@overture/sdk'
import { useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { actionWords } from '@/data/words.ts'
import { Card } from '@/ui/card.tsx'
import { type Column, DataTable } from '@/ui/data-table.tsx'
import { FilterBar } from '@/ui/filter-bar.tsx'
import { BookIcon } from '@/ui/icons.tsx'
import type { QuickTarget } from '@/ui/quick-link.tsx'
import { EmptyState } from '@/ui/states.tsx'
import { useAudit, useSeenActions } from './data.ts'
import { Page, SHARED } from './page.tsx'

const COLUMNS: Column<AuditEntry>[] = [
  { id: 'action', header: 'Action', card: 'head', cell: entry => <span title={entry.action}>{actionWords(entry.action)}</span> },
  SHARED.status,
  SHARED.actor,
  SHARED.when,
]

/** Sessions and tokens belong to a person. Their operations are not those of the workspace. */
const linkOf = ({ id, action }: AuditEntry): QuickTarget | undefined =>
  /^(session|token)\./.test(action) ? undefined : { to: '/developers/operations', search: { id } as never }

export function AuditScreen() {
  const filters = useSearch({ from: '/shell/developers/audit' })
  const pages = useAudit(filters)
  const actions = useSeenActions(pages, filters.action)
  const names = useRef(new Map<string, string>())
  for (const { actor } of pages.rows) if (actor.id) names.current.set(actor.id, actor.name)
  return (
    <Page
      title="Audit log"
      description="Everything that people, keys and Overture itself did, sign-ins included."
      scope="audit:read"
      call={overture => overture.audit.list(filters as object)}
    >
      <Card isFlush>
        <FilterBar
          filters={[
            { key: 'action', label: 'Action', all: 'Any action', options: actions },
            { key: 'actorId', label: 'By', all: 'Anyone', options: [...names.current].map(([value, label]) => ({ value, label })) },
          ]}
        />
        <DataTable
          label="Entries"
          columns={COLUMNS}
          pages={pages}
          rowLink={linkOf}
          empty={
            <EmptyState icon={BookIcon} title={filters.action || filters.actorId ? 'No matching entries' : 'No entries yet'}>
              Every action appears here.
            </EmptyState>
          }
        />
      </Card>
    </Page>
  )
}
