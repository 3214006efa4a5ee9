import type { Context } from '../../context/context.ts'
import type { Tx } from '../../db/client.ts'
import { findRowsOf, reviseRows } from './contents-queries.ts'
import { deleteEarlierObjects, writeFile } from './file.ts'
import { deleteChunks } from './file-queries.ts'
import { type ExportRow, listUncleared, lockExport } from './queries.ts'

/**
 * Takes a person out of every export of the workspace. Everybody else in the file was paid for, so it is not thrown
 * away: it is made again without the one row. Returns how many exports contained the person.
 */
export async function eraseFromExports(ctx: Context, workspaceId: string, emailHash: Buffer, signal: AbortSignal): Promise<number> {
  let count = 0
  for (const id of await listUncleared(ctx.db, workspaceId)) {
    signal.throwIfAborted()
    if (await eraseFromExport(ctx, id, emailHash, signal)) count++
  }
  return count
}

async function eraseFromExport(ctx: Context, id: string, emailHash: Buffer, signal: AbortSignal): Promise<boolean> {
  const { isFound, revised } = await ctx.db.inTransaction(tx => takeOut(tx, ctx, id, emailHash, signal))
  if (revised && ctx.objects !== null) await replaceObject(ctx, revised, signal)
  return isFound
}

/** `revised` is the export whose file is not the one it should be. A file in the database is made again at once. */
async function takeOut(
  tx: Tx,
  ctx: Context,
  id: string,
  emailHash: Buffer,
  signal: AbortSignal,
): Promise<{ isFound: boolean; revised: ExportRow | null }> {
  let exported = (await lockExport(tx, id))!
  const rows = await findRowsOf(tx, id, emailHash)
  const isFound = rows.length > 0
  if (isFound) {
    await reviseRows(tx, id, rows)
    exported = (await lockExport(tx, id))!
  }
  // Also when nobody was found: an erasure that was cut off may have left the file of an earlier revision.
  const isStale = exported.fileRevision !== null && exported.fileRevision !== exported.revision
  if (!isStale) return { isFound, revised: null }
  // A worker that is still making this export finds another revision than it began with, and makes the file itself.
  if (exported.status !== 'completed') await deleteChunks(tx, id)
  else if (ctx.objects === null) await writeFile(ctx, exported, work => work(tx), signal)
  return { isFound, revised: exported }
}

/** The new file is there before the old one goes, so a download finds one of them at any time. */
async function replaceObject(ctx: Context, exported: ExportRow, signal: AbortSignal): Promise<void> {
  if (exported.status === 'completed') await writeFile(ctx, exported, work => ctx.db.inTransaction(work), signal)
  await ctx.db.inTransaction(tx => deleteChunks(tx, exported.id))
  await deleteEarlierObjects(ctx, exported)
}
