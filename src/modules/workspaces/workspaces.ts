import type { HasLink } from '../../context/context.ts'
import type { Tx } from '../../db/sql.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { notThere, wrongUsage } from '../../lib/command-failure.ts'
import { AppError, existing } from '../../lib/errors.ts'
import { isUuid, newId } from '../../lib/ids.ts'
import { pick } from '../../lib/pick.ts'
import type { Role } from '../../lib/roles.ts'
import { countRecentOperations } from '../../operations/queries.ts'
import { effectiveRules } from '../../scheduling/contact-rules.ts'
import type { MemberRow, UserRow, WorkspaceRow } from './queries.ts'
import * as queries from './queries.ts'
import type { WorkspaceSettingsUpdate } from './schema.ts'

/**
 * How often the workspace has requested an action within an hour and within a day, including this operation. The workspace is locked, so
 * that simultaneous requests count each other.
 */
export async function countRecentRequests(tx: Tx, workspaceId: string, action: string): Promise<{ hour: number; day: number }> {
  await queries.lockWorkspace(tx, workspaceId)
  return countRecentOperations(tx, workspaceId, action)
}

export const tooOften = (message: string): AppError => new AppError('rate_limited', message, null, { 'retry-after': '600' })

export async function createWorkspace(tx: Tx, name: string, userId: string, now: Date): Promise<WorkspaceRow> {
  const workspace = await queries.insertWorkspace(tx, newId(), name.trim(), now)
  await queries.insertMembership(tx, userId, workspace.id, 'owner', now)
  return workspace
}

/** The person and their first workspace: created the first time, found later. */
export async function ensureUser(tx: Tx, user: { name: string; email: string; workspaceName: string }, now: Date) {
  const userId = await queries.upsertUser(tx, { id: newId(), name: user.name, email: user.email.toLowerCase(), createsWorkspaces: true })
  const first = await queries.findFirstWorkspace(tx, userId)
  return { userId, workspace: first ?? (await createWorkspace(tx, user.workspaceName, userId, now)), isNew: !first }
}

/**
 * Adds the person to the workspace that the command line names, with this role if they are new to it. A name is searched
 * among their own workspaces, and creates one when there is none. Names are not unique, so another person's workspace is joined by its id.
 */
export async function joinWorkspace(tx: Tx, user: { name: string; email: string }, nameOrId: string, role: Role, now: Date) {
  const userId = await queries.upsertUser(tx, {
    id: newId(),
    name: user.name,
    email: user.email.toLowerCase(),
    createsWorkspaces: role === 'owner',
  })
  const workspace = isUuid(nameOrId)
    ? await findNamedWorkspace(tx, nameOrId)
    : await queries.findWorkspaceOfUser(tx, userId, nameOrId.trim())
  if (!workspace) return { userId, workspace: await createWorkspace(tx, nameOrId, userId, now) }
  await queries.insertMembership(tx, userId, workspace.id, role, now)
  return { userId, workspace }
}

/** The workspace that the command line names, by its name or its id. */
export async function findNamedWorkspace(tx: Tx, nameOrId: string): Promise<WorkspaceRow | undefined> {
  if (isUuid(nameOrId)) {
    const workspace = await queries.findWorkspace(tx, nameOrId)
    if (!workspace) throw notThere(`There is no workspace with the id ${nameOrId}.`, 'overture api workspaces.list')
    return workspace
  }
  const found = await queries.listWorkspacesByName(tx, nameOrId.trim())
  if (found.length <= 1) return found[0]
  const ids = found.map(({ id }) => id)
  throw wrongUsage(
    `There are several workspaces with this name: ${ids.join(', ')}.`,
    `repeat the command with --workspace ${ids[0]}, or another id`,
  )
}

