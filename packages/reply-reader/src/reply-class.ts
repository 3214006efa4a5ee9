import type { Bounce } from './bounce.ts'
import type { Referral } from './referral.ts'

// The classification of a reply, and its consequences.

export type ReplyKind = 'bounce' | 'auto_reply' | 'opt_out' | 'positive' | 'negative' | 'neutral'

export interface ReplyClass {
  kind: ReplyKind
  /** 0 to 1. */
  confidence: number
  /** The return day of an absent person, YYYY-MM-DD, in an automatic or a personal reply. */
  returnDate?: string
  /** The first day on which a person wants to be contacted again, YYYY-MM-DD. */
  deferredUntil?: string
  /** The person to contact instead. */
  referral?: Referral
  bounce?: Bounce
}

/** From this confidence on, a classification has its full consequences. The README states how often it is right. */
export const SURE = 0.8

/**
 * The consequences of a classification. Below `SURE`, no reply counts as interested or automatic: the person has replied, and
 * the reply needs review before anything else is sent. An opt-out counts at any confidence.
 */
export function settleKind({ kind, confidence }: ReplyClass): { kind: ReplyKind; needsLook: boolean } {
  const needsLook = confidence < SURE && kind !== 'opt_out' && kind !== 'bounce'
  return { kind: needsLook && kind !== 'negative' ? 'neutral' : kind, needsLook }
}
