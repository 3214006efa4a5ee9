import type { Context } from '../../context/context.ts'
import type { Tx } from '../../db/client.ts'
import { lockContentRefusals, noteMailboxWorks } from '../mailboxes/connection.ts'
import type { DeliveredSend } from './deliver.ts'
import { scheduleOf } from './planning.ts'
import { markOwnCopies } from './reconcile-queries.ts'
import { type Result, recordResults } from './record.ts'
import { noteOthersAccepted } from './refusal-queries.ts'
import { weighTexts } from './refusals.ts'
import type { SandboxMail } from './sandbox-mail.ts'
import { keepsOwnCopies } from './sent-copies.ts'

// The fourth step: stores the outcomes of messages and their effects on the mailboxes in one transaction.

/** Whether Overture stores the copy of the message in the Sent folder. */
export const hasOwnCopy = ({ mailbox, judged }: DeliveredSend): boolean => judged.outcome.kind === 'sent' && keepsOwnCopies(mailbox)

const isAccepted = ({ mailbox, judged }: DeliveredSend): boolean => mailbox.kind !== 'sandbox' && judged.outcome.kind === 'sent'

const mailboxesOf = (sends: DeliveredSend[]): string[] => [...new Set(sends.map(({ mailbox }) => mailbox.id))]

/**
 * Stores the outcomes, and returns the messages with their outcomes as judged with the earlier ones. When the answer to a commit is
 * lost, the same outcomes come again: those that are stored already have no second effect.
 */
export async function storeOutcomes(
  ctx: Pick<Context, 'secrets'>,
  tx: Tx,
  sandbox: SandboxMail,
  workerId: number,
  delivered: DeliveredSend[],
  now: Date,
): Promise<DeliveredSend[]> {
  const mailboxIds = mailboxesOf(delivered)
  const isAnyOfText = delivered.some(({ judged }) => judged.ifOfText)
  const isAnyGivenBack = delivered.some(({ judged }) => judged.outcome.kind === 'retry')
  // Several mailboxes are changed one after another below. Two workers that do so in different orders would wait for each other, so all are
  // locked in one order first. Otherwise none is locked before it must be, because a mailbox that is locked does not send.
  const mustLock = isAnyOfText || (isAnyGivenBack && mailboxIds.length > 1)
  const refusals = mustLock ? await lockContentRefusals(tx, mailboxIds) : null
  const weighed = isAnyOfText && refusals ? await weighTexts(tx, workerId, delivered, refusals) : delivered
  const results = weighed.map(send => ({ message: toMessage(send), outcome: send.judged.outcome }) as Result)
  const recorded = await recordResults(ctx, tx, workerId, results, now)
  const news = delivered.filter(send => recorded.has(send.id))
  const sandboxed = news.flatMap(send => (send.reactions ? [{ send, composed: send.composed, reactions: send.reactions }] : []))
  if (sandboxed.length > 0) await sandbox.store(tx, sandboxed, now)
  const working = mailboxesOf(news.filter(({ judged }) => judged.mailbox === 'works'))
  const accepting = mailboxesOf(news.filter(isAccepted))
  const clean = accepting.filter(id => !delivered.some(send => send.mailbox.id === id && send.judged.ifOfText))
  if (working.length > 0) await noteMailboxWorks(tx, working, clean)
  const copied = delivered.filter(hasOwnCopy).map(send => send.id)
  if (copied.length > 0) await markOwnCopies(tx, copied)
  // Last: a claim holds the mailbox before its messages, and this would hold messages before the mailbox.
  const together = delivered.map(({ id }) => id)
  if (accepting.length > 0) await noteOthersAccepted(tx, accepting, together)
  return weighed
}

function toMessage(send: DeliveredSend): Result['message'] {
  const { id, workspaceId, campaignId, leadId, messageId, composed } = send
  const { subject, threadSubject, startsThread } = composed
  const ids = { id, workspaceId, campaignId, leadId, providerId: send.mailbox.id, messageId }
  if (send.kind === 'answer') return { kind: 'answer', ...ids, subject }
  const { step, variantId, steps } = send
  return { kind: 'step', ...ids, step, variantId, steps, subject, threadSubject, startsThread, schedule: scheduleOf(send.campaign) }
}
