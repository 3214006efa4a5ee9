import { isPolicyRefusal } from '../../mail/transport/refusal.ts'
import type { SmtpAnswer } from '../../mail/transport/smtp-dialogue.ts'
import type { MailboxFailure } from '../mailboxes/connection.ts'

// Decides what the answer of a mail server means for the message and for the mailbox.

/** Greylisting passes within minutes; a server that says "later" for two days means no. */
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
  if (enhanced === '5.3.4') return forCampaign('message_too_large', 'The mail server does not accept messages of this size')
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
  const ifOfText = forCampaign('content_refused', 'The mail server refuses what this campaign writes')
  const retry = (ms: number): Judged => ({
    outcome: { kind: 'retry', at: retryAt(ms), reason: 'content_refused', detail, sticky: true },
    mailbox: 'works',
    ifOfText,
  })
  if (wait !== undefined && attempts <= TEXT_TRIES) return retry(wait)
  return { outcome: refused, mailbox: 'works', ifOfText, ifFirstOfText: retry(RETRY_AFTER_MS[0]!) }
}

/** 5.1.x means that the address does not exist; without a code, so do the plain "mailbox unavailable" answers. */
function isDeadAddress(code: number, enhanced: string | null, response: string): boolean {
  // Outlook.com's words for it.
  if (enhanced === '5.5.0' && /mailbox unavailable/i.test(response)) return true
  if (enhanced !== null && enhanced !== '5.0.0') return enhanced.startsWith('5.1.') || enhanced === '5.2.1'
  return code === 550 || code === 551 || code === 553
}
