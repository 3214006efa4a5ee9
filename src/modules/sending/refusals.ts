import type { Context } from '../../context/context.ts'
import type { Db, Tx } from '../../db/client.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import { storableText } from '../../lib/storable-text.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/time.ts'
import { namesLimit, namesSender } from '../../mail/transport/refusal.ts'
import type { SmtpAnswer } from '../../mail/transport/smtp-dialogue.ts'
import { scheduleFor } from '../../scheduling/window.ts'
import { startOfDay } from '../../scheduling/zone.ts'
import { refundBouncedLead } from '../credits/credits.ts'
import { changeLead, holdLeads, isOpen, recordLeadEvent, stopSamePerson } from '../leads/leads.ts'
import type { LeadRow } from '../leads/queries.ts'
import { countBounce, postponeLead } from '../leads/queue-queries.ts'
import type { LeadStatus } from '../leads/schema.ts'
import { saveContentRefusals } from '../mailboxes/queries.ts'
import { suppress } from '../suppressions/suppressions.ts'
import { findSendingCampaign } from './claim-queries.ts'
import type { Judged } from './outcomes.ts'
import { countMailboxRefusal, countRefusingDomains, findStandings, markRefusedByPolicy } from './queries.ts'

// When one server refuses a message by its own rule, the recipient is the reason. When several do, our mailbox is.

/** When this many different domains refuse a mailbox by policy, the mailbox is the problem. */
const DOMAINS_BEFORE_FAULT = 3
const LOOK_BACK_MS = 24 * HOUR_MS

/** After this many refusals of the mailbox at one recipient, while others are accepted, the recipient counts as the reason. */
const REFUSALS_ALONE = 3
/** When this many messages in a row are refused because of their text, the text is the problem, not the recipients. */
const CONTENT_REFUSALS = 3
/** This many are enough when one of them had its last try, because nothing was accepted during all its tries. */
const CONTENT_REFUSALS_AT_LAST = 2
const LATELY_MS = 10 * MINUTE_MS

/**
 * Judges an answer together with the earlier answers that any worker got. An answer about the mailbox that comes again and again for one
 * recipient, while others are accepted, is about that recipient: otherwise one address could make the mailbox rest, and finally
 * disconnect it.
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
  // A permanent refusal needs a better proof: other messages that were accepted after it.
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
 * The same for refusals because of the text: several in a row mean that the text is the problem. They are counted when the outcomes are
 * recorded, with all mailboxes of these messages locked (`counts`), so that an accepted message of any worker ends the row. A message
 * whose outcome was stored before is not counted again; the stored outcome is used.
 */
export async function weighTexts<T extends Delivered>(tx: Tx, workerId: number, delivered: T[], counts: Map<string, number>): Promise<T[]> {
  const refusing = new Set(delivered.filter(({ judged }) => judged.ifOfText).map(({ mailbox }) => mailbox.id))
  const ids = delivered.map(({ id }) => id)
  const stored = await findStandings(tx, workerId, ids)
  const weighed = delivered.map(send => {
    const { id, mailbox } = send
    const { status, isStored, isRefused } = stored.get(id) ?? NEVER_SEEN
    const judged = (stored.has(id) && !isStored && !isRefused && send.judged.ifFirstOfText) || send.judged
    // Its worker seemed to be dead and the message was given back, but it has left.
    const isNew = !isStored || (status === 'queued' && judged.outcome.kind === 'sent')
    if (isNew && judged.outcome.kind === 'sent' && refusing.has(mailbox.id)) counts.set(mailbox.id, 0)
    if (!judged.ifOfText) return send
    // A message that was meanwhile found to be sent tells nothing about the text.
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

/** Why the mailbox is the problem; null while only a few recipients refuse it. */
export async function findSenderFault(db: Db, mailboxId: string, diagnostic: string, now: Date): Promise<string | null> {
  const count = await countRefusingDomains(db, mailboxId, new Date(now.getTime() - LOOK_BACK_MS))
  if (count < DOMAINS_BEFORE_FAULT) return null
  return `The servers of ${count} different domains refuse mail from this mailbox: ${diagnostic || 'no reason given'}`
}

/** Records a report that a rule refused a message. Returns why the mailbox is the problem; null when the recipient is. */
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

interface BounceReport {
  /** `hard`: the address is dead. `soft`: it may work later. `sender_fault`: the mailbox we send from is the problem. */
  type: 'hard' | 'soft' | 'sender_fault'
  status: string | null
  diagnostic: string
  sendId: string | null
  step: number | null
  /** The message will not be tried again, so the lead is done even when the address may work later. */
  isFinal: boolean
}

const canBounce = (status: LeadStatus): boolean => isOpen(status) || status === 'sequence_completed'

/** Records that a message bounced, or that the mail server refused it permanently. The lead must be locked. A dead address gets no further messages. */
export async function recordBounce(tx: Tx, secrets: SecretBox, lead: LeadRow, report: BounceReport, now: Date): Promise<void> {
  const { type: kind, status, diagnostic, sendId, step } = report
  const stops = (kind === 'hard' || report.isFinal) && canBounce(lead.status)
  await countBounce(tx, lead.id, stops)
  const data = { sendId, step, kind, status, diagnostic: storableText(diagnostic, 500), first: stops }
  recordLeadEvent(tx, 'email.bounced', lead, data, now)
  if (kind === 'hard') {
    await suppress(tx, secrets, lead.workspaceId, { kind: 'email', value: lead.email, reason: 'bounced' }, now)
    // If the address was sold as verified, its price is refunded, once.
    await refundBouncedLead(tx, lead.workspaceId, lead.email, now)
  }
  if (stops) await changeLead(tx, lead, { status: 'bounced', by: 'bounce' }, now)
  if (kind === 'hard') await stopSamePerson(tx, lead, 'bounce', now)
}

const NOON_MS = DAY_MS / 2

/** Moves the next step to the day after the person is back, in the time zone of the window. Null when no step was due before that. */
export async function postponeForAbsence(
  tx: Tx,
  lead: { id: string; workspaceId: string; campaignId: string; timezone: string | null },
  returnDate: string,
  now: Date,
): Promise<Date | null> {
  const campaign = await findSendingCampaign(tx, lead.campaignId)
  const dayAfter = new Date(Date.parse(`${returnDate}T00:00:00Z`) + DAY_MS + NOON_MS)
  if (Number.isNaN(dayAfter.getTime())) return null
  const until = startOfDay(campaign ? scheduleFor(campaign, lead.timezone).timezone : 'UTC', dayAfter)
  const moved = await postponeLead(tx, lead.id, until)
  if (!moved) return null
  const { workspaceId, campaignId } = lead
  const hold = { leadId: lead.id, workspaceId, campaignId, step: moved.nextStep }
  await holdLeads(tx, [{ ...hold, reason: 'recipient_away', nextAttemptAt: moved.dueAt, detail: { returnDate } }], now)
  return moved.dueAt
}
