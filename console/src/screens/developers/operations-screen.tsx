import type { Operation } from '@overture/sdk'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { actionWords } from '@/data/words.ts'
import { Status, statusWords } from '@/ui/badge.tsx'
import { Card, KeyValue } from '@/ui/card.tsx'
import { Progress } from '@/ui/chart.tsx'
import { CodeBlock } from '@/ui/copy.tsx'
import { CopyAs } from '@/ui/copy-as.tsx'
import { type Column, DataTable } from '@/ui/data-table.tsx'
import { Sheet } from '@/ui/dialog.tsx'
import { FilterBar } from '@/ui/filter-bar.tsx'
import { formatCount, formatNoun } from '@/ui/format.ts'
import { CodeIcon } from '@/ui/icons.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { EmptyState, ErrorState } from '@/ui/states.tsx'
import { Time } from '@/ui/time.tsx'
import { useOperationById, useOperations, useSeenActions } from './data.ts'
import { Actor, durationsOf, durationWords, Page, SHARED } from './page.tsx'

const STATUSES = (['queued', 'running', 'succeeded', 'failed'] as const).map(value => ({ value, label: statusWords(value) }))

const COLUMNS: Column<Operation>[] = [
  {
    id: 'action',
    header: 'Action',
    card: 'head',
    className: 'max-w-96',
    cell: operation => (
      <>
        <span className="block truncate" title={operation.action}>
          {actionWords(operation.action)}
        </span>
        {operation.error ? <span className="block truncate font-normal text-bad text-xs">{operation.error.message}</span> : null}
      </>
    ),
  },
  SHARED.status,
  SHARED.actor,
  { id: 'took', header: 'Duration', align: 'right', from: 'md', cell: operation => durationWords(durationsOf(operation).totalMs) },
  SHARED.when,
]

export function OperationsScreen() {
  const { id, ...filters } = useSearch({ from: '/shell/developers/operations' })
  const pages = useOperations(filters)
  const actions = useSeenActions(pages, filters.action)
  const isFiltered = filters.status || filters.action || filters.campaignId
  return (
    <Page
      title="Operations"
      description="Requests to Overture: who made them, how long they took and their outcome."
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
            <EmptyState icon={CodeIcon} title={isFiltered ? 'No matching operations' : 'No operations yet'}>
              {isFiltered ? 'Clear the filters to see all operations.' : 'Every action by you or a program appears here.'}
            </EmptyState>
          }
        />
      </Card>
      <OperationSheet id={id} filters={filters} />
    </Page>
  )
}

function OperationSheet({ id, filters }: { id: string | undefined; filters: Record<string, string | undefined> }) {
  const navigate = useNavigate()
  const close = () => void navigate({ to: '/developers/operations', search: filters as never })
  return (
    <Sheet isInAddress open={Boolean(id)} onClose={close} title="Operation">
      {id ? <Details id={id} /> : null}
    </Sheet>
  )
}

function Details({ id }: { id: string }) {
  const { data: operation, error: unread, refetch } = useOperationById(id)
  if (unread) return <ErrorState error={unread} onRetry={() => void refetch()} />
  if (!operation) return <SkeletonLines count={8} />
  const { waitedMs, ranMs } = durationsOf(operation)
  const { error, result } = operation
  const { campaignId } = (result ?? {}) as { campaignId?: string }
  return (
    <div className="flex flex-col gap-5">
      <div className="flex items-center justify-between gap-3">
        <span className="min-w-0 break-words font-medium">{actionWords(operation.action)}</span>
        <span className="flex items-center gap-1">
          <Status status={operation.status} />
          <CopyAs call={overture => overture.operations.get(operation.id)} />
        </span>
      </div>
      {error ? (
        <div className="rounded-lg bg-bad-wash px-3 py-2.5 text-bad">
          <p className="font-medium">
            <Code>{error.code}</Code>
          </p>
          <p>{error.message}</p>
          <p className="mt-1 text-xs">
            {error.retryable
              ? 'Nothing was saved or charged. You can try again.'
              : 'The same request would fail again. Fix the problem first.'}
          </p>
        </div>
      ) : null}
      <OperationProgress operation={operation} />
      <KeyValue
        items={[
          ['Requested by', <Actor key="actor" actor={operation.actor} />],
          ['Requested', <Time key="created" at={operation.createdAt} isReal />],
          ['Waiting time', durationWords(waitedMs)],
          ['Run time', durationWords(ranMs)],
          [
            'Campaign',
            campaignId ? (
              <Link key="campaign" to="/campaigns/$campaignId" params={{ campaignId }} className="text-accent-ink hover:underline">
                Open campaign
              </Link>
            ) : null,
          ],
          ['Action', <Code key="action">{operation.action}</Code>],
          ['ID', <Code key="id">{operation.id}</Code>],
        ]}
      />
      {result === null || result === undefined ? null : <CodeBlock title="Result" code={JSON.stringify(result, null, 2)} />}
    </div>
  )
}

const Code = ({ children }: { children: string }) => <code className="break-all font-mono text-xs">{children}</code>

function OperationProgress({ operation }: { operation: Operation }) {
  if ('doneCount' in operation && operation.doneCount !== undefined) {
    return (
      <p role="status" className="text-soft tabular">
        {formatNoun(operation.doneCount, 'row')} done
      </p>
    )
  }
  const progress = 'progress' in operation ? operation.progress : undefined
  if (!progress) return null
  if ('writtenCount' in progress) {
    return (
      <div role="status" className="flex items-center justify-between gap-3 text-soft tabular">
        {formatCount(progress.writtenCount)} of {formatNoun(progress.leadCount, 'lead')} written
        <Progress part={progress.writtenCount} whole={progress.leadCount} label="Written" />
      </div>
    )
  }
  return <CodeBlock title="Progress" code={JSON.stringify(progress, null, 2)} />
}
