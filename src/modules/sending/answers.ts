import type { Context, HasSecrets } from '../../context/context.ts'
import type { Tx } from '../../db/sql.ts'
import { domainOf } from '../../lib/email.ts'
import { newId } from '../../lib/ids.ts'
import { DAY_MS, MINUTE_MS } from '../../lib/time.ts'
import { composeAnswer } from '../../mail/compose/compose.ts'
import { messageIdFor } from '../../mail/compose/mime.ts'
import type { MailboxMeter } from '../../scheduling/capacity.ts'
import { recordEvent } from '../events/events.ts'
import { lockLead } from '../leads/queries.ts'
import { continueThread, type LockedLead, lockLeads } from '../leads/queue-queries.ts'
import { listMailboxes, lockConnectedMailboxes, type SendingMailbox, saveLoads } from '../mailboxes/queries.ts'
import { hashAddress } from '../suppressions/suppressions.ts'
import type { AnswerHold, AnswerThread, ClaimedAnswer, DueAnswer, NewAnswer } from './answer-queries.ts'
import * as answerQueries from './answer-queries.ts'
import { releaseClaims } from './claim.ts'
import { type Outcome, recordBounce } from './outcomes.ts'
import { meterOf } from './planner-input.ts'
import type { Message } from './queries.ts'
import type { RenderedSend } from './render.ts'

// A person's answer to a reply. It takes the same steps as every message, from the claim to the record. But because a person
// decided to send it, it does not wait for the window, the gap or the state of the campaign.

type AskedAnswer = Omit<NewAnswer, 'sendId' | 'messageId' | 'emailHash' | 'domainHash' | 'domain'> & { fromEmail: string }

/** Stores an answer, which is sent as soon as a worker is free. */
export async function queueAnswer(ctx: HasSecrets, tx: Tx, asked: AskedAnswer, now: Date): Promise<void> {
  const { fromEmail, ...answer } = asked
  const hashes = hashAddress(ctx.secrets, asked.toAddress)
  const sendId = newId(now.getTime())
  const messageId = messageIdFor(sendId, domainOf(fromEmail), id => ctx.secrets.sign('message-id', id))
  const ids = { sendId, messageId, emailHash: hashes.email, domainHash: hashes.domain, domain: domainOf(asked.toAddress) }
  await answerQueries.insertAnswer(tx, { ...answer, ...ids }, now)
  tx.wake('sends')
}

/** After this time, the answer is given up: it would come too late. */
const GIVE_UP_MS = 3 * DAY_MS
/** A waiting answer is checked this often, because limits can be raised and mailboxes repaired at any time. */
const LOOK_AGAIN_MS = MINUTE_MS

/** Claims answers that are due. Each reserves one message of the mailbox's day; when the day is full, they wait. */
export async function claimAnswers(ctx: Context, workerId: number, limit: number): Promise<ClaimedAnswer[]> {
  const now = ctx.clock.now()
  const due = await answerQueries.listDueAnswers(ctx.db, now, limit)
  if (due.length === 0) return []
  const mailboxIds = [...new Set(due.map(answer => answer.providerId))]
  return ctx.db.inTransaction(async tx => {
    const known = new Map((await listMailboxes(tx, mailboxIds)).map(mailbox => [mailbox.id, mailbox]))
    const free = new Map((await lockConnectedMailboxes(tx, mailboxIds, now)).map(mailbox => [mailbox.id, mailbox]))
    const meters = new Map([...free].map(([id, mailbox]) => [id, meterOf(mailbox)]))
    const wanted: string[] = []
    const holds: AnswerHold[] = []
    const tooLate: string[] = []
    for (const answer of due) {
      const { sendId, providerId } = answer
      const meter = meters.get(providerId)
      const obstacle = meter ? obstacleOf(meter, now) : obstacleAt(known.get(providerId), now)
      if (obstacle === null && meter) {
        meter.reserve(now.getTime(), sendId)
        wanted.push(sendId)
      } else if (isTooLate(answer, now)) tooLate.push(sendId)
      else if (obstacle) holds.push({ id: sendId, dueAt: nextLook(obstacle.until, now), ...obstacle })
    }
    if (tooLate.length > 0) await answerQueries.withdrawAnswers(tx, tooLate, 'waited_too_long')
    if (holds.length > 0) await answerQueries.holdAnswers(tx, holds)
    if (wanted.length === 0) return []
    const claimed = await answerQueries.claimAnswerRows(tx, wanted, workerId, now)
    // It counts against the day, but takes no slot from the campaigns.
    const used = [...new Set(claimed.map(answer => answer.providerId))]
    const loads = used.map(id => ({ id, ...meters.get(id)!.load(), nextSlotAt: free.get(id)!.nextSlotAt }))
    await saveLoads(tx, loads)
    return claimed.map(({ providerId, ...answer }) => ({ ...answer, kind: 'answer' as const, workerId, mailbox: free.get(providerId)! }))
  })
}

type Obstacle = Pick<AnswerHold, 'reason' | 'until'>

const isTooLate = ({ createdAt }: DueAnswer, now: Date): boolean => now.getTime() - createdAt.getTime() > GIVE_UP_MS

function obstacleOf(meter: MailboxMeter, now: Date): Obstacle | null {
  const nowMs = now.getTime()
  if (meter.reservedAt(nowMs) < meter.limitAt(nowMs)) return null
  const at = meter.availableAt(nowMs)
  return { reason: 'mailbox_cap', until: at === null ? null : new Date(at) }
}

