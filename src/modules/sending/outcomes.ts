import { isPolicyRefusal } from '../../mail/transport/refusal.ts'
import type { SendOutcome } from '../../mail/transport/smtp.ts'
import type { NoSession } from './connections.ts'
import type { Fate } from './record.ts'

// What the answer of a mail server means for the message and for the mailbox.

/** Greylisting passes within minutes; a server that says "later" for two days means no. */
const RETRY_AFTER_MS = [5, 15, 60, 4 * 60, 12 * 60, 24 * 60].map(minutes => minutes * 60_000)
/** The rest of the mailbox decides when it is tried again; this only keeps it from being the same moment. */
const RECONNECT_MS = 5_000
const UNKNOWN_LOOK_MS = 5_000

export interface Verdict {
  fate: Fate
  /** What it says about the mailbox: it works, it failed, or nothing. */
  mailbox: 'works' | { failed: string; permanent: boolean } | null
}

export function judgeOutcome(outcome: SendOutcome | NoSession, attempts: number, now: Date): Verdict {
  const later = (ms: number): Date => new Date(now.getTime() + ms)
  switch (outcome.kind) {
    case 'accepted':
      return { fate: { kind: 'sent', response: outcome.response }, mailbox: 'works' }
    case 'unknown':
      return { fate: { kind: 'unknown', reason: outcome.reason, reconcileAt: later(UNKNOWN_LOOK_MS) }, mailbox: null }
    case 'not_sent':
      return {
        fate: { kind: 'retry', at: later(RECONNECT_MS), reason: 'connection_lost', detail: { response: outcome.reason }, sticky: false },
        mailbox: { failed: outcome.reason, permanent: false },
      }
    case 'no_session':
      return {
        fate: {
          kind: 'retry',
          at: later(RECONNECT_MS),
          reason: 'mailbox_unreachable',
          detail: { response: outcome.reason },
          sticky: false,
        },
        mailbox: { failed: outcome.reason, permanent: outcome.permanent },
      }
    case 'rejected':
      return judgeRejection(outcome, attempts, now)
  }
}

function judgeRejection(outcome: SendOutcome & { kind: 'rejected' }, attempts: number, now: Date): Verdict {
  const { code, enhanced, response, permanent } = outcome
  const detail = { code, status: enhanced, response }
  const retryAt = (ms: number): Date => new Date(now.getTime() + ms)
  if (outcome.scope === 'mailbox') {
    return {
      fate: { kind: 'retry', at: retryAt(RECONNECT_MS), reason: 'mailbox_refused', detail, sticky: false },
      mailbox: { failed: response, permanent: permanent && code >= 530 && code <= 538 },
    }
  }
  if (!permanent) {
    const wait = RETRY_AFTER_MS[attempts - 1]
    if (wait === undefined)
      return { fate: { kind: 'refused', type: 'soft', status: enhanced, response, byPolicy: false }, mailbox: 'works' }
    return { fate: { kind: 'retry', at: retryAt(wait), reason: 'recipient_deferred', detail, sticky: true }, mailbox: 'works' }
  }
  const type = isDeadAddress(code, enhanced) ? 'hard' : 'soft'
  const byPolicy = isPolicyRefusal(code, enhanced)
  return { fate: { kind: 'refused', type, status: enhanced, response, byPolicy }, mailbox: 'works' }
}

/** 5.1.x says that there is nobody; without such a code the plain "mailbox unavailable" answers do. */
function isDeadAddress(code: number, enhanced: string | null): boolean {
  if (enhanced !== null && enhanced !== '5.0.0') return enhanced.startsWith('5.1.') || enhanced === '5.2.1'
  return code === 550 || code === 551 || code === 553
}
