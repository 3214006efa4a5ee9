import type { HasSecrets } from '../../context/context.ts'
import type { Tx } from '../../db/sql.ts'
import type { CostRequest } from '../../http/access.ts'
import { AppError, existing, wrongState } from '../../lib/errors.ts'
import { checkAddress, oneLine, replySubject } from '../../mail/compose/mime.ts'
import { lockLead } from '../leads/queries.ts'
import { queueAnswer } from '../sending/answers.ts'
import { wasSuppressedSince } from '../suppressions/suppressions.ts'
import { presentActor } from '../tokens/tokens.ts'
import { hasRealMailbox } from '../workspaces/queries.ts'
import type { ReplyIds } from './inbox-queries.ts'
import { threadSubject } from './matching.ts'
import { type AnswerableReply, type EarlierAnswer, findAnswerable, findAnsweringMailbox, findEarlierAnswer } from './queries.ts'
import type { NewAnswer } from './schema.ts'

/**
 * Stores a person's answer to a reply, in the transaction of its operation: from the mailbox of the thread, to the writer of the reply
 * (or to the reply-to address). The sender claims it from there.
 */
export async function answerReply(ctx: HasSecrets, tx: Tx, ids: ReplyIds & { operationId: string }, body: NewAnswer, now: Date) {
  const { workspaceId, replyId, operationId } = ids
  const found = existing(await findAnswerable(tx, workspaceId, replyId), 'reply')
  const lead = found.leadId && found.campaignId ? await lockLead(tx, workspaceId, found.campaignId, found.leadId) : undefined
  if (!lead) throw refusal('lead_removed', 'The lead who wrote this reply was removed, so the reply cannot be answered.')
  // Read again under the lock of the lead, which recording a message and suppressing an address also take.
  const reply = (await findAnswerable(tx, workspaceId, replyId))!
  const { providerId, fromEmail } = reply
  if (!providerId || !fromEmail)
    throw refusal('no_mailbox', 'The mailbox of this thread was removed, and no other mailbox can continue it.')
  const elsewhere = otherAddressOf(reply)
  const toAddress = addressOf(recipientOf(reply))
  // A reply overrides an earlier suppression of its writer, but not of other people.
  const isBarred = (address: string, since: Date) => wasSuppressedSince(tx, ctx.secrets, workspaceId, address, since)
  const isSuppressed =
    reply.optedOutSince ||
    (await isBarred(reply.fromAddress ?? toAddress, reply.receivedAt)) ||
    (elsewhere !== null && (await isBarred(toAddress, new Date(0))))
  if (isSuppressed) throw refusal('suppressed', 'This person opted out or was suppressed after this reply. Answer a later reply instead.')
  const earlier = body.again ? undefined : await findEarlierAnswer(tx, workspaceId, lead.id, replyId)
  if (earlier) throw alreadyAnswered(earlier)
  const { text, html, subject } = contentOf(body, reply)
  const thread = threadOf(reply)
  const of = { workspaceId, campaignId: lead.campaignId, leadId: lead.id, operationId, replyId, providerId, fromEmail }
  await queueAnswer(ctx, tx, { ...of, toAddress, writtenAt: reply.receivedAt, ...thread, subject, text, html }, now)
}

/** An answer is one message, from the mailbox that the reply came to. */
export async function answerCost(tx: Tx, { params: { workspaceId, replyId } }: CostRequest<ReplyIds, unknown>) {
  const mailbox = await findAnsweringMailbox(tx, workspaceId, replyId)
  return { mails: 1, isReal: mailbox !== undefined && (await hasRealMailbox(tx, workspaceId, [mailbox])) }
}

const refusal = (currentStatus: string, message: string): AppError => wrongState(message, currentStatus, 'answerable')

/** Two people who read the same reply must not both answer it unknowingly. */
function alreadyAnswered({ author, at }: EarlierAnswer): AppError {
  const answeredBy = author && presentActor(author)
  const message = `${answeredBy ? `${answeredBy.name} already answered this reply` : 'This reply was already answered'}. To send another answer, set \`again\` to true.`
  const state = { currentStatus: 'answered', allowedStatuses: ['answerable'] }
  return new AppError('invalid_state', message, { ...state, answeredBy, answeredAt: at.toISOString() })
}

/** The address for answers. An answer to our own mailbox would reach no one. */
const otherAddressOf = ({ replyTo, fromEmail }: AnswerableReply): string | null =>
  replyTo?.toLowerCase() === fromEmail?.toLowerCase() ? null : replyTo

/** The recipient of an answer to the reply; null if the reply has no sender address. */
export const recipientOf = (reply: AnswerableReply): string | null => otherAddressOf(reply) ?? reply.fromAddress

function addressOf(address: string | null): string {
  try {
    return checkAddress(address ?? '', 'To')
  } catch {
    throw refusal('no_address', 'The sender address of this reply cannot receive mail.')
  }
}

/** RFC 5322, 3.6.4: the references of the reply, and the reply itself. For a reply without an id, the message that it answered. */
function threadOf({ messageId, referenceIds, sentMessageId }: AnswerableReply): { inReplyTo: string | null; referenceIds: string[] } {
  const before = referenceIds.length > 0 || sentMessageId === null ? referenceIds : [sentMessageId]
  if (messageId === null) return { inReplyTo: before.at(-1) ?? null, referenceIds: before }
  return { inReplyTo: messageId, referenceIds: [...before.filter(id => id !== messageId), messageId] }
}

function contentOf(body: NewAnswer, reply: AnswerableReply): { text: string; html: string | null; subject: string } {
  const own = oneLine(body.subject ?? '')
  return { text: body.text, html: body.html?.trim() ? body.html : null, subject: own || replySubject(threadSubject(reply.subject ?? '')) }
}
