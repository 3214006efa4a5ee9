import type { Context } from '../../context/context.ts'
import { deleteEarlierObjects, writeFile } from './file.ts'
import { deleteChunks, type ExportRow, findRowsOf, listUncleared, lockExport, reviseRows } from './queries.ts'

/**
 * Takes a person out of every export of the workspace. Everybody else in the file was paid for, so it is not thrown
 * away: it is made anew without the one row. How many exports the person was in.
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
  const inDatabase = ctx.objects === null
  const { found, revised } = await ctx.db.inTransaction(async tx => {
    let exported = (await lockExport(tx, id))!
    const rows = await findRowsOf(tx, id, emailHash)
    const found = rows.length > 0
    if (found) {
      await reviseRows(tx, id, rows)
      exported = (await lockExport(tx, id))!
    }
    // Also when nobody was found: an erasure that was cut off may have left the file of an earlier revision.
    const isStale = exported.fileRevision !== null && exported.fileRevision !== exported.revision
    if (!isStale) return { found, revised: null }
    // Whoever is still at work on it finds another revision than it began with, and makes the file itself.
    if (exported.status !== 'completed') await deleteChunks(tx, id)
    else if (inDatabase) await writeFile(ctx, exported, work => work(tx), signal)
    return { found, revised: exported }
  })
  if (revised && !inDatabase) await replaceObject(ctx, revised, signal)
  return found
}

/** The new file is there before the old one goes, so a download finds one of them at any time. */
async function replaceObject(ctx: Context, exported: ExportRow, signal: AbortSignal): Promise<void> {
  if (exported.status === 'completed') await writeFile(ctx, exported, work => ctx.db.inTransaction(work), signal)
  await ctx.db.inTransaction(tx => deleteChunks(tx, exported.id))
  await deleteEarlierObjects(ctx, exported)
}
