import type { Context } from '../../context/context.ts'
import type { Db, Tx } from '../../db/client.ts'
import { type AppError, invalidReference, notFound } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import { DAY_MS } from '../../lib/time.ts'
import {
  type ChosenPerson,
  deleteRows,
  type ExportedPerson,
  type ExportRow,
  ensureExport,
  findExport,
  findLostRows,
  fixRows,
  insertRows,
  listPeople,
  lockExport,
  reviseRows,
  setCompleted,
} from './queries.ts'

const KEPT_MS = 30 * DAY_MS

/** How often the people may be chosen again before people who became unavailable are left out. */
const MAX_CHOICES = 5

export async function getExport(db: Db, workspaceId: string, id: string): Promise<ExportRow> {
  const exported = await findExport(db, workspaceId, id)
  if (!exported) throw notFound('export')
  return exported
}

export const hasExpired = (exported: ExportRow, now: Date): boolean =>
  exported.status === 'expired' || (exported.expiresAt !== null && exported.expiresAt <= now)

/** The people of an export while they are being chosen, and how many of them are stored. */
export interface Choice {
  exported: ExportRow
  rowCount: number
}

/**
 * Begins the choice, with nothing of an earlier one. The export is made when it is not there yet. The lock waits for parts that a worker
 * is still storing which was believed dead.
 */
export async function beginChoice(
  tx: Tx,
  operation: { id: string; workspaceId: string; requestedCount: number },
  now: Date,
): Promise<Choice> {
  const { workspaceId, requestedCount } = operation
  const { id } = await ensureExport(tx, { id: newId(), workspaceId, operationId: operation.id, requestedCount, now })
  const exported = (await lockExport(tx, id))!
  if (exported.isFixed) throw new Error(`the people of export ${id} are chosen already`)
  await deleteRows(tx, id)
  return { exported, rowCount: 0 }
}

/** Stores the people behind row `after`. Returns how many could still be delivered. */
export const storePart = (tx: Tx, { exported }: Choice, people: ChosenPerson[], after: number): Promise<number> =>
  insertRows(tx, exported, people, after)

/** Ends the choice. False when a person was erased from the export meanwhile: then the people must be chosen again. */
export async function endChoice(tx: Tx, choice: Choice, directoryVersion: number): Promise<boolean> {
  const { id, revision } = choice.exported
  if ((await lockExport(tx, id))!.revision !== revision) return false
  await fixRows(tx, id, choice.rowCount, directoryVersion)
  return true
}

/**
 * Checks again, as part of the purchase, that all people can still be delivered. If it returns false, the people must be chosen again, or
 * a file in the object store must be replaced; nothing was charged.
 */
export async function confirmExport(
  tx: Tx,
  exported: ExportRow,
  { withoutOwned, directoryVersion }: { withoutOwned: boolean; directoryVersion: number },
): Promise<boolean> {
  const current = await lockExport(tx, exported.id)
  if (!current || current.revision !== exported.revision) return false
  if (exported.objectKey !== null && current.fileRevision !== current.revision) return false
  const lost = await findLostRows(tx, exported, { withoutOwned, isSameDirectory: current.directoryVersion === directoryVersion })
  if (lost.length === 0) return true
  await reviseRows(tx, exported.id, current.revision < MAX_CHOICES ? 'all' : lost)
  return false
}

export const completeExport = (tx: Tx, id: string, creditsCharged: number, now: Date): Promise<ExportRow> =>
  setCompleted(tx, id, creditsCharged, now, new Date(now.getTime() + KEPT_MS))

/** An export whose people can be put into a campaign. */
export async function getImportableExport(db: Db, workspaceId: string, id: string, now: Date): Promise<ExportRow> {
  const exported = await findExport(db, workspaceId, id)
  const refuse = (message: string): AppError => invalidReference('exportId', message)
  if (!exported) throw refuse('is not an export of this workspace')
  if (hasExpired(exported, now)) throw refuse('is an expired export')
  if (exported.status !== 'completed') throw refuse(`is an export that is ${exported.status}`)
  return exported
}

/** The people of an export in pages, for an import into a campaign. */
export async function* peopleOfExport(db: Db, exportId: string, pageSize: number): AsyncGenerator<ExportedPerson[]> {
  for (let after = 0; ; ) {
    const page = await listPeople(db, exportId, after, pageSize)
    if (page.length === 0) return
    yield page
    after = page.at(-1)!.n
  }
}

const LINK = 'export download'

const messageOf = (exported: { workspaceId: string; id: string }): string => `${exported.workspaceId}/${exported.id}`

export const isSignedLink = (secrets: SecretBox, exported: { workspaceId: string; id: string }, signature: string): boolean =>
  secrets.verify(LINK, messageOf(exported), Buffer.from(signature, 'base64url'))

type Presenter = Pick<Context, 'link' | 'secrets' | 'clock'>

/** A client with this link can fetch the file as long as it is kept. */
function downloadUrl(ctx: Presenter, exported: ExportRow): string {
  const signature = ctx.secrets.sign(LINK, messageOf(exported)).toString('base64url')
  return `${exportLink(ctx, exported)}/download?signature=${signature}`
}

const exportLink = (ctx: Presenter, exported: ExportRow): string =>
  ctx.link(`/v1/workspaces/${exported.workspaceId}/exports/${exported.id}`)

export function presentExport(exported: ExportRow, ctx: Presenter) {
  const expired = hasExpired(exported, ctx.clock.now())
  const ready = exported.status === 'completed' && !expired
  return {
    id: exported.id,
    workspaceId: exported.workspaceId,
    operationId: exported.operationId,
    status: expired ? ('expired' as const) : exported.status,
    requestedCount: exported.requestedCount,
    leadCount: exported.leadCount,
    creditsCharged: exported.creditsCharged,
    downloadUrl: ready ? downloadUrl(ctx, exported) : null,
    expiresAt: exported.expiresAt?.toISOString() ?? null,
    createdAt: exported.createdAt.toISOString(),
    links: { self: exportLink(ctx, exported) },
  }
}

/** The data of the operation's result and of the event. */
export function presentDelivery(exported: ExportRow, ctx: Presenter) {
  return {
    exportId: exported.id,
    requestedCount: exported.requestedCount,
    exportedCount: exported.leadCount,
    creditsCharged: exported.creditsCharged,
    downloadUrl: downloadUrl(ctx, exported),
    expiresAt: exported.expiresAt!.toISOString(),
  }
}
