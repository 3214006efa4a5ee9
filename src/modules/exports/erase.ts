import type { Context } from '../../context/context.ts'
import type { Tx } from '../../db/sql.ts'
import type { Erasing } from '../erasures/erasures.ts'
import { deleteObjects, storeFile } from './exports.ts'
import { type ExportRow, findRowsOf, listUncleared, lockExport, reviseRows } from './queries.ts'

/**
 * Takes a person out of every export of the workspace. The other people were paid for, so they stay, and a stored file is replaced by one
 * without the row.
 */
export async function eraseFromExports(ctx: Context, erasing: Erasing): Promise<void> {
  for (const id of await listUncleared(ctx.db, erasing.workspaceId)) {
    erasing.signal.throwIfAborted()
    const exported = await ctx.db.inTransaction(tx => removeRows(tx, id, erasing))
    // Compared even when no row was found: an interrupted erasure may have left the file of an earlier revision.
    if (exported.fileRevision !== null && exported.fileRevision !== exported.revision) await replaceFile(ctx, exported, erasing.signal)
  }
}

async function removeRows(tx: Tx, id: string, { emailHash, count }: Erasing): Promise<ExportRow> {
  const exported = (await lockExport(tx, id))!
  const rows = await findRowsOf(tx, id, emailHash)
  if (rows.length === 0) return exported
  await reviseRows(tx, id, rows)
  await count(tx, 'exportCount', 1)
  return (await lockExport(tx, id))!
}

/** A worker that is making this export now will see the new revision, and stores the file itself. */
async function replaceFile(ctx: Context, exported: ExportRow, signal: AbortSignal): Promise<void> {
  if (exported.status === 'completed') await storeFile(ctx, exported, work => ctx.db.inTransaction(work), signal)
  else await deleteObjects(ctx, exported, exported.revision)
}
