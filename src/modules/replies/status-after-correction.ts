import type { LeadStatus } from '../leads/schema.ts'
import type { ReplyRow } from './inbox-queries.ts'

type ReplyKind = ReplyRow['kind']

/**
 * The status of a lead after a person corrected the kind of its reply (not to `opt_out`, which always unsubscribes). `others`
 * are the kinds of its other replies. A status that people reported stays, and so does an opt-out from another source. No
 * correction removes a suppression.
 */
export function statusAfterCorrection(
  before: ReplyKind,
  after: Exclude<ReplyKind, 'opt_out'>,
  current: LeadStatus,
  others: ReadonlySet<string>,
): LeadStatus {
  const isReported = current === 'meeting_booked' || current === 'meeting_completed' || current === 'closed'
  const isOptedOut = current === 'unsubscribed' && (before !== 'opt_out' || others.has('opt_out'))
  if (isReported || isOptedOut) return current
  if (after === 'positive') return 'interested'
  if (after === 'negative') return 'not_interested'
  return others.has('positive') ? 'interested' : others.has('negative') ? 'not_interested' : 'replied'
}
