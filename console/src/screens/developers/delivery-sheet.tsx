import type { Delivery, WebhookEndpoint } from '@overture/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { Status } from '@/ui/badge.tsx'
import { Button } from '@/ui/button.tsx'
import { CodeBlock } from '@/ui/code-block.tsx'
import { CopyAs } from '@/ui/copy-as.tsx'
import { Sheet } from '@/ui/dialog.tsx'
import { RefreshIcon } from '@/ui/icons.tsx'
import { KeyValue } from '@/ui/key-value.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { ErrorNote, ErrorState } from '@/ui/states.tsx'
import { Time } from '@/ui/time.tsx'
import { useDelivery, useEventById } from './data.ts'
import { durationWords } from './operation-parts.tsx'

interface DeliverySheetProps {
  endpoint: WebhookEndpoint
  id: string | undefined
  status: string | undefined
  onSent: () => void
}

export function DeliverySheet({ endpoint, id, status, onSent }: DeliverySheetProps) {
  const navigate = useNavigate()
  const go = (search: { status?: string | undefined; id?: string | undefined }) =>
    void navigate({ to: '/developers/webhooks/$webhookId', params: { webhookId: endpoint.id }, search })
  return (
    <Sheet isInAddress open={Boolean(id)} onClose={() => go({ status })} title="Delivery">
      {id ? (
        <Details
          endpoint={endpoint}
          id={id}
          onSent={next => {
            onSent()
            go({ status, id: next.id })
          }}
        />
      ) : null}
    </Sheet>
  )
}

/** What an answer means for what happens next. */
function meaning({ status, responseStatus, error, nextAttemptAt }: Delivery): string {
  if (status === 'succeeded') return 'The receiver has taken it.'
  if (status === 'pending') return nextAttemptAt ? 'It leaves when its time has come.' : 'It is on its way.'
  const why = responseStatus === null ? (error ?? 'There was no answer') : `It answered ${responseStatus}; only 2xx counts as taken`
  if (nextAttemptAt && Date.parse(nextAttemptAt) <= Date.now()) return `${why}. It was sent again since.`
  return `${why}.${nextAttemptAt ? ' Another attempt follows by itself.' : ' No further attempt follows by itself: send it again when the receiver is mended.'}`
}

function Details({ endpoint, id, onSent }: { endpoint: WebhookEndpoint; id: string; onSent: (next: Delivery) => void }) {
  const { api, may } = useWorkspace()
  const { data: delivery, error, refetch } = useDelivery(endpoint.id, id)
  const event = useEventById(delivery?.eventId)
  const retry = useOperation({
    send: (_: null, { idempotencyKey }) => api.webhooks.retryDelivery(endpoint.id, id, { idempotencyKey }),
    once: `retry ${id}`,
    touches: [['webhooks']],
    onDone: onSent,
  })
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!delivery) return <SkeletonLines count={8} />
  return (
    <div className="flex flex-col gap-5">
      <div className="flex items-center gap-2">
        <code className="min-w-0 flex-1 truncate font-mono font-medium">{delivery.eventType}</code>
        <Status status={delivery.status} />
        <CopyAs call={overture => overture.webhooks.retryDelivery(endpoint.id, id)} />
      </div>
      <p className="text-soft">{meaning(delivery)}</p>
      {may('webhooks:write') ? (
        <Button icon={RefreshIcon} phase={retry.phase} onClick={() => void retry.run(null)} className="self-start">
          Send again
        </Button>
      ) : null}
      <ErrorNote error={retry.error} />
      <section>
        <h3 className="mb-2 font-semibold">Answer</h3>
        <KeyValue
          items={[
            ['Status', delivery.responseStatus ?? (delivery.status === 'pending' ? 'not sent yet' : 'no answer')],
            ['Error', delivery.error],
            ['Took', delivery.durationMs === null ? null : durationWords(delivery.durationMs)],
            ['Attempt', delivery.attempt],
            ['Next attempt', delivery.nextAttemptAt ? <Time key="next" at={delivery.nextAttemptAt} isReal /> : null],
          ]}
        />
      </section>
      <section>
        <h3 className="mb-2 font-semibold">Request</h3>
        <CodeBlock
          className="mb-3"
          code={[
            `POST ${endpoint.url}`,
            'content-type: application/json',
            `webhook-id: ${delivery.eventId}`,
            'webhook-timestamp: <seconds>',
            'webhook-signature: v1,<HMAC-SHA256 of id.timestamp.body>',
          ].join('\n')}
        />
        {event.data ? (
          <CodeBlock title="Body" code={JSON.stringify(event.data, null, 2)} />
        ) : event.error ? (
          <ErrorNote error={event.error} />
        ) : (
          <SkeletonLines />
        )}
      </section>
    </div>
  )
}
