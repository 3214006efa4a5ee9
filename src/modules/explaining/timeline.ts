import type { Context, HasLink } from '../../context/context.ts'
import { notFound } from '../../lib/errors.ts'
import { derivedId } from '../../lib/ids.ts'
import type { Page } from '../../lib/page.ts'
import { pick } from '../../lib/pick.ts'
import { type Reason, type Wording, wordReason } from '../../scheduling/reasons.ts'
import { type EventRow, findEvent, listEvents } from '../events/queries.ts'
import type { LeadRow } from '../leads/queries.ts'
import { type DecisionRow, findDecision, listDecisions, positionBehind } from './queries.ts'
import { explainLead, type Fix, fillIn, presentLift } from './reasons.ts'

interface TimelineEntry {
  /** Its number in the event log; 0 for an entry without an event. */
  seq: number
  id: string
  type: string
  timestamp: Date
  data: Record<string, unknown>
}

type Reading = Pick<Context, 'db' | 'part'>

// The two entries that are not rows of a table have fixed ids, derived from the lead.
const idOfAdded = (lead: LeadRow): string => derivedId(`timeline:${lead.id}:added`)
const idOfCurrent = (lead: LeadRow): string => derivedId(`timeline:${lead.id}:current`)

/** Everything that happened to the lead since its import, and the reasons for what did not happen. */
export async function readTimeline(ctx: Reading, lead: LeadRow, page: Page, order: 'asc' | 'desc', wording: Wording) {
  const { db } = ctx
  const range = { after: 0, before: Number.MAX_SAFE_INTEGER, order, limit: page.limit + 1 }
  if (page.after) range[order === 'asc' ? 'after' : 'before'] = Number(page.after.id)
  const { after, before } = range
  const events = await listEvents(
    db,
    lead.workspaceId,
    { leadId: lead.id },
    { ...range, after: Math.floor(after), before: Math.ceil(before) },
  )
  const decisions = await listDecisions(db, lead.id, range)
  const entries = [...events.map(ofEvent), ...decisions.map(row => ofDecision(row, lead, wording.timezone))].sort((a, b) => a.seq - b.seq)
  const [isFirstPage, isLastPage] = [page.after === null, entries.length <= page.limit]
  if (order === 'asc' ? isLastPage : isFirstPage) {
    const current = await readCurrent(ctx, lead, entries.at(-1)?.seq ?? after, wording.now)
    if (current) entries.push(current)
  }
  if (order === 'asc' ? isFirstPage : isLastPage) entries.unshift(ofAdded(lead))
  return order === 'asc' ? entries : entries.reverse()
}

export async function getTimelineEntry(ctx: Reading, lead: LeadRow, id: string, wording: Wording): Promise<TimelineEntry> {
  const { db } = ctx
  if (id === idOfAdded(lead)) return ofAdded(lead)
  const current = id === idOfCurrent(lead) ? await readCurrent(ctx, lead, 0, wording.now) : null
  if (current) return current
  const event = await findEvent(db, lead.workspaceId, id)
  if (event?.leadId === lead.id) return ofEvent(event)
  const decision = await findDecision(db, lead.id, id)
  if (decision) return ofDecision(decision, lead, wording.timezone)
  throw notFound('timeline entry')
}

const ofEvent = (row: EventRow): TimelineEntry => pick(row, 'seq', 'id', 'type', 'timestamp', 'data')

/** A past decision not to email this lead. */
function ofDecision(row: DecisionRow, lead: LeadRow, timezone: string): TimelineEntry {
  const { position, id, step, reason, nextAttemptAt, detail, createdAt } = row
  const text = wordReason({ reason, nextAttemptAt, detail } as Reason, { now: createdAt, timezone })
  const fix = fixOfSkipped(row, lead)
  const data = { step, reason, text, nextAttemptAt, detail, current: false, fix }
  return { seq: position, id, type: 'decision.waiting', timestamp: createdAt, data }
}

/** A past decision needs no fix, unless the lead was skipped and still is. */
function fixOfSkipped({ reason, detail }: DecisionRow, lead: LeadRow): Fix | null {
  const variables = reason === 'missing_variable' && lead.status === 'skipped' ? detail?.variables : undefined
  if (!Array.isArray(variables) || variables.length === 0) return null
  return fillIn(`/v1/workspaces/${lead.workspaceId}/campaigns/${lead.campaignId}/leads/${lead.id}`, variables)
}

function ofAdded(lead: LeadRow): TimelineEntry {
  const data = { source: lead.source, leadListName: lead.leadListName }
  return { seq: 0, id: idOfAdded(lead), type: 'lead.added', timestamp: lead.createdAt, data }
}

/** The reason why the lead waits now comes after all past events. */
async function readCurrent(ctx: Reading, lead: LeadRow, lastSeq: number, now: Date): Promise<TimelineEntry | null> {
  const wait = await explainLead(ctx, lead.campaignId, lead.id, now)
  if (!wait) return null
  const { step, reason, text, nextAttemptAt, detail, fix } = wait
  const ifLifted = presentLift(wait.ifLifted)
  const data = { step, reason, text, nextAttemptAt, detail, current: true, fix, ifLifted }
  return { seq: positionBehind(lastSeq), id: idOfCurrent(lead), type: 'decision.waiting', timestamp: now, data }
}

export function presentTimelineEntry(entry: TimelineEntry, lead: LeadRow, ctx: HasLink) {
  const { id, type, timestamp, data } = entry
  const path = `/v1/workspaces/${lead.workspaceId}/campaigns/${lead.campaignId}/leads/${lead.id}/timeline/${id}`
  return { id, type, timestamp, data, links: { self: ctx.link(path) } }
}
