import type { Plan } from '@overture/sdk'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { Status } from '@/ui/badge.tsx'
import { Button } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { CopyAs } from '@/ui/copy-as.tsx'
import { DataTable } from '@/ui/data-table.tsx'
import { PlanIcon } from '@/ui/icons.tsx'
import { PageHeader } from '@/ui/page-header.tsx'
import type { Column } from '@/ui/rows.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { EmptyState, ErrorState, NoPermission } from '@/ui/states.tsx'
import { Time } from '@/ui/time.tsx'
import { usePlans, useWaitingPlans } from './data.ts'
import { PlanCard } from './plan-card.tsx'

const COLUMNS: Column<Plan>[] = [
  {
    id: 'what',
    header: 'What',
    card: 'head',
    className: 'max-w-120',
    cell: ({ summary, error }) => (
      <>
        <span className="block truncate font-medium">{summary.text}</span>
        {error ? <span className="block truncate font-normal text-bad text-xs">{error.message}</span> : null}
      </>
    ),
  },
  { id: 'status', header: 'Status', card: 'mark', cell: ({ status }) => <Status status={status} /> },
  { id: 'decided', header: 'Decided', align: 'right', cell: ({ decidedAt }) => <Time at={decidedAt} isReal className="text-faint" /> },
  {
    id: 'operation',
    header: 'What came of it',
    align: 'right',
    from: 'md',
    cell: ({ operationId }) =>
      operationId ? (
        <Link to="/developers/operations" search={{ id: operationId }} className="text-accent-ink hover:underline">
          Operation
        </Link>
      ) : (
        <span className="text-faint">–</span>
      ),
  },
]

/** The plans of agents, and their outcome. */
export function PlansScreen() {
  const { may } = useWorkspace()
  const canRead = may('operations:read')
  return (
    <>
      <PageHeader
        title="Plans"
        description="What agents propose: whatever sends, spends or deletes waits here until a person approves it."
        actions={canRead ? <CopyAs call={overture => overture.plans.list({ status: 'pending' })} /> : null}
      />
      {canRead ? (
        <div className="flex flex-col gap-6">
          <Waiting />
          <Decided />
        </div>
      ) : (
        <NoPermission scope="operations:read" />
      )}
    </>
  )
}

function Waiting() {
  const pages = useWaitingPlans()
  if (pages.error) return <ErrorState error={pages.error} onRetry={pages.retry} />
  if (pages.isLoading) {
    return (
      <Card>
        <SkeletonLines count={4} />
      </Card>
    )
  }
  if (pages.rows.length === 0) {
    return (
      <Card isFlush>
        <EmptyState icon={PlanIcon} title="Nothing waits for you">
          An agent that is connected at <code className="font-mono">/mcp</code> proposes what it must not do by itself. You see what would
          happen, to whom, and what it costs, before anything does.
        </EmptyState>
      </Card>
    )
  }
  return (
    <section aria-label="Waiting for you" className="grid items-start gap-4 xl:grid-cols-2">
      {pages.rows.map(plan => (
        <PlanCard key={plan.id} plan={plan} />
      ))}
      {pages.hasMore ? (
        <Button pending={pages.isLoadingMore} onClick={pages.loadMore}>
          Show more
        </Button>
      ) : null}
    </section>
  )
}

function Decided() {
  const all = usePlans()
  const rows = useMemo(() => all.rows.filter(plan => plan.status !== 'pending'), [all.rows])
  if (rows.length === 0 && !all.hasMore) return null
  return (
    <Card title="Decided" isFlush>
      <DataTable label="Decided plans" columns={COLUMNS} pages={{ ...all, rows }} empty={null} />
    </Card>
  )
}
