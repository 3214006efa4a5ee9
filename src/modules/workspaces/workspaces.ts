import type { Context } from '../../context/context.ts'
import type { Tx } from '../../db/client.ts'
import { newId } from '../../lib/ids.ts'
import { findFirstWorkspace, insertMembership, insertWorkspace, upsertUser, type WorkspaceRow } from './queries.ts'

export { ensureOwner, findOwner, listWorkspaceIds } from './queries.ts'
export type { WorkspaceRow }

export async function createWorkspace(tx: Tx, name: string, userId: string, now: Date): Promise<WorkspaceRow> {
  const workspace = await insertWorkspace(tx, newId(), name.trim(), now)
  await insertMembership(tx, userId, workspace.id)
  return workspace
}

/** The person, and a workspace for them to start in: made once, found again afterwards. */
export async function ensureUser(
  tx: Tx,
  user: { name: string; email: string; workspaceName: string },
  now: Date,
): Promise<{ userId: string; workspace: WorkspaceRow; isNew: boolean }> {
  const userId = await upsertUser(tx, { id: newId(), name: user.name, email: user.email.toLowerCase() })
  const existing = await findFirstWorkspace(tx, userId)
  return { userId, workspace: existing ?? (await createWorkspace(tx, user.workspaceName, userId, now)), isNew: !existing }
}

export const presentWorkspace = (row: WorkspaceRow, ctx: Pick<Context, 'link'>) => ({
  id: row.id,
  name: row.name,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  links: { self: ctx.link(`/v1/workspaces/${row.id}`) },
})
