import type { Context } from '../../context/context.ts'
import type { Tx } from '../../db/client.ts'
import type { Erasing } from '../../operations/erasing.ts'
import { findRowsOf, reviseRows } from './contents-queries.ts'
import { deleteEarlierObjects, writeFile } from './file.ts'
import { deleteChunks } from './file-queries.ts'
import { type ExportRow, listUncleared, lockExport } from './queries.ts'

/**
 * Takes a person out of every export of the workspace. All others in the file were paid for, so the file is not
 * deleted but made again without the one row.
 */
export async function eraseFromExports(ctx: Context, erasing: Erasing): Promise<void> {
  for (const id of await listUncleared(ctx.db, erasing.workspaceId)) {
    erasing.signal.throwIfAborted()
    await eraseFromExport(ctx, id, erasing)
  }
}

async function eraseFromExport(ctx: Context, id: string, erasing: Erasing): Promise<void> {
  const revised = await ctx.db.inTransaction(tx => takeOut(tx, ctx, id, erasing))
  if (revised && ctx.objects !== null) await replaceObject(ctx, revised, erasing.signal)
}

/** The export, when its file must be made again. A file in the database is made again at once. */
async function takeOut(tx: Tx, ctx: Context, id: string, { emailHash, signal, count }: Erasing): Promise<ExportRow | null> {
  let exported = (await lockExport(tx, id))!
  const rows = await findRowsOf(tx, id, emailHash)
  if (rows.length > 0) {
    await reviseRows(tx, id, rows)
    await count(tx, 'exportCount', 1)
    exported = (await lockExport(tx, id))!
  }
  // A file in progress has parts already, but no revision yet.
  if (rows.length > 0 && exported.status !== 'completed') await deleteChunks(tx, id)
  // Also when no row was found: an interrupted erasure may have left the file of an earlier revision.
  const isStale = exported.fileRevision !== null && exported.fileRevision !== exported.revision
  if (!isStale) return null
  // A worker that is making this export now will see the new revision, and makes the file itself.
  if (exported.status !== 'completed') await deleteChunks(tx, id)
  else if (ctx.objects === null) await writeFile(ctx, exported, work => work(tx), signal)
  return exported
}

/** The new file exists before the old one is deleted, so a download always finds a file. */
async function replaceObject(ctx: Context, exported: ExportRow, signal: AbortSignal): Promise<void> {
  if (exported.status === 'completed') await writeFile(ctx, exported, work => ctx.db.inTransaction(work), signal)
  await ctx.db.inTransaction(tx => deleteChunks(tx, exported.id))
  await deleteEarlierObjects(ctx, exported)
}
