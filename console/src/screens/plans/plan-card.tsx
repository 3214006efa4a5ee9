import type { Plan } from '@overture/sdk'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { Button } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { CodeBlock } from '@/ui/code-block.tsx'
import { formatCount, formatNoun } from '@/ui/format.ts'
import { CheckIcon, CloseIcon } from '@/ui/icons.tsx'
import { KeyValue } from '@/ui/key-value.tsx'
import { ErrorNote } from '@/ui/states.tsx'
import { Time } from '@/ui/time.tsx'

const TOUCHES = [['plans']]

/** One plan that waits: what would happen, and the two buttons. */
export function PlanCard({ plan }: { plan: Plan }) {
  const { api } = useWorkspace()
  const approve = useOperation<null, Plan>({
    send: (_, { idempotencyKey }) => api.plans.approve(plan.id, { idempotencyKey }),
    touches: TOUCHES,
    done: 'Approved: the agent may carry it out now',
  })
  const reject = useOperation<null, Plan>({
    send: (_, { idempotencyKey }) => api.plans.reject(plan.id, { idempotencyKey }),
    touches: TOUCHES,
    done: 'Rejected: nothing comes of it',
  })
  const { summary, request } = plan
  const isBusy = approve.isBusy || reject.isBusy
  return (
    <Card>
      <article aria-label={summary.text} className="flex flex-col gap-4">
        <header>
          <h2 className="break-words font-semibold text-base">{summary.text}</h2>
          <p className="text-faint text-xs">
            Proposed <Time at={plan.createdAt} isReal /> with <code className="font-mono">{plan.operation}</code>
          </p>
        </header>
        <KeyValue
          items={[
            ['Campaign', summary.campaignName],
            ['From', summary.from.length > 0 ? summary.from.join(', ') : null],
            [summary.mailCount > 0 ? 'To' : 'Whom', recipientsOf(plan)],
            ['E-mails', summary.mailCount > 0 ? `${formatCount(summary.mailCount)} at most` : 'none'],
            ['Costs', summary.creditCost > 0 ? `${formatNoun(summary.creditCost, 'credit')} at most` : 'nothing'],
            ['Expires', <Time key="expires" at={plan.expiresAt} isReal />],
          ]}
        />
        {request ? (
          <details>
            <summary className="cursor-pointer rounded text-soft text-sm">Exactly this request</summary>
            <CodeBlock className="mt-2" title={`${request.method} ${request.path}`} code={JSON.stringify(request.body, null, 2)} />
          </details>
        ) : (
          <p className="rounded-lg bg-warn-wash px-3 py-2 text-warn">
            Your token may not ask for this itself, so somebody else has to decide.
          </p>
        )}
        <ErrorNote error={approve.error ?? reject.error} />
        {request ? (
          <footer className="flex flex-wrap gap-2">
            <Button variant="primary" icon={CheckIcon} phase={approve.phase} disabled={isBusy} onClick={() => void approve.run(null)}>
              Approve
            </Button>
            <Button icon={CloseIcon} phase={reject.phase} disabled={isBusy} onClick={() => void reject.run(null)}>
              Reject
            </Button>
          </footer>
        ) : null}
      </article>
    </Card>
  )
}

function recipientsOf({ summary: { recipients, leadCount } }: Plan): string | null {
  const others = leadCount - recipients.length
  if (recipients.length === 0) return leadCount > 0 ? formatNoun(leadCount, 'lead') : null
  return others > 0 ? `${recipients.join(', ')} and ${formatNoun(others, 'other')}` : recipients.join(', ')
}
