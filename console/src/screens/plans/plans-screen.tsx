import type { Operation, Plan } from '@overture/sdk'
import { useMemo } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { useAnswer, usePages } from '@/data/use-answer.ts'
import { useOperation } from '@/data/use-operation.ts'
import { Actor } from '@/screens/developers/page.tsx'
import { Status } from '@/ui/badge.tsx'
import { Button } from '@/ui/button.tsx'
import { Card, KeyValue } from '@/ui/card.tsx'
import { CodeBlock } from '@/ui/copy.tsx'
import { CopyAs } from '@/ui/copy-as.tsx'
import { type Column, DataTable, MoreRows } from '@/ui/data-table.tsx'
import { formatCount, formatNoun } from '@/ui/format.ts'
import { CheckIcon, CloseIcon, PlanIcon } from '@/ui/icons.tsx'
import { PageHeader } from '@/ui/page.tsx'
import { OperationLink } from '@/ui/quick-link.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { EmptyState, ErrorNote, ErrorState, NoPermission } from '@/ui/states.tsx'
import { Time } from '@/ui/time.tsx'

const COLUMNS: Column<Plan>[] = [
  {
    id: 'what',
    header: 'Request',
    card: 'head',
    className: 'max-w-120',
    cell: ({ summary, error }) => (
      <>
        <span className="block truncate font-medium">{summary.text}</span>
        <span className="block truncate font-normal text-faint text-xs empty:hidden">{recipientsOf(summary)}</span>
        {error ? <span className="block truncate font-normal text-bad text-xs">{error.message}</span> : null}
      </>
    ),
  },
  { id: 'status', header: 'Status', card: 'mark', cell: ({ status }) => <Status status={status} /> },
  { id: 'decided', header: 'Decided', align: 'right', cell: ({ decidedAt }) => <Time at={decidedAt} isReal className="text-faint" /> },
  {
    id: 'operation',
    header: 'Outcome',
    align: 'right',
    from: 'md',
    cell: ({ operationId }) => <OperationLink id={operationId}>Operation</OperationLink>,
  },
]

