import type { Context } from '../../context/context.ts'
import type { Db, Tx } from '../../db/sql.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import { storableText } from '../../lib/storable-text.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/time.ts'
import { isPolicyRefusal, namesLimit } from '../../mail/transport/refusal.ts'
import type { SmtpAnswer } from '../../mail/transport/smtp-dialogue.ts'
import { scheduleFor } from '../../scheduling/window.ts'
import { startOfDay } from '../../scheduling/zone.ts'
import { refundBouncedLead } from '../credits/credits.ts'
import { changeLead, holdLeads, isOpen, recordLeadEvent, stopSamePerson } from '../leads/leads.ts'
import type { LeadRow } from '../leads/queries.ts'
import { countBounce, postponeLead } from '../leads/queue-queries.ts'
import type { LeadStatus } from '../leads/schema.ts'
import type { MailboxFailure } from '../mailboxes/connection.ts'
import { saveContentRefusals } from '../mailboxes/queries.ts'
import { suppress } from '../suppressions/suppressions.ts'
import { findSendingCampaign } from './claim-queries.ts'
import { countMailboxRefusal, countRefusingDomains, listStandings, markRefusedByPolicy } from './queries.ts'

// Decides what the response of a mail server means for the message and for the mailbox.

/** Greylisting passes within minutes; a server that defers for two days is refusing. */
const RETRY_AFTER_MS = [5, 15, 60, 4 * 60, 12 * 60, 24 * 60].map(minutes => minutes * 60_000)
/** The rest of the mailbox decides the time of the next try; this delay only separates it from the failure. */
const RECONNECT_MS = 5_000
const UNKNOWN_LOOK_MS = 5_000
/** The number of tries for a message whose text may be the problem, while others are accepted. */
const TEXT_TRIES = 3
/** A message that is too large, or refused because of its text, will be refused until the text changes; the campaign waits for that. */
const CHANGED_MS = 60_000

export type Outcome =
  | { kind: 'sent'; response: string; reconciled?: 'found' | 'named' | 'assumed' }
  /** Not sent, and to be tried again. `sticky`: from the same mailbox. */
  | { kind: 'retry'; at: Date; reason: string; detail: Record<string, unknown>; sticky: boolean }
  /** `byPolicy`: by a rule of the server, and not because of the address. */
  | { kind: 'refused'; type: 'hard' | 'soft'; status: string | null; response: string; byPolicy: boolean }
  | { kind: 'unknown'; reason: string; reconcileAt: Date }

/** The session could not be opened because of the mailbox. Nothing was sent. */
export interface NoSession {
  kind: 'no_session'
  permanent: boolean
  reason: string
}

export interface Judged {
  outcome: Outcome
  /** The state of the mailbox that it shows: it works, it failed, or unknown. */
  mailbox: 'works' | MailboxFailure | null
  /** Why the campaign needs attention: every other message of it would fail, too. */
  attention?: string
  /** Refused after the recipient was accepted, by a rule that names no cause: the outcome if other messages are refused, too. */
  ifOfText?: Judged
  /** The same for the first refusal of this message because of its text; earlier tries, for example greylisting, had other reasons. */
  ifFirstOfText?: Judged
}

export function judgeAnswer(answer: SmtpAnswer | NoSession, attempts: number, now: Date): Judged {
  const later = (ms: number): Date => new Date(now.getTime() + ms)
  switch (answer.kind) {
    case 'accepted':
      return { outcome: { kind: 'sent', response: answer.response }, mailbox: 'works' }
    case 'unknown':
      return { outcome: { kind: 'unknown', reason: answer.reason, reconcileAt: later(UNKNOWN_LOOK_MS) }, mailbox: null }
    case 'not_sent':
      return {
        outcome: { kind: 'retry', at: later(RECONNECT_MS), reason: 'connection_lost', detail: { response: answer.reason }, sticky: false },
        mailbox: { failed: answer.reason, permanent: false },
      }
    case 'no_session':
      return {
        outcome: {
          kind: 'retry',
          at: later(RECONNECT_MS),
          reason: 'mailbox_unreachable',
          detail: { response: answer.reason },
          sticky: false,
        },
        mailbox: { failed: answer.reason, permanent: answer.permanent },
      }
    case 'rejected':
      return judgeRejection(answer, attempts, now)
  }
}

