import type { Context } from '../../context/context.ts'
import type { Db, Tx } from '../../db/client.ts'
import { HOUR_MS, MINUTE_MS } from '../../lib/time.ts'
import { namesLimit, namesSender } from '../../mail/transport/refusal.ts'
import type { SmtpAnswer } from '../../mail/transport/smtp-answers.ts'
import { saveContentRefusals } from '../mailboxes/connection.ts'
import type { Judged } from './outcomes.ts'
import { countMailboxRefusal, countRefusingDomains, findStandings, markRefusedByPolicy } from './refusal-queries.ts'

// A server that refuses a message by a rule of its own speaks for one recipient. Several of them speak about the sender.

/** When this many different domains refuse a mailbox by policy, the mailbox is the problem. */
const DOMAINS_BEFORE_FAULT = 3
const LOOK_BACK_MS = 24 * HOUR_MS

/** So often the mailbox is refused at a recipient, while others are accepted, before that is taken for the recipient's own. */
const REFUSALS_ALONE = 3
/** So many messages in a row that are refused for what they say mean that the text is the problem, and not its readers. */
const CONTENT_REFUSALS = 3
/** So many are enough where one of them has been tried for the last time: nothing was accepted all the while. */
const CONTENT_REFUSALS_AT_LAST = 2
const LATELY_MS = 10 * MINUTE_MS

/**
 * What an answer means in the light of those before it, given to any worker. An answer that speaks of the mailbox, given to one recipient
 * again and again while others are accepted, is about that recipient after all: otherwise one address would keep the mailbox resting, and
 * in the end disconnect it.
 */
export async function weighAnswer(
  ctx: Pick<Context, 'db' | 'clock'>,
  send: { id: string; mailboxId: string },
  answer: SmtpAnswer,
): Promise<SmtpAnswer> {
  if (answer.kind !== 'rejected' || answer.scope !== 'mailbox' || answer.stage === 'mail_from') return answer
  if (answer.permanent && namesLimit({ text: answer.response })) return answer
  const since = new Date(ctx.clock.now().getTime() - LATELY_MS)
  const { count, othersAccepted, acceptedLately } = await countMailboxRefusal(ctx.db, send, since)
  // A refusal for good needs the better proof: others that were accepted after it.
  const areOthersAccepted = answer.permanent ? othersAccepted : othersAccepted || acceptedLately
  return areOthersAccepted && count >= REFUSALS_ALONE ? { ...answer, scope: 'recipient' } : answer
}

interface Delivered {
  id: string
  mailbox: { id: string }
  judged: Judged
}

const NEVER_SEEN = { status: '', isStored: false, isRefused: false }

/**
 * The same for refusals of what is written: several in a row are about the text. They are counted where the outcomes are recorded, with
 * all mailboxes of these messages locked (`counts`), so that one that was accepted ends the row whichever worker has sent it. A message
 * whose outcome was stored before is not counted again: what was stored says how it was taken then.
 */
export async function weighTexts<T extends Delivered>(tx: Tx, workerId: number, delivered: T[], counts: Map<string, number>): Promise<T[]> {
  const refusing = new Set(delivered.filter(({ judged }) => judged.ifOfText).map(({ mailbox }) => mailbox.id))
  const ids = delivered.map(({ id }) => id)
  const stored = await findStandings(tx, workerId, ids)
  const weighed = delivered.map(send => {
    const { id, mailbox } = send
    const { status, isStored, isRefused } = stored.get(id) ?? NEVER_SEEN
    const judged = (stored.has(id) && !isStored && !isRefused && send.judged.ifFirstOfText) || send.judged
    // One that was given back, because its worker seemed to be dead, has left after all.
    const isNew = !isStored || (status === 'queued' && judged.outcome.kind === 'sent')
    if (isNew && judged.outcome.kind === 'sent' && refusing.has(mailbox.id)) counts.set(mailbox.id, 0)
    if (!judged.ifOfText) return send
    // One that has been found to be sent meanwhile says nothing about the text.
    if (status === 'sent' || status === 'failed') return send
    // A message that is tried again is still one recipient.
    const count = (counts.get(mailbox.id) ?? 0) + (isNew && !isRefused ? 1 : 0)
    counts.set(mailbox.id, count)
    const most = judged.outcome.kind === 'refused' ? CONTENT_REFUSALS_AT_LAST : CONTENT_REFUSALS
    return { ...send, judged: count >= most ? judged.ifOfText : judged }
  })
  await saveContentRefusals(tx, counts)
  return weighed
}

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
