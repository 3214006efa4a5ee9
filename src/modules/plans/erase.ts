import type { Context } from '../../context/context.ts'
import { scrubJson } from '../../lib/scrub.ts'
import type { Erasing } from '../../operations/erasing.ts'
import { findPlanMentions, forgetInPlan, type PlanSummary } from './queries.ts'

/** A plan about somebody who is erased comes to nothing, and says no more whom it was about. */
export async function eraseFromPlans({ db }: Pick<Context, 'db'>, { workspaceId, person }: Erasing): Promise<void> {
  for (const { id, summary } of await findPlanMentions(db, workspaceId, person.address)) {
    await db.inTransaction(tx => forgetInPlan(tx, id, scrubJson(summary, person) as PlanSummary))
  }
}
