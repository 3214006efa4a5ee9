import type { Tx } from '../../db/client.ts'
import { DAY_MS } from '../../lib/time.ts'
import { refundCredit } from '../credits/credits.ts'
import { markRefunded } from './queries.ts'

export { own as ownPeople, ownExported, severPurchases } from './queries.ts'

const REFUND_MS = 30 * DAY_MS

/**
 * An address that was sold as verified and bounced hard in our own sends within 30 days is paid back, once. Called by
 * whoever records the bounce, in the same transaction. True when a credit went back.
 */
export async function refundBouncedLead(tx: Tx, workspaceId: string, email: string, now: Date): Promise<boolean> {
  const bought = await markRefunded(tx, workspaceId, email, now, new Date(now.getTime() - REFUND_MS))
  return bought !== undefined && refundCredit(tx, workspaceId, bought.operationId, `person ${bought.personId}`, now)
}
