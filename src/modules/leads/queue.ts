import type { LeadRow } from './queries.ts'

/** A stored reason may be out of date: it counts only while a step is planned, or when the lead was skipped because of it. */
const isHeld = (row: LeadRow): boolean => row.dueAt !== null || (row.status === 'skipped' && row.holdUntil === null)

/** The next planned step of a lead, and the reason why it waited when it was last checked. */
export const presentQueue = (row: LeadRow) => ({
  next: row.dueAt && { step: row.nextStep, dueAt: row.dueAt.toISOString() },
  hold: row.holdReason !== null && isHeld(row) ? { reason: row.holdReason, until: row.holdUntil?.toISOString() ?? null } : null,
})
