import type { HasDb } from '../../context/context.ts'
import { scrubAnswer } from '../../lib/scrub.ts'
import type { Erasing } from '../erasures/erasures.ts'
import { findPlanMentions, forgetInPlan } from './queries.ts'
import type { PlanSummary } from './schema.ts'

/** A plan about an erased person ends, and no longer names the person. */
export async function eraseFromPlans({ db }: HasDb, { workspaceId, person }: Erasing): Promise<void> {
  for (const { id, summary } of await findPlanMentions(db, workspaceId, person.pattern)) {
    await db.inTransaction(tx => forgetInPlan(tx, id, scrubAnswer(summary, person) as PlanSummary))
  }
}
