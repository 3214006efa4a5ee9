import type { Context } from '../../context/context.ts'
import type { Db, Tx } from '../../db/client.ts'
import { HOUR_MS, MINUTE_MS } from '../../lib/time.ts'
import { isPolicyRefusal, namesLimit, namesSender } from '../../mail/transport/refusal.ts'
import type { SmtpAnswer } from '../../mail/transport/smtp-answers.ts'
import { clearContentRefusals, countContentRefusal } from '../mailboxes/connection.ts'
import { countMailboxRefusal, countRefusingDomains, markRefusedByPolicy } from './refusal-queries.ts'

// A server that refuses a message by a rule of its own speaks for one recipient. Several of them speak about the sender.

/** When this many different domains refuse a mailbox by policy, the mailbox is the problem. */
const DOMAINS_BEFORE_FAULT = 3
const LOOK_BACK_MS = 24 * HOUR_MS

/** So often the mailbox is refused at a recipient, while others are accepted, before that is taken for the recipient's own. */
const REFUSALS_ALONE = 3
/** So many messages in a row that are refused for what they say mean that the text is the problem, and not its readers. */
const CONTENT_REFUSALS = 3
const LATELY_MS = 10 * MINUTE_MS

type Rejection = SmtpAnswer & { kind: 'rejected' }

/** The mailboxes of which this process has seen messages refused for what they say: only those are cleared by the next that is accepted. */
const contentRefused = (): Set<string> => new Set()

/**
 * What an answer means in the light of those before it, given to any worker. An answer that speaks of the mailbox, given to one recipient
 * again and again while others are accepted, is about that recipient after all: otherwise one address would keep the mailbox resting, and
 * in the end disconnect it. Refusals of what is written, several in a row, are about the text.
 */
export async function weighAnswer(
  ctx: Pick<Context, 'db' | 'clock' | 'part'>,
  send: { id: string; mailboxId: string },
  answer: SmtpAnswer,
): Promise<SmtpAnswer> {
  const refused = ctx.part(contentRefused)
  if (answer.kind === 'accepted' && refused.delete(send.mailboxId)) await clearContentRefusals(ctx.db, send.mailboxId)
  if (answer.kind !== 'rejected') return answer
  if (isOfContent(answer)) {
    refused.add(send.mailboxId)
    const count = await countContentRefusal(ctx.db, send.mailboxId)
    return count >= CONTENT_REFUSALS ? { ...answer, isOfContent: true } : answer
  }
  if (answer.scope !== 'mailbox' || answer.stage === 'mail_from') return answer
  if (answer.permanent && namesLimit({ text: answer.response })) return answer
  const since = new Date(ctx.clock.now().getTime() - LATELY_MS)
  const { count, othersAccepted, acceptedLately } = await countMailboxRefusal(ctx.db, send, since)
  // A refusal for good needs the better proof: others that were accepted after it.
  const areOthersAccepted = answer.permanent ? othersAccepted : othersAccepted || acceptedLately
  return areOthersAccepted && count >= REFUSALS_ALONE ? { ...answer, scope: 'recipient' } : answer
}

const isOfContent = ({ stage, permanent, scope, code, enhanced }: Rejection): boolean =>
  stage === 'message' && permanent && scope === 'recipient' && isPolicyRefusal(code, enhanced)

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
