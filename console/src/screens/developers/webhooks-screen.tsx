import type { WebhookEndpoint } from '@overture/sdk'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { Badge } from '@/ui/badge.tsx'
import { Button } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { type Column, DataTable } from '@/ui/data-table.tsx'
import { SecretDialog } from '@/ui/dialog.tsx'
import { formatNoun } from '@/ui/format.ts'
import { CodeIcon, PlusIcon } from '@/ui/icons.tsx'
import { EmptyState } from '@/ui/states.tsx'
import { Time } from '@/ui/time.tsx'
import { useWebhooks } from './data.ts'
import { Page, WebhookStatus } from './page.tsx'
import { WebhookForm } from './webhook-form.tsx'

const COLUMNS: Column<WebhookEndpoint>[] = [
  {
    id: 'url',
    header: 'Endpoint',
    card: 'head',
    className: 'max-w-md',
    cell: endpoint => (
      <>
        <span className="block truncate">{endpoint.url}</span>
        {endpoint.description ? <span className="block truncate font-normal text-faint text-xs">{endpoint.description}</span> : null}
      </>
    ),
  },
  { id: 'status', header: 'Status', card: 'mark', cell: endpoint => <WebhookStatus endpoint={endpoint} /> },
  {
    id: 'events',
    header: 'Events',
    from: 'md',
    cell: ({ events }) => <Badge>{events.includes('*') ? 'All events' : formatNoun(events.length, 'event type')}</Badge>,
  },
  { id: 'when', header: 'Updated', align: 'right', cell: endpoint => <Time at={endpoint.updatedAt} className="text-faint" /> },
]

export function WebhooksScreen() {
  const { new: isNew } = useSearch({ from: '/shell/developers/webhooks' })
  const { may } = useWorkspace()
  const navigate = useNavigate()
  const pages = useWebhooks()
  const [issued, setIssued] = useState<{ id: string; secret: string } | null>(null)
  const setNew = (isOpen: boolean) => void navigate({ to: '/developers/webhooks', search: isOpen ? { new: '1' } : {}, replace: !isOpen })
  const create = may('webhooks:write') ? (
    <Button variant="primary" icon={PlusIcon} onClick={() => setNew(true)}>
      Create endpoint
    </Button>
  ) : null
  return (
    <Page
      title="Webhooks"
      description="Signed events sent to your service. Overture retries failed deliveries for up to three days, and you can replay events."
      scope="webhooks:read"
      call={overture => overture.webhooks.list()}
      actions={create}
    >
      <Card isFlush>
        <DataTable
          label="Endpoints"
          columns={COLUMNS}
          pages={pages}
          rowLink={endpoint => ({ to: '/developers/webhooks/$webhookId', params: { webhookId: endpoint.id } })}
          empty={
            <EmptyState icon={CodeIcon} title="No endpoints yet" actions={create}>
              An endpoint is a URL of your service that receives events as they happen.
            </EmptyState>
          }
        />
      </Card>
      {isNew && may('webhooks:write') ? (
        <WebhookForm
          onClose={() => setNew(false)}
          onCreated={({ id, secret }) => {
            setNew(false)
            if (secret) setIssued({ id, secret })
          }}
        />
      ) : null}
      {issued ? (
        <SecretDialog
          title="Endpoint secret"
          secret={issued.secret}
          about="Overture signs every request with this secret, following Standard Webhooks. Verify requests with verifyWebhook from @overture/sdk."
          onClose={() => {
            setIssued(null)
            void navigate({ to: '/developers/webhooks/$webhookId', params: { webhookId: issued.id } })
          }}
        />
      ) : null}
    </Page>
  )
}
