import type { Overture, Provider } from '@overture/sdk'
import { ownZone } from '@/ui/format.ts'

/** A sandbox with which everything can be tried: it has a sender, an address for the footer, and limits like a real one. */
export const createSandbox = (api: Overture, { idempotencyKey }: { idempotencyKey: string }): Promise<Provider> =>
  api.providers.create(
    {
      ...{ kind: 'sandbox', name: 'Sandbox', fromName: 'Ada', fromEmail: 'ada@sandbox.example', dailyCap: 200, minGapSeconds: 60 },
      ...{ postalAddress: '1 Example Street, 10115 Berlin', timezone: ownZone() },
    },
    { idempotencyKey },
  )
