import type { Context } from '../../context/context.ts'
import { deleteObjects } from './exports.ts'
import { clearExport, listClearable } from './queries.ts'

const BATCH = 100

/** Deletes the rows and files of exports that have expired or failed. Doing it twice, or from two workers, does no harm. */
export async function clearExports(ctx: Context): Promise<void> {
  const now = ctx.clock.now()
  const due = await listClearable(ctx.db, now, BATCH)
  for (const exported of due) {
    await deleteObjects(ctx, exported, exported.revision + 1)
    await ctx.db.inTransaction(tx => clearExport(tx, exported.id, now))
  }
}
