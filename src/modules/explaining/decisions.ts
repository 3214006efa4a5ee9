import type { Context } from '../../context/context.ts'
import type { Db } from '../../db/client.ts'
import type { LogRange } from '../../lib/page.ts'
import type { LeadRow } from '../leads/leads.ts'
import { type Fix, fillIn } from './fixes.ts'
import { presentLift } from './lifts.ts'
import { type DecisionRow, findDecision, listDecisions } from './queries.ts'
import { explainLead, wordWaiting } from './reasons.ts'

interface Decision {
  position: number
  id: string
  at: Date
  data: Record<string, unknown>
}

/** The past decisions not to write to this lead, as the timeline shows them. */
export const readDecisions = async (db: Db, lead: LeadRow, timezone: string, range: LogRange): Promise<Decision[]> =>
  (await listDecisions(db, lead.id, range)).map(row => toDecision(row, lead, timezone))

export async function readDecision(db: Db, lead: LeadRow, id: string, timezone: string): Promise<Decision | null> {
  const row = await findDecision(db, lead.id, id)
  return row ? toDecision(row, lead, timezone) : null
}

const toDecision = (row: DecisionRow, lead: LeadRow, timezone: string): Decision => ({
  position: row.position,
  id: row.id,
  at: row.createdAt,
  data: present(row, lead, timezone),
})

/** A past decision needs no fix, unless the lead was skipped and still is. */
function fixOfSkipped({ reason, detail }: DecisionRow, lead: LeadRow): Fix | null {
  const variables = reason === 'missing_variable' && lead.status === 'skipped' ? detail?.variables : undefined
  if (!Array.isArray(variables) || variables.length === 0) return null
  return fillIn(`/v1/workspaces/${lead.workspaceId}/campaigns/${lead.campaignId}/leads/${lead.id}`, variables)
}

function present(row: DecisionRow, lead: LeadRow, timezone: string): Record<string, unknown> {
  const { step, reason, nextAttemptAt, detail, createdAt } = row
  const text = wordWaiting({ reason, nextAttemptAt, detail }, { now: createdAt, timezone })
  return { step, reason, text, nextAttemptAt: nextAttemptAt?.toISOString() ?? null, detail, current: false, fix: fixOfSkipped(row, lead) }
}

/** The current hold of the lead. */
export async function readCurrentDecision(
  ctx: Pick<Context, 'db' | 'part'>,
  lead: LeadRow,
  now: Date,
): Promise<Record<string, unknown> | null> {
  const wait = await explainLead(ctx, lead.campaignId, lead.id, now)
  if (!wait) return null
  const { step, reason, text, nextAttemptAt, detail, fix } = wait
  const ifLifted = presentLift(wait.ifLifted)
  return { step, reason, text, nextAttemptAt: nextAttemptAt?.toISOString() ?? null, detail, current: true, fix, ifLifted }
}