function judgeRejection(answer: SmtpAnswer & { kind: 'rejected' }, attempts: number, now: Date): Judged {
  const { code, enhanced, response, permanent } = answer
  const detail = { code, status: enhanced, response }
  const retryAt = (ms: number): Date => new Date(now.getTime() + ms)
  const forCampaign = (reason: string, attention: string): Judged => ({
    outcome: { kind: 'retry', at: retryAt(CHANGED_MS), reason, detail, sticky: false },
    mailbox: 'works',
    attention: `${attention}: ${response}`,
  })
  if (enhanced === '5.3.4') return forCampaign('message_too_large', 'The mail server does not accept emails of this size')
  if (answer.scope === 'mailbox') {
    const isSignIn = code >= 530 && code <= 538
    return {
      outcome: { kind: 'retry', at: retryAt(RECONNECT_MS), reason: 'mailbox_refused', detail, sticky: false },
      mailbox: { failed: response, permanent: permanent && isSignIn, signsIn: permanent && !isSignIn },
    }
  }
  if (!permanent) {
    const wait = RETRY_AFTER_MS[attempts - 1]
    if (wait === undefined)
      return { outcome: { kind: 'refused', type: 'soft', status: enhanced, response, byPolicy: false }, mailbox: 'works' }
    return { outcome: { kind: 'retry', at: retryAt(wait), reason: 'recipient_deferred', detail, sticky: true }, mailbox: 'works' }
  }
  const isOfText = answer.scope === 'text'
  const type = !isOfText && isDeadAddress(code, enhanced, response) ? 'hard' : 'soft'
  const refused: Outcome = { kind: 'refused', type, status: enhanced, response, byPolicy: isPolicyRefusal(code, enhanced) }
  if (!isOfText) return { outcome: refused, mailbox: 'works' }
  // The first refusal of many looks like a single one, so the message waits: if the text was the problem, it can be changed, and no lead is lost.
  const wait = RETRY_AFTER_MS[attempts - 1]
  const ifOfText = forCampaign('content_refused', 'The mail server refused the content of the email')
  const retry = (ms: number): Judged => ({
    outcome: { kind: 'retry', at: retryAt(ms), reason: 'content_refused', detail, sticky: true },
    mailbox: 'works',
    ifOfText,
  })
  if (wait !== undefined && attempts <= TEXT_TRIES) return retry(wait)
  return { outcome: refused, mailbox: 'works', ifOfText, ifFirstOfText: retry(RETRY_AFTER_MS[0]!) }
}

/** 5.1.x means that the address does not exist; without a code, so do the plain "mailbox unavailable" responses. */
function isDeadAddress(code: number, enhanced: string | null, response: string): boolean {
  // Outlook.com's words for it.
  if (enhanced === '5.5.0' && /mailbox unavailable/i.test(response)) return true
  if (enhanced !== null && enhanced !== '5.0.0') return enhanced.startsWith('5.1.') || enhanced === '5.2.1'
  return code === 550 || code === 551 || code === 553
}

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
 * Judges a response together with the earlier responses that any worker got. A response about the mailbox that comes again and again for one
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
  const stored = new Map((await listStandings(tx, workerId, ids)).map(standing => [standing.id, standing]))
  const weighed = delivered.map(send => {
    const { id, mailbox } = send
    const { status, isStored, isRefused } = stored.get(id) ?? NEVER_SEEN
    const judged = (stored.has(id) && !isStored && !isRefused && send.judged.ifFirstOfText) || send.judged
    // Its worker seemed dead and the message was returned, but it was sent.
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

/**
 * Records a report that a rule refused a message. Returns why the mailbox is the problem; null when the recipient is. Every recipient knows
 * the id of one message and can write a report about it, so one report never stops a campaign, whatever its words are.
 */
export async function judgeReportedRefusal(
  tx: Tx,
  mailboxId: string,
  sendId: string,
  diagnostic: string,
  now: Date,
): Promise<string | null> {
  await markRefusedByPolicy(tx, sendId)
  return findSenderFault(tx, mailboxId, diagnostic, now)
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
export async function postponeForAbsence(tx: Tx, lead: LeadRow, returnDate: string, now: Date): Promise<Date | null> {
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
