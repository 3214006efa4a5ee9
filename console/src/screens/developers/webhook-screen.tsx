import type { Delivery, WebhookEndpoint } from '@overture/sdk'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { Badge, Status, statusWords } from '@/ui/badge.tsx'
import { Card } from '@/ui/card.tsx'
import { DataTable } from '@/ui/data-table.tsx'
import { FilterBar } from '@/ui/filter-bar.tsx'
import { CodeIcon } from '@/ui/icons.tsx'
import type { Column } from '@/ui/rows.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { EmptyState, ErrorState } from '@/ui/states.tsx'
import { Time } from '@/ui/time.tsx'
import { useDeliveries, useDeliveryLooks, useWebhook } from './data.ts'
import { DeliverySheet } from './delivery-sheet.tsx'
import { durationWords } from './operation-parts.tsx'
import { Page } from './page.tsx'
import { WebhookActions } from './webhook-actions.tsx'
import { WebhookStatus } from './webhook-status.tsx'

const STATUSES = (['pending', 'succeeded', 'failed'] as const).map(value => ({ value, label: statusWords(value) }))

/** The answer of the receiver, or why there was none. */
export function Answer({ delivery: { responseStatus, error, status } }: { delivery: Delivery }) {
  if (responseStatus !== null) return <Badge tone={status === 'succeeded' ? 'good' : 'bad'}>{responseStatus}</Badge>
  return <span className="text-faint text-xs">{error ?? (status === 'pending' ? 'not sent yet' : 'none')}</span>
}

const COLUMNS: Column<Delivery>[] = [
  { id: 'event', header: 'Event', card: 'head', cell: delivery => <code className="font-mono text-xs">{delivery.eventType}</code> },
  { id: 'status', header: 'Status', card: 'mark', cell: delivery => <Status status={delivery.status} /> },
  { id: 'answer', header: 'Answer', cell: delivery => <Answer delivery={delivery} /> },
  { id: 'attempt', header: 'Attempt', align: 'right', cell: delivery => delivery.attempt },
  { id: 'took', header: 'Took', align: 'right', from: 'md', card: 'none', cell: delivery => durationWords(delivery.durationMs) },
  {
    id: 'next',
    header: 'Next attempt',
    align: 'right',
    from: 'lg',
    cell: delivery => <Time at={delivery.nextAttemptAt} isReal className="text-faint" />,
  },
  { id: 'when', header: 'When', align: 'right', cell: delivery => <Time at={delivery.createdAt} isReal className="text-faint" /> },
]

export function WebhookScreen() {
  const { webhookId } = useParams({ from: '/shell/developers/webhooks/$webhookId' })
  const { data: endpoint, error, refetch } = useWebhook(webhookId)
  if (error) return <ErrorState page="Webhook" error={error} onRetry={() => void refetch()} />
  if (!endpoint) return <SkeletonLines count={6} />
  return <Shown endpoint={endpoint} />
}

function Shown({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { status, id } = useSearch({ from: '/shell/developers/webhooks/$webhookId' })
  const pages = useDeliveries(endpoint.id, status)
  const look = useDeliveryLooks(endpoint.id)
  return (
    <Page
      title={endpoint.url}
      mark={<WebhookStatus endpoint={endpoint} />}
      description={`${endpoint.description ? `${endpoint.description}. ` : ''}Told of: ${endpoint.events.includes('*') ? 'every kind of event' : endpoint.events.join(', ')}.`}
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
            <EmptyState icon={CodeIcon} title={status ? 'No delivery fits' : 'Nothing was delivered yet'}>
              {status ? 'Clear the filter to see the others.' : 'Send a test event to see how your service takes it.'}
            </EmptyState>
          }
        />
      </Card>
      <DeliverySheet endpoint={endpoint} id={id} status={status} onSent={look} />
    </Page>
  )
}
