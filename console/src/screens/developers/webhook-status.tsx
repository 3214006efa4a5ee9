import type { WebhookEndpoint } from '@overture/sdk'
import { Badge, Status } from '@/ui/badge.tsx'

const WHY = { gone: 'Stopped: it answered 410', failing: 'Stopped: it failed for five days' }

export function WebhookStatus({ endpoint: { status, disabledReason } }: { endpoint: WebhookEndpoint }) {
  return disabledReason ? <Badge tone="bad">{WHY[disabledReason]}</Badge> : <Status status={status} />
}