/** Requests of agents that need approval, and their outcome. The API calls them plans. */
export function PlansScreen() {
  const { may } = useWorkspace()
  const canRead = may('operations:read')
  return (
    <>
      <PageHeader
        title="Approvals"
        description="Requests from AI agents that send, spend or delete. Each waits for your approval."
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

/** Who asked for each of the newest requests, by its id. A request names only a token, and its operation also names the person or the key. */
function useRequesters(): ReadonlyMap<string, Operation['actor']> {
  const { data } = useAnswer(['plans', 'requesters'], async (api, options) => {
    const { data: operations } = await api.operations.list({ action: 'plan.create', limit: 100 }, options)
    return operations.map(({ result, actor }) => [(result as { id?: string } | null)?.id ?? '', actor] as const)
  })
  return useMemo(() => new Map(data), [data])
}

function Waiting() {
  const requesters = useRequesters()
  const pages = usePages(['plans', 'pending'], (api, page, options) => api.plans.list({ ...page, status: 'pending' }, options))
  if (pages.error) return <ErrorState error={pages.error} onRetry={pages.retry} />
  if (pages.isLoading || pages.rows.length === 0) {
    return (
      <Card isFlush>
        {pages.isLoading ? (
          <SkeletonLines count={4} className="p-4" />
        ) : (
          <EmptyState icon={PlanIcon} title="No requests to approve">
            AI agents that are connected to Overture ask here before they send, spend or delete. You see what happens, to whom and at what
            cost.
          </EmptyState>
        )}
      </Card>
    )
  }
  return (
    <section aria-label="Requests to approve" className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-2">
      {pages.rows.map(plan => (
        <PlanCard key={plan.id} plan={plan} requester={requesters.get(plan.id)} />
      ))}
      <MoreRows pages={pages}>Show more requests</MoreRows>
    </section>
  )
}

function Decided() {
  const all = usePages(['plans', 'all'], (api, page, options) => api.plans.list(page, options))
  const rows = useMemo(() => all.rows.filter(plan => plan.status !== 'pending'), [all.rows])
  if (rows.length === 0 && !all.hasMore) return null
  return (
    <Card title="Decided" isFlush>
      <DataTable label="Decided requests" columns={COLUMNS} pages={{ ...all, rows }} empty={null} />
    </Card>
  )
}

const TOUCHES = [['plans']]

const concerns = ({ operation, summary }: Plan): string =>
  operation.startsWith('suppressions.') ? 'Addresses' : summary.mailCount > 0 ? 'To' : 'Leads'

/** A pending request: what it would do, and the buttons to decide. */
function PlanCard({ plan, requester }: { plan: Plan; requester: Operation['actor'] | undefined }) {
  const { api } = useWorkspace()
  const approve = useOperation<null, Plan>({
    send: (_, { idempotencyKey }) => api.plans.approve(plan.id, { idempotencyKey }),
    touches: TOUCHES,
    done: 'Request approved. The agent can proceed.',
  })
  const reject = useOperation<null, Plan>({
    send: (_, { idempotencyKey }) => api.plans.reject(plan.id, { idempotencyKey }),
    touches: TOUCHES,
    done: 'Request rejected',
  })
  const { summary, request } = plan
  const isBusy = approve.isBusy || reject.isBusy
  return (
    <Card>
      <article aria-label={summary.text} className="flex flex-col gap-4">
        <header>
          <h2 className="break-words font-semibold text-base">{summary.text}</h2>
          <p className="text-faint text-xs">
            Requested <Time at={plan.createdAt} isReal />
          </p>
        </header>
        <KeyValue
          items={[
            ['Requested by', requester ? <Actor key="requester" actor={requester} /> : null],
            ['Campaign', summary.campaignName],
            ['From', summary.from.length > 0 ? summary.from.join(', ') : null],
            [concerns(plan), recipientsOf(summary)],
            ['Message', typeof request?.body.text === 'string' ? shown(request.body.text) : null],
            ['Emails', summary.mailCount > 0 ? `${formatCount(summary.mailCount)} at most` : 'none'],
            ['Cost', summary.creditCost > 0 ? `${formatNoun(summary.creditCost, 'credit')} at most` : 'none'],
            ['Expires', <Time key="expires" at={plan.expiresAt} isReal />],
          ]}
        />
        {request ? (
          <details>
            <summary className="cursor-pointer rounded text-soft text-sm">Show API request</summary>
            <CodeBlock className="mt-2" title={`${request.method} ${request.path}`} code={shown(JSON.stringify(request.body, null, 2))} />
          </details>
        ) : (
          <p className="rounded-lg bg-warn-wash px-3 py-2 text-warn">
            Your role does not allow this action. A teammate with permission has to decide.
          </p>
        )}
        <ErrorNote error={approve.error ?? reject.error} />
        {request ? (
          <footer className="flex flex-wrap gap-2">
            <Button variant="primary" icon={CheckIcon} phase={approve.phase} disabled={isBusy} onClick={() => void approve.run(null)}>
              Approve request
            </Button>
            <Button icon={CloseIcon} phase={reject.phase} disabled={isBusy} onClick={() => void reject.run(null)}>
              Reject request
            </Button>
          </footer>
        ) : null}
      </article>
    </Card>
  )
}

/** Marks that change the direction of text, and characters without a width, could make the request look like another one. */
const shown = (text: string): string => text.replace(/[\x7f-\x9f\u2028\u2029\p{Cf}]/gu, mark => `\\u{${mark.codePointAt(0)!.toString(16)}}`)

function recipientsOf({ recipients, leadCount }: Plan['summary']): string | null {
  const others = leadCount - recipients.length
  if (recipients.length === 0) return leadCount > 0 ? formatNoun(leadCount, 'lead') : null
  return others > 0 ? `${recipients.join(', ')} and ${formatNoun(others, 'other')}` : recipients.join(', ')
}
