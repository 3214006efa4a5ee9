import type { Context } from '../../context/context.ts'
import type { Db, Tx } from '../../db/client.ts'
import { type AppError, invalidReference, notFound } from '../../lib/errors.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import { DAY_MS } from '../../lib/time.ts'
import { type ExportedPerson, findLostRows, listPeople, reviseRows } from './contents-queries.ts'
import { type ExportRow, findExport, findExportOfOperation, lockExport, setCompleted, setFailed } from './queries.ts'

export type { ExportedPerson, ExportRow }

const KEPT_MS = 30 * DAY_MS

/** How often the people may be chosen again before people who became unavailable are left out. */
const MAX_CHOICES = 5

export async function getExport(db: Db, workspaceId: string, id: string): Promise<ExportRow> {
  const exported = await findExport(db, workspaceId, id)
  if (!exported) throw notFound('export')
  return exported
}

export const getExportOfOperation = findExportOfOperation

export const hasExpired = (exported: ExportRow, now: Date): boolean =>
  exported.status === 'expired' || (exported.expiresAt !== null && exported.expiresAt <= now)

/**
 * Checks again, as part of the purchase, that all people can still be delivered. False: somebody cannot, and the people
 * must be chosen again; nothing was charged.
 */
export async function confirmExport(
  tx: Tx,
  exported: ExportRow,
  { withoutOwned, directoryVersion }: { withoutOwned: boolean; directoryVersion: number },
): Promise<boolean> {
  const current = await lockExport(tx, exported.id)
  if (!current || current.revision !== exported.revision || current.fileRevision !== exported.revision) return false
  const lost = await findLostRows(tx, exported, { withoutOwned, isSameDirectory: current.directoryVersion === directoryVersion })
  if (lost.length === 0) return true
  await reviseRows(tx, exported.id, current.revision < MAX_CHOICES ? 'all' : lost)
  return false
}

export const completeExport = (tx: Tx, id: string, creditsCharged: number, now: Date): Promise<ExportRow> =>
  setCompleted(tx, id, creditsCharged, now, new Date(now.getTime() + KEPT_MS))

export const failExport = setFailed

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
