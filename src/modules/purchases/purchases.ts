import type { Tx } from '../../db/client.ts'
import { DAY_MS } from '../../lib/time.ts'
import { lockTurnover, refundCredit } from '../credits/credits.ts'
import { findRefundable, markRefunded } from './queries.ts'

export { own as ownPeople, ownExported, severPurchases } from './queries.ts'

const REFUND_MS = 30 * DAY_MS

/**
 * How many bought credits can be refunded. The owner of a mailbox can fake a bounce, so refunds are limited:
 * three in ten of an operation, and of everything within 30 days. Small orders get a few more, but only a few per
 * workspace.
 */
const REFUND_SHARE = 0.3
const LEAST_PER_OPERATION = 2
const LEAST_PER_WORKSPACE = 5

const mostRefunds = (bought: number, least: number): number => Math.max(least, Math.floor(bought * REFUND_SHARE))

/**
 * An address that was sold as verified and bounced hard in our own sends within 30 days is paid back, once. Called by
 * the code that saw the bounce, in the transaction that records it. True when a credit was refunded.
 */
export async function refundBouncedLead(tx: Tx, workspaceId: string, email: string, now: Date): Promise<boolean> {
  const since = new Date(now.getTime() - REFUND_MS)
  const bought = await findRefundable(tx, workspaceId, email, since)
  if (!bought) return false
  const { operation, workspace } = await lockTurnover(tx, workspaceId, bought.operationId, since)
  if (operation.refunded >= mostRefunds(operation.captured, LEAST_PER_OPERATION)) return false
  if (workspace.refunded >= mostRefunds(workspace.captured, LEAST_PER_WORKSPACE)) return false
  if (!(await markRefunded(tx, workspaceId, bought.emailHash, now))) return false
  return refundCredit(tx, workspaceId, bought.operationId, `person ${bought.personId}`, now)
}