/** Changes the settings for all campaigns that have none of their own, unless the workspace has changed since it was read. */
export async function changeSettings(tx: Tx, id: string, update: WorkspaceSettingsUpdate, ifMatch: Date, now: Date) {
  const workspace = existing(await queries.findWorkspaceLocked(tx, id), 'workspace')
  if (workspace.updatedAt.getTime() !== ifMatch.getTime()) {
    const message = `The workspace was changed at ${workspace.updatedAt.toISOString()}. Read its settings again and repeat the change.`
    throw new AppError('precondition_failed', message)
  }
  const settings = { ...settingsOf(workspace), ...update }
  if (canonicalJson(settings) === canonicalJson(settingsOf(workspace))) return { workspace, before: workspace }
  return { workspace: await queries.updateSettings(tx, id, settings, now), before: workspace }
}

const settingsOf = ({ contactRules, domainHealth, optOutLines }: WorkspaceRow) => ({ contactRules, domainHealth, optOutLines })

export const hasSameRules = (a: WorkspaceRow, b: WorkspaceRow): boolean => canonicalJson(a.contactRules) === canonicalJson(b.contactRules)

export const presentSettings = (row: WorkspaceRow, ctx: HasLink) => ({
  workspaceId: row.id,
  contactRules: effectiveRules(row.contactRules),
  domainHealth: row.domainHealth,
  optOutLines: row.optOutLines,
  updatedAt: row.updatedAt.toISOString(),
  links: { self: ctx.link(`/v1/workspaces/${row.id}/settings`) },
})

export const presentWorkspace = (row: WorkspaceRow, ctx: HasLink) => ({
  ...pick(row, 'id', 'name', 'createdAt', 'updatedAt'),
  links: { self: ctx.link(`/v1/workspaces/${row.id}`) },
})

/** An account that the operator vouches for. Null: there is already one with this address. */
export async function createUser(tx: Tx, { name, email, createsWorkspaces }: { name: string; email: string; createsWorkspaces: boolean }) {
  const user = { id: newId(), name, email: email.toLowerCase(), isProved: true, createsWorkspaces }
  return (await queries.insertUser(tx, user)) ? user : null
}

/**
 * A person who accepted an invitation. The address is what the inviter wrote, and it is not proved that it is theirs: they have what the
 * invitation gave them, and the address leads to no account.
 */
export async function createGuest(tx: Tx, name: string, email: string): Promise<UserRow> {
  const user = { id: newId(), name, email: email.toLowerCase(), isProved: false, createsWorkspaces: false }
  await queries.insertUser(tx, user)
  return user
}

/** The team must be locked. */
export async function addMember(tx: Tx, workspaceId: string, userId: string, role: Role, now: Date): Promise<MemberRow> {
  if (!(await queries.insertMembership(tx, userId, workspaceId, role, now))) {
    throw new AppError('invalid_state', 'This person is already in the workspace.')
  }
  return (await queries.findMember(tx, workspaceId, userId))!
}

/** The team must be locked. */
export async function changeRole(tx: Tx, workspaceId: string, member: MemberRow, role: Role): Promise<MemberRow> {
  if (role !== 'owner') await keepAnOwner(tx, workspaceId, member)
  await queries.updateRole(tx, workspaceId, member.userId, role)
  return { ...member, role }
}

/** The team must be locked. Returns whether the person is in any other workspace. */
export async function removeMember(tx: Tx, workspaceId: string, member: MemberRow): Promise<{ isElsewhere: boolean }> {
  await keepAnOwner(tx, workspaceId, member)
  await queries.deleteMembership(tx, workspaceId, member.userId)
  return { isElsewhere: await queries.isInAnyWorkspace(tx, member.userId) }
}

async function keepAnOwner(tx: Tx, workspaceId: string, member: MemberRow): Promise<void> {
  if (member.role !== 'owner' || (await queries.countOwners(tx, workspaceId)) > 1) return
  throw new AppError(
    'invalid_state',
    'A workspace must have an owner, and this person is the only one. Make another person an owner first.',
  )
}
