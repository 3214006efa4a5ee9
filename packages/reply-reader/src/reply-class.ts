import type { Bounce } from './bounce.ts'
import type { Referral } from './referral.ts'

// How a reply was read, and what follows from it.

export type ReplyKind = 'bounce' | 'auto_reply' | 'opt_out' | 'positive' | 'negative' | 'neutral'

export interface ReplyClass {
  kind: ReplyKind
  /** 0 to 1. */
  confidence: number
  /** The day an absent person names for being back, YYYY-MM-DD; also for a person who says so themselves. */
  returnDate?: string
  /** The day from which on a person asks to be written to again, YYYY-MM-DD. */
  deferredUntil?: string
  /** Whom the writer names instead of themselves. */
  referral?: Referral
  bounce?: Bounce
}

/** From here on a judgement is acted on as it is. The README has how often it is right then. */
export const SURE = 0.8

/**
 * What follows from a judgement. Below `SURE` nobody is called interested, and nobody a machine: the person has answered, and
 * somebody has to look at what they said, before anything else is sent. An opt-out is believed at any confidence.
 */
export function settleKind({ kind, confidence }: ReplyClass): { kind: ReplyKind; needsLook: boolean } {
  const needsLook = confidence < SURE && kind !== 'opt_out' && kind !== 'bounce'
  return { kind: needsLook && kind !== 'negative' ? 'neutral' : kind, needsLook }
}
