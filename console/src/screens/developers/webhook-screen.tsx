import type { Delivery, Event, WebhookEndpoint } from '@overture/sdk'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { sentence, spelledOut } from '@/data/field-words.ts'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { Badge, Status, statusWords } from '@/ui/badge.tsx'
import { Button } from '@/ui/button.tsx'
import { Card, KeyValue } from '@/ui/card.tsx'
import { CodeBlock } from '@/ui/copy.tsx'
import { CopyAs } from '@/ui/copy-as.tsx'
import { type Column, DataTable } from '@/ui/data-table.tsx'
import { Sheet } from '@/ui/dialog.tsx'
import { FilterBar } from '@/ui/filter-bar.tsx'
import { CodeIcon, RefreshIcon } from '@/ui/icons.tsx'
import { Loaded } from '@/ui/loaded.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { EmptyState, ErrorNote, ErrorState } from '@/ui/states.tsx'
import { Time } from '@/ui/time.tsx'
import { useDeliveries, useDelivery, useDeliveryLooks, useEventById, useWebhook } from './data.ts'
import { durationWords, Page, WebhookStatus } from './page.tsx'
import { WebhookActions } from './webhook-actions.tsx'

const STATUSES = (['pending', 'succeeded', 'failed'] as const).map(value => ({ value, label: statusWords(value) }))

const errorWords = (code: string | null): string => (code === null ? 'No response' : sentence(spelledOut(code)))

function Response({ delivery: { responseStatus, error, status } }: { delivery: Delivery }) {
  if (responseStatus !== null) return <Badge tone={status === 'succeeded' ? 'good' : 'bad'}>{responseStatus}</Badge>
  return <span className="text-faint text-xs">{error === null && status === 'pending' ? 'not sent yet' : errorWords(error)}</span>
}

const COLUMNS: Column<Delivery>[] = [
  { id: 'event', header: 'Event', card: 'head', cell: delivery => <code className="font-mono text-xs">{delivery.eventType}</code> },
  { id: 'status', header: 'Status', card: 'mark', cell: delivery => <Status status={delivery.status} /> },
  { id: 'response', header: 'Response', cell: delivery => <Response delivery={delivery} /> },
  { id: 'attempt', header: 'Attempt', align: 'right', cell: delivery => delivery.attempt },
  { id: 'took', header: 'Duration', align: 'right', from: 'md', card: 'none', cell: delivery => durationWords(delivery.durationMs) },
  {
    id: 'next',
    header: 'Next attempt',
    align: 'right',
    from: 'lg',
    cell: ({ status, nextAttemptAt: at }) => <Time at={status === 'pending' ? at : null} isReal className="text-faint" />,
  },
  { id: 'when', header: 'When', align: 'right', cell: delivery => <Time at={delivery.createdAt} isReal className="text-faint" /> },
]

export function WebhookScreen() {
  const { webhookId } = useParams({ from: '/shell/developers/webhooks/$webhookId' })
  return (
    <Loaded query={useWebhook(webhookId)} page="Webhook" lines={6}>
      {endpoint => <Shown endpoint={endpoint} />}
    </Loaded>
  )
}

function Shown({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { status, id } = useSearch({ from: '/shell/developers/webhooks/$webhookId' })
  const pages = useDeliveries(endpoint.id, status)
  const look = useDeliveryLooks(endpoint.id)
  return (
    <Page
      title={endpoint.url}
      mark={<WebhookStatus endpoint={endpoint} />}
      description={`${endpoint.description ? `${endpoint.description}. ` : ''}Subscribed to ${endpoint.events.includes('*') ? 'all events' : endpoint.events.join(', ')}.`}
      above={<Link to="/developers/webhooks">Webhooks</Link>}
      scope="webhooks:read"
      call={overture => overture.webhooks.listDeliveries(endpoint.id, { status } as object)}
    >
      <WebhookActions endpoint={endpoint} onSent={look} />
      <Card isFlush>
        <FilterBar filters={[{ key: 'status', label: 'Status', all: 'Any status', options: STATUSES }]} />
        <DataTable
          label="Deliveries"
          columns={COLUMNS}
          pages={pages}
          rowLink={delivery => ({
            to: '/developers/webhooks/$webhookId',
            params: { webhookId: endpoint.id },
            search: { status, id: delivery.id } as never,
          })}
          empty={
            <EmptyState icon={CodeIcon} title={status ? 'No matching deliveries' : 'No deliveries yet'}>
              {status ? 'Clear the filter to see all deliveries.' : 'Send a test event to check your endpoint.'}
            </EmptyState>
          }
        />
      </Card>
      <DeliverySheet endpoint={endpoint} id={id} status={status} onSent={look} />
    </Page>
  )
}

type DeliverySheetProps = { endpoint: WebhookEndpoint; id: string | undefined; status: string | undefined; onSent: () => void }

function DeliverySheet({ endpoint, id, status, onSent }: DeliverySheetProps) {
  const navigate = useNavigate()
  const go = (next?: string) =>
    void navigate({ to: '/developers/webhooks/$webhookId', params: { webhookId: endpoint.id }, search: { status, id: next } })
  const showNext = (next: Delivery) => {
    onSent()
    go(next.id)
  }
  return (
    <Sheet isInAddress open={Boolean(id)} onClose={() => go()} title="Delivery">
      {id ? <Details endpoint={endpoint} id={id} onSent={showNext} /> : null}
    </Sheet>
  )
}

/** Explains the status of a delivery and what happens next. */
function meaning({ status, responseStatus, error, nextAttemptAt }: Delivery): string {
  if (status === 'succeeded') return 'Delivered.'
  if (status === 'pending') return nextAttemptAt ? 'Scheduled for the next attempt.' : 'Sending now.'
  const why = responseStatus === null ? errorWords(error) : `The endpoint returned ${responseStatus}. Only 2xx counts as delivered`
  if (nextAttemptAt && Date.parse(nextAttemptAt) <= Date.now()) return `${why}. Already sent again.`
  return `${why}.${nextAttemptAt ? ' Overture retries automatically.' : ' No more retries. Fix the endpoint, then resend.'}`
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
          Resend event
        </Button>
      ) : null}
      <ErrorNote error={retry.error} />
      <section>
        <h3 className="mb-2 font-semibold">Response</h3>
        <KeyValue
          items={[
            ['Status', delivery.responseStatus ?? (delivery.status === 'pending' ? 'not sent yet' : 'no response')],
            ['Error', delivery.error && errorWords(delivery.error)],
            ['Duration', delivery.durationMs === null ? null : durationWords(delivery.durationMs)],
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
          <CodeBlock title="Body" code={bodyOf(event.data)} isWrapped />
        ) : event.error ? (
          <ErrorNote error={event.error} />
        ) : (
          <SkeletonLines />
        )}
      </section>
    </div>
  )
}

/** The body exactly as it is sent: these fields of the event, in this order, without spaces. */
const bodyOf = ({ id, type, timestamp, workspaceId, seq, data }: Event): string =>
  JSON.stringify({ id, type, timestamp, workspaceId, seq, data })
