import type { Db, Tx } from '../../db/client.ts'
import { HOUR_MS } from '../../lib/time.ts'
import { namesSender } from '../../mail/transport/refusal.ts'
import { countRefusingDomains, markRefusedByPolicy } from './refusal-queries.ts'

// A server that refuses a message by a rule of its own speaks for one recipient. Several of them speak about the sender.

/** When this many different domains refuse a mailbox by policy, the mailbox is the problem. */
const DOMAINS_BEFORE_FAULT = 3
const LOOK_BACK_MS = 24 * HOUR_MS

/** Why the mailbox is the problem, or null while only a few recipients refuse it. */
export async function findSenderFault(db: Db, mailboxId: string, diagnostic: string, now: Date): Promise<string | null> {
  const count = await countRefusingDomains(db, mailboxId, new Date(now.getTime() - LOOK_BACK_MS))
  if (count < DOMAINS_BEFORE_FAULT) return null
  return `The servers of ${count} different domains refuse mail from this mailbox: ${diagnostic || 'no reason given'}`
}

/** A report says that a rule refused a message. Why the mailbox is the problem, or null when the recipient is. */
export async function judgeReportedRefusal(
  tx: Tx,
  mailboxId: string,
  sendId: string,
  report: { status: string | null; diagnostic: string },
  now: Date,
): Promise<string | null> {
  const { status, diagnostic } = report
  await markRefusedByPolicy(tx, sendId)
  if (namesSender({ status, text: diagnostic })) {
    return `A recipient's server refuses mail from this mailbox: ${diagnostic || status || 'no reason given'}`
  }
  return findSenderFault(tx, mailboxId, diagnostic || (status ?? ''), now)
}