/** Why a mailbox that could not be claimed cannot send; null when another worker holds it for a moment. */
function obstacleAt(mailbox: SendingMailbox | undefined, now: Date): Obstacle | null {
  if (!mailbox) return { reason: 'no_mailbox', until: null }
  if (mailbox.status !== 'connected') return { reason: 'mailbox_disconnected', until: null }
  const rest = mailbox.restingUntil
  return rest && rest > now ? { reason: 'mailbox_resting', until: rest } : null
}

function nextLook(until: Date | null, now: Date): Date {
  const soon = now.getTime() + LOOK_AGAIN_MS
  return new Date(until ? Math.min(Math.max(until.getTime(), now.getTime() + 1), soon) : soon)
}

export function writeAnswer(answer: ClaimedAnswer, now: Date): RenderedSend {
  const { mailbox, messageId, inReplyTo, referenceIds, subject, text, html } = answer
  const composed = composeAnswer({
    from: { address: mailbox.fromEmail, name: mailbox.fromName },
    to: { address: answer.toAddress },
    replyTo: mailbox.replyTo ? { address: mailbox.replyTo } : null,
    date: now,
    ...{ messageId, inReplyTo, references: referenceIds, subject, text, html },
  })
  return { composed, links: [] }
}

/** Marks answers as sending, and returns the ids that may be sent. A person who was suppressed or erased since the reply gets no answer. */
export function intendAnswers(ctx: Context, workerId: number, answers: ClaimedAnswer[], lockWaitMs: number): Promise<Set<string>> {
  const now = ctx.clock.now()
  const ids = answers.map(answer => answer.id)
  const leadIds = answers.map(answer => answer.leadId)
  return ctx.db.withLockTimeout(lockWaitMs, async tx => {
    // As for every message, the next statement sees every suppression that has committed by now.
    await lockLeads(tx, leadIds)
    const allowed = await answerQueries.markAnswersSending(tx, workerId, ids, now)
    const stopped = ids.filter(id => !allowed.has(id))
    if (stopped.length === 0) return allowed
    const final = (await answerQueries.findAnswerObstacles(tx, stopped)).filter(obstacle => obstacle.reason !== null)
    for (const { id, reason } of final) await answerQueries.withdrawAnswers(tx, [id], reason!)
    const later = stopped.filter(id => !final.some(obstacle => obstacle.id === id))
    if (later.length > 0) await releaseClaims(tx, workerId, later)
    return allowed
  })
}

interface SentAnswer extends Omit<Message, 'step' | 'variantId'> {
  kind: 'answer'
  subject: string
}

export interface AnswerResult {
  message: SentAnswer
  outcome: Outcome
}

/** Stores the outcome of answers. Their messages are recorded already, and their leads are locked. */
export async function recordAnswers(ctx: HasSecrets, tx: Tx, results: AnswerResult[], leads: Map<string, LockedLead>, now: Date) {
  if (results.length === 0) return
  const ids = results.map(({ message }) => message.id)
  const threads = new Map((await answerQueries.listAnswerThreads(tx, ids)).map(thread => [thread.sendId, thread]))
  for (const { message, outcome } of results) {
    const lead = leads.get(message.leadId)
    const thread = threads.get(message.id)
    if (!lead || !thread) continue
    if (outcome.kind === 'sent') await recordSent(tx, message, lead, thread, now, outcome.reconciled)
    if (outcome.kind === 'retry') {
      await answerQueries.holdAnswers(tx, [{ id: message.id, dueAt: outcome.at, reason: outcome.reason, until: outcome.at }])
    }
    // If a colleague wrote the reply, the bounce is not about the lead.
    if (outcome.kind === 'refused' && isTo(thread, lead)) {
      const whole = await lockLead(tx, message.workspaceId, message.campaignId, message.leadId)
      const { type, status, response: diagnostic } = outcome
      const report = { type, status, diagnostic, sendId: message.id, step: null, isFinal: true }
      if (whole) await recordBounce(tx, ctx.secrets, whole, report, now)
    }
  }
}

const isTo = (thread: AnswerThread, lead: LockedLead): boolean => thread.toAddress.toLowerCase() === lead.email.toLowerCase()

async function recordSent(tx: Tx, message: SentAnswer, lead: LockedLead, thread: AnswerThread, now: Date, reconciled?: string) {
  const { id: sendId, workspaceId, campaignId, leadId, providerId, messageId, subject } = message
  const { replyId, inReplyTo, actorId } = thread
  const ids = { leadId, campaignId, sendId, replyId, providerId, messageId }
  recordEvent(tx, {
    ...{ workspaceId, type: 'email.answered', timestamp: now, campaignId, leadId },
    // An answer to a colleague of the lead is about the colleague: the log, which is searched by lead, does not contain its text.
    data: {
      ...ids,
      email: lead.email,
      subject: isTo(thread, lead) ? subject : null,
      ...(reconciled ? { reconciled } : {}),
      ...(actorId ? { actorId } : {}),
    },
  })
  // Later steps of the sequence continue the thread after the answer.
  if (lead.thread) await continueThread(tx, lead, inReplyTo === null ? [messageId] : [inReplyTo, messageId])
}
