import type { Tx } from '../../db/client.ts'
import { newId } from '../../lib/ids.ts'
import { type ChosenPerson, deleteRows, fixRows, insertRows } from './contents-queries.ts'
import { startFile } from './file.ts'
import { writeChunks } from './file-queries.ts'
import { type ExportRow, ensureExport, lockExport, setFile, shareExport } from './queries.ts'

/** The people of an export while they are being chosen, and how much of them is stored. */
export interface Choice extends Amount {
  exported: ExportRow
  /** The file is kept in the database, and written together with the people. */
  withFile: boolean
}

interface Amount {
  rowCount: number
  byteLength: number
}

/**
 * Begins the choice, with nothing of an earlier one. The export is made when it is not there yet. The lock waits for parts that a worker
 * is still storing which was believed dead.
 */
export async function beginChoice(
  tx: Tx,
  operation: { id: string; workspaceId: string; requestedCount: number },
  withFile: boolean,
  now: Date,
): Promise<Choice> {
  const { workspaceId, requestedCount } = operation
  const { id } = await ensureExport(tx, { id: newId(), workspaceId, operationId: operation.id, requestedCount, now })
  const exported = (await lockExport(tx, id))!
  if (exported.isFixed) throw new Error(`the people of export ${id} are chosen already`)
  await deleteRows(tx, id)
  return { exported, withFile, rowCount: 0, byteLength: withFile ? await startFile(tx, id) : 0 }
}

/** While a part is being stored, nobody is erased from the export, and no later attempt begins. Parts can share the lock. */
export const lockForPart = (tx: Tx, { exported }: Choice): Promise<number> => shareExport(tx, exported.id)

/** Stores the people behind row `after`, and their part of the file. */
export async function storePart(tx: Tx, { exported, withFile }: Choice, people: ChosenPerson[], after: number): Promise<Amount> {
  const rowCount = await insertRows(tx, exported, people, after)
  return { rowCount, byteLength: withFile ? await writeChunks(tx, exported.id, after, after + people.length) : 0 }
}

/** Ends the choice. False when somebody was erased from the export meanwhile: then the people must be chosen again. */
export async function endChoice(tx: Tx, choice: Choice, directoryVersion: number): Promise<boolean> {
  const { id, revision } = choice.exported
  if ((await lockExport(tx, id))!.revision !== revision) return false
  await fixRows(tx, id, choice.rowCount, directoryVersion)
  if (choice.withFile) await setFile(tx, id, { revision, objectKey: null, byteLength: choice.byteLength })
  return true
}
