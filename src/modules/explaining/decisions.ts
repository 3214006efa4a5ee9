import type { Db } from '../../db/client.ts'
import { type DecisionRow, findDecision, listDecisions } from './queries.ts'
import { explainLead, wordWaiting } from './reasons.ts'

export interface Decision {
  position: number
  id: string
  at: Date
  data: Record<string, unknown>
}

/** Decisions not to write to this lead, in the order in which they were made, as the timeline shows them. */
export async function readDecisions(db: Db, leadId: string, timezone: string, after: number, limit: number): Promise<Decision[]> {
  return (await listDecisions(db, leadId, after, limit)).map(row => toDecision(row, timezone))
}

export async function readDecision(db: Db, leadId: string, id: string, timezone: string): Promise<Decision | null> {
  const row = await findDecision(db, leadId, id)
  return row ? toDecision(row, timezone) : null
}

const toDecision = (row: DecisionRow, timezone: string): Decision => ({
  position: row.position,
  id: row.id,
  at: row.createdAt,
  data: present(row, timezone),
})

function present(row: DecisionRow, timezone: string): Record<string, unknown> {
  const { step, reason, nextAttemptAt, detail, createdAt } = row
  const text = wordWaiting({ reason, nextAttemptAt, detail }, { now: createdAt, timezone })
  return { step, reason, text, nextAttemptAt: nextAttemptAt?.toISOString() ?? null, detail, current: false }
}

/** What holds the lead back now. */
export async function readCurrentDecision(db: Db, campaignId: string, leadId: string, now: Date): Promise<Record<string, unknown> | null> {
  const wait = await explainLead(db, campaignId, leadId, now)
  if (!wait) return null
  const { step, reason, text, nextAttemptAt, detail } = wait
  return { step, reason, text, nextAttemptAt: nextAttemptAt?.toISOString() ?? null, detail, current: true }
}
