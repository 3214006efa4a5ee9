import type { HasDb } from '../../context/context.ts'
import type { Tx } from '../../db/sql.ts'
import { isAboutOurselves, isPerson, scrubAnswer, scrubRemarks } from '../../lib/scrub.ts'
import type { Erasing } from '../erasures/erasures.ts'
import { bareEvents, findEventMentions, findLastSeq, type LoggedData, updateEventData } from './queries.ts'

const EVENTS_AT_ONCE = 5000

/**
 * The fields that an event about an erased person keeps: ids, kinds, and everything that the metrics are computed from, so that computing
 * them again gives the same numbers. A new field is erased unless it is listed here.
 */
const KEPT_FIELDS = [
  ...['leadId', 'campaignId', 'sendId', 'step', 'variantId', 'providerId', 'messageId', 'replyId', 'link'],
  ...[
    'from',
    'to',
    'by',
    'actorId',
    'kind',
    'previousKind',
    'judgedKind',
    'handled',
    'repliedAt',
    'status',
    'confidence',
    'needsLook',
    'judgedBy',
    'reconciled',
  ],
  ...['first', 'firstProspect', 'withdrawn', 'machine', 'opportunityValueChange'],
]

/** The event log keeps every number and every event. Also finds leads that exist only in the log. */
export async function eraseFromLog({ db }: HasDb, erasing: Erasing): Promise<void> {
  const { workspaceId, person, leadIds, signal } = erasing
  const counting = (work: (tx: Tx) => Promise<number>): Promise<void> =>
    db.inTransaction(async tx => erasing.count(tx, 'eventCount', await work(tx)))
  const last = await findLastSeq(db, workspaceId)
  for (let after = 0; after < last; after += EVENTS_AT_ONCE) {
    signal.throwIfAborted()
    const found = await findEventMentions(db, workspaceId, after, after + EVENTS_AT_ONCE, person.pattern)
    const scrubbed: LoggedData[] = []
    for (const { seq, type, leadId, data } of found) {
      if (leadId !== null && isPerson(data.email, person)) leadIds.add(leadId)
      else scrubbed.push({ seq, data: isAboutOurselves(type) ? scrubRemarks(data, person) : scrubAnswer(data, person) })
    }
    if (scrubbed.length > 0) await counting(tx => updateEventData(tx, workspaceId, scrubbed))
  }
  const ofLeads = { leadIds: [...leadIds], repliesTo: null }
  await counting(tx => bareEvents(tx, workspaceId, ofLeads, KEPT_FIELDS))
}

/** The person replied to messages that were sent to others. The data of these replies is removed; the recipient of the message stays. */
export async function eraseReplies(tx: Tx, workspaceId: string, colleagueIds: string[], sendIds: string[]): Promise<void> {
  await bareEvents(tx, workspaceId, { leadIds: colleagueIds, repliesTo: sendIds }, [...KEPT_FIELDS, 'email'])
}
