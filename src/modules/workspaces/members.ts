import type { Tx } from '../../db/client.ts'
import { AppError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { Role } from '../../lib/roles.ts'
import {
  countOwners,
  deleteMembership,
  findMember,
  insertMembership,
  insertUser,
  isInAnyWorkspace,
  type MemberRow,
  type UserRow,
  updateRole,
} from './member-queries.ts'

/** An account that the operator vouches for. Null: there is already one with this address. */
export async function createUser(
  tx: Tx,
  { name, email, createsWorkspaces }: { name: string; email: string; createsWorkspaces: boolean },
): Promise<UserRow | null> {
  const user = { id: newId(), name, email: email.toLowerCase(), isProved: true, createsWorkspaces }
  return (await insertUser(tx, user)) ? user : null
}

/**
 * A person who accepted an invitation. The address is what the inviter wrote, and nobody has shown that it is theirs: they have what the
 * invitation gave them, and the address leads to no account.
 */
export async function createGuest(tx: Tx, name: string, email: string): Promise<UserRow> {
  const user = { id: newId(), name, email: email.toLowerCase(), isProved: false, createsWorkspaces: false }
  await insertUser(tx, user)
  return user
}

/** The team must be locked. */
export async function addMember(tx: Tx, workspaceId: string, userId: string, role: Role, now: Date): Promise<MemberRow> {
  if (!(await insertMembership(tx, userId, workspaceId, role, now))) {
    throw new AppError('invalid_state', 'This person is already in the workspace.')
  }
  return (await findMember(tx, workspaceId, userId))!
}

/** The team must be locked. */
export async function changeRole(tx: Tx, workspaceId: string, member: MemberRow, role: Role): Promise<MemberRow> {
  if (role !== 'owner') await keepAnOwner(tx, workspaceId, member)
  await updateRole(tx, workspaceId, member.userId, role)
  return { ...member, role }
}

/** The team must be locked. Returns whether the person is in any other workspace. */
export async function removeMember(tx: Tx, workspaceId: string, member: MemberRow): Promise<{ isElsewhere: boolean }> {
  await keepAnOwner(tx, workspaceId, member)
  await deleteMembership(tx, workspaceId, member.userId)
  return { isElsewhere: await isInAnyWorkspace(tx, member.userId) }
}

async function keepAnOwner(tx: Tx, workspaceId: string, member: MemberRow): Promise<void> {
  if (member.role !== 'owner' || (await countOwners(tx, workspaceId)) > 1) return
  throw new AppError(
    'invalid_state',
    'A workspace must have an owner, and this person is the only one. Make another person an owner first.',
  )
}
