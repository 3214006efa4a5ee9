import type { Suppression } from '@overture/sdk'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { Badge, statusWords } from '@/ui/badge.tsx'
import { Button } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { ConfirmDialog } from '@/ui/confirm-dialog.tsx'
import { DataTable } from '@/ui/data-table.tsx'
import { FilterBar } from '@/ui/filter-bar.tsx'
import { LockIcon, PlusIcon, SearchIcon } from '@/ui/icons.tsx'
import { lazyPart } from '@/ui/lazy-part.ts'
import { ACTIONS, type Column } from '@/ui/rows.tsx'
import { EmptyState } from '@/ui/states.tsx'
import { Time } from '@/ui/time.tsx'
import { useSuppressions } from './data.ts'
import { Page } from './page.tsx'

const AddSuppressions = lazyPart(() => import('./add-suppressions.tsx').then(module => module.AddSuppressions))
const LiftSuppressions = lazyPart(() => import('./lift-suppressions.tsx').then(module => module.LiftSuppressions))

const NONE: ReadonlySet<string> = new Set()
const KINDS = [
  { value: 'email', label: 'Addresses' },
  { value: 'domain', label: 'Domains' },
]

const COLUMNS: Column<Suppression>[] = [
  {
    id: 'value',
    header: 'Never written to',
    card: 'head',
    className: 'max-w-96',
    cell: ({ value }) =>
      value === null ? (
        <span className="text-faint">Erased; only a hash is left</span>
      ) : (
        <span className="block truncate font-medium">{value}</span>
      ),
  },
  { id: 'kind', header: 'Kind', card: 'mark', cell: ({ kind }) => <Badge>{kind === 'domain' ? 'Whole domain' : 'Address'}</Badge> },
  { id: 'reason', header: 'Why', cell: ({ reason }) => statusWords(reason) },
  { id: 'when', header: 'Since', align: 'right', cell: ({ createdAt }) => <Time at={createdAt} className="text-faint" /> },
  { ...ACTIONS, cell: suppression => <Remove suppression={suppression} /> },
]

export function SuppressionsScreen() {
  const { q, kind, add: isAdding } = useSearch({ from: '/shell/people/suppressions' })
  const { may } = useWorkspace()
  const navigate = useNavigate()
  const pages = useSuppressions({ q, kind })
  const [ids, setIds] = useState<ReadonlySet<string>>(NONE)
  // What is not shown any more is not meant any more.
  const chosen = pages.rows.filter(({ id }) => ids.has(id))
  const names = useMemo(() => new Map(pages.rows.map(({ id, value }) => [id, value])), [pages.rows])
  const nameOf = (id: string) => names.get(id) ?? 'an erased person'
  const setAdding = (isOpen: boolean) =>
    void navigate({ to: '/people/suppressions', search: { q, kind, ...(isOpen ? { add: '1' } : {}) }, replace: !isOpen })
  const add = may('suppressions:write') ? (
    <Button variant="primary" icon={PlusIcon} onClick={() => setAdding(true)}>
      Suppress
    </Button>
  ) : null
  return (
    <Page
      title="Suppressions"
      description="Addresses and domains that no campaign ever writes to. Who unsubscribes or bounces comes here by itself."
      scope="suppressions:read"
      call={overture => overture.suppressions.list(q ? { q } : {})}
      actions={add}
    >
      <Card isFlush>
        <FilterBar
          search="Whole address or domain"
          filters={[{ key: 'kind', label: 'Kind', all: 'Addresses and domains', options: KINDS }]}
        />
        <DataTable
          label="Suppressions"
          columns={COLUMNS}
          pages={pages}
          {...(may('suppressions:write')
            ? { selection: { chosen: new Set(chosen.map(({ id }) => id)), onChange: setIds, labelOf: nameOf } }
            : {})}
          empty={
            q ? (
              <EmptyState icon={SearchIcon} title="Not suppressed">
                “{q}” may be written to. The search looks for the whole address or domain, because after an erasure only its hash is left.
              </EmptyState>
            ) : (
              <EmptyState icon={LockIcon} title="Nobody is suppressed" actions={add}>
                Put here whom you must not write to: customers, competitors, people who asked you not to.
              </EmptyState>
            )
          }
        />
        {/* It stays when none of those is shown any more: what it lifts leaves the list while it is at work. */}
        {ids.size > 0 ? <LiftSuppressions chosen={chosen} onDone={() => setIds(NONE)} /> : null}
      </Card>
      {isAdding && may('suppressions:write') ? <AddSuppressions onClose={() => setAdding(false)} /> : null}
    </Page>
  )
}

function Remove({ suppression }: { suppression: Suppression }) {
  const { api, may } = useWorkspace()
  const [isAsking, setAsking] = useState(false)
  const remove = useOperation({
    send: (_: null, { idempotencyKey }) => api.suppressions.delete(suppression.id, { idempotencyKey }),
    touches: [['suppressions']],
    done: 'The suppression is lifted',
    onDone: () => setAsking(false),
  })
  if (!may('suppressions:write')) return null
  const name = suppression.value ?? 'this person'
  return (
    <>
      <Button size="sm" variant="ghost" aria-label={`Lift ${name}`} onClick={() => setAsking(true)}>
        Lift
      </Button>
      {isAsking ? (
        <ConfirmDialog
          title={`Write to ${name} again?`}
          verb="Lift the suppression"
          operation={remove}
          onConfirm={() => void remove.run(null)}
          onClose={() => setAsking(false)}
        >
          {suppression.reason === 'unsubscribed'
            ? 'They have unsubscribed. Lift this only when they have asked you to write to them again.'
            : 'Campaigns may write to them from now on. Leads that were skipped because of it stay skipped until you requeue them.'}
        </ConfirmDialog>
      ) : null}
    </>
  )
}
