import type { HasLink } from '../../context/context.ts'
import type { Tx } from '../../db/sql.ts'
import { AppError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { pick } from '../../lib/pick.ts'
import { DAY_MS } from '../../lib/time.ts'
import type { Account, AccountRow, EntryKind, EntryRow } from './queries.ts'
import * as queries from './queries.ts'

/** From which account to which each kind of entry moves its amount. */
const MOVES: Record<EntryKind, { debit: Account; credit: Account }> = {
  grant: { debit: 'issued', credit: 'available' },
  hold: { debit: 'available', credit: 'held' },
  release: { debit: 'held', credit: 'available' },
  capture: { debit: 'available', credit: 'spent' },
  refund: { debit: 'spent', credit: 'available' },
}

interface Movement {
  id?: string
  workspaceId: string
  operationId?: string
  amount: number
  note?: string | null
  /** Prevents a second entry of the same kind for the same thing. */
  subject?: string
}

async function post(tx: Tx, kind: EntryKind, movement: Movement, now: Date): Promise<boolean> {
  if (movement.amount === 0) return false
  return queries.postEntry(tx, {
    id: newId(),
    kind,
    ...MOVES[kind],
    operationId: null,
    subject: '',
    note: null,
    ...movement,
    createdAt: now,
  })
}

/** Creates credits and returns the entry; an amount of 0 creates none. */
export async function grantCredits(tx: Tx, workspaceId: string, amount: number, now: Date, note: string | null = null) {
  const id = newId()
  return (await post(tx, 'grant', { id, workspaceId, amount, note }, now)) ? queries.findEntry(tx, workspaceId, id) : undefined
}

/** Reserves credits for an operation. `settleHold` returns them, whatever the outcome. */
export async function holdCredits(tx: Tx, workspaceId: string, operationId: string, amount: number, now: Date): Promise<void> {
  const { available } = await queries.lockAccount(tx, workspaceId)
  if (available < amount) {
    throw new AppError(
      'insufficient_credits',
      `This needs ${amount} credits, and ${available} are available. Order fewer leads or add credits.`,
      { required: amount, available },
    )
  }
  await post(tx, 'hold', { workspaceId, operationId, amount }, now)
}

/** Ends a hold: all of it is returned, and the delivered leads are charged. Happens once per operation, even when it is repeated. */
export async function settleHold(
  tx: Tx,
  workspaceId: string,
  operationId: string,
  { held, charged }: { held: number; charged: number },
  now: Date,
): Promise<void> {
  if (charged > held) throw new Error(`an operation that holds ${held} credits cannot be charged ${charged}`)
  await queries.lockAccount(tx, workspaceId)
  const isFirst = await post(tx, 'release', { workspaceId, operationId, amount: held }, now)
  if (isFirst) await post(tx, 'capture', { workspaceId, operationId, amount: charged }, now)
}

/** Refunds one credit for a lead that was not as sold. The subject prevents a second refund. */
export const refundCredit = (tx: Tx, workspaceId: string, operationId: string, subject: string, now: Date): Promise<boolean> =>
  post(tx, 'refund', { workspaceId, operationId, amount: 1, subject }, now)

export const presentAccount = (account: AccountRow) => ({
  balance: account.available + account.held,
  held: account.held,
  available: account.available,
})

/** The sign shows the effect on the available credits, so that the ledger adds up to them. */
export const presentEntry = (entry: EntryRow, ctx: HasLink) => ({
  ...pick(entry, 'id', 'kind', 'operationId', 'note', 'createdAt'),
  amount: entry.credit === 'available' ? entry.amount : -entry.amount,
  links: { self: ctx.link(`/v1/workspaces/${entry.workspaceId}/credits/ledger/${entry.id}`) },
})

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
  const bought = await queries.findRefundable(tx, workspaceId, email, since)
  if (!bought) return false
  // The sums cannot change until the end of the transaction.
  await queries.lockAccount(tx, workspaceId)
  const operation = await queries.sumOfOperation(tx, workspaceId, bought.operationId)
  const workspace = await queries.sumSince(tx, workspaceId, since)
  if (operation.refunded >= mostRefunds(operation.captured, LEAST_PER_OPERATION)) return false
  if (workspace.refunded >= mostRefunds(workspace.captured, LEAST_PER_WORKSPACE)) return false
  if (!(await queries.markRefunded(tx, workspaceId, bought.emailHash, now))) return false
  return refundCredit(tx, workspaceId, bought.operationId, `person ${bought.personId}`, now)
}
