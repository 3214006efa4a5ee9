import type { Tx } from '../../db/sql.ts'
import { type Caller, hasScope, insufficientScope, ROLE_SCOPES, tokenScopesOf } from '../../http/access.ts'
import { AppError, checkLimit, existing } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { Role } from '../../lib/roles.ts'
import { hashToken, newSecret } from '../../lib/tokens.ts'
import { callerNow, checkGrant, DEFAULT_LIFETIME_MS, followRole, issueToken, revokeTokensOf, TOKENS_CHANGED } from '../tokens/tokens.ts'
import { findMember, findUser, findUserByEmail, hasMemberWithEmail, lockWorkspace, type MemberRow } from '../workspaces/queries.ts'
import { addMember, changeRole, createGuest, removeMember } from '../workspaces/workspaces.ts'
import type { InvitationRow } from './queries.ts'
import * as queries from './queries.ts'

const MAX_INVITATIONS = 100

/**
 * A person who gives a role gives its scopes, and can give only scopes that they have. Only owners decide who is an owner: not the keys of a
 * workspace, because admins make those, too. The same holds for taking the role or its invitation back.
 */
function checkMayGive(caller: Caller, role: Role): void {
  if (!hasScope(caller, 'team:write')) throw insufficientScope('team:write')
  checkGrant(caller, ROLE_SCOPES[role])
  if (role === 'owner' && caller.role !== 'owner')
    throw new AppError(
      'forbidden',
      'Only an owner can make a person an owner, change or remove an owner, or end the invitation of one. Use a personal token of an owner.',
    )
}

/** The code is returned here and never again: only its hash is kept. A new invitation replaces an earlier one to the same address. */
export async function invite(tx: Tx, inviter: Caller, workspaceId: string, asked: { email: string; role: Role }) {
  const caller = await lockTeam(tx, inviter, workspaceId)
  checkMayGive(caller, asked.role)
  const email = asked.email.toLowerCase()
  if (await hasMemberWithEmail(tx, workspaceId, email)) {
    throw new AppError('invalid_state', 'A person with this address is already in the workspace.')
  }
  for (const { role, isOpen } of await queries.endInvitationsTo(tx, workspaceId, email)) if (isOpen) checkMayGive(caller, role)
  checkLimit('open invitations to this workspace', MAX_INVITATIONS, await queries.countInvitations(tx, workspaceId))
  const code = newSecret()
  const { role } = asked
  const row = await queries.insertInvitation(tx, { id: newId(), workspaceId, email, role, hash: hashToken(code), tokenId: caller.tokenId })
  return { row, code }
}

/** An invitation can be withdrawn by those who could have made it. */
export async function withdrawInvitation(tx: Tx, by: Caller, workspaceId: string, id: string): Promise<void> {
  const caller = await lockTeam(tx, by, workspaceId)
  checkMayGive(caller, existing(await queries.findInvitation(tx, workspaceId, id), 'invitation').role)
  await queries.endInvitation(tx, workspaceId, id)
}

export interface Accepted {
  invitation: InvitationRow
  member: MemberRow
}

/** A new person accepts an invitation, and gets a token. */
export async function acceptAsNew(tx: Tx, code: string, name: string, now: Date): Promise<Accepted & { tokenId: string; token: string }> {
  const invitation = await redeem(tx, code)
  if (!invitation) throw new AppError('invalid_token', NOT_OPEN, null, { 'www-authenticate': 'Bearer error="invalid_token"' })
  await refuseKnownAddress(tx, invitation.email)
  const user = await createGuest(tx, name, invitation.email)
  const member = await addMember(tx, invitation.workspaceId, user.id, invitation.role, now)
  const owned = { kind: 'personal', userId: user.id, workspaceId: null, scopes: tokenScopesOf(invitation.role), followsRole: true } as const
  const expiresAt = new Date(now.getTime() + DEFAULT_LIFETIME_MS)
  const issued = await issueToken(tx, { ...owned, name: 'invitation', expiresAt, madeBy: invitation.tokenId }, now)
  return { invitation, member, tokenId: issued.row.id, token: issued.token }
}

/** The code proves an invitation, not an identity: with it alone, the inviter could become a person who has an account. */
async function refuseKnownAddress(tx: Tx, email: string): Promise<void> {
  if (await findUserByEmail(tx, email))
    throw new AppError('forbidden', 'A person with this address already has an account. Sign in as this person, and join with the code.')
}

/** An existing person joins one more workspace. */
export async function acceptAs(tx: Tx, caller: Caller, code: string, now: Date): Promise<Accepted> {
  const user = caller.userId === null ? undefined : await findUser(tx, caller.userId)
  if (!user) throw new AppError('forbidden', 'A workspace key belongs to no person, so it cannot join a workspace. Use a personal token.')
  const invitation = await redeem(tx, code)
  if (!invitation) throw new AppError('not_found', NOT_OPEN)
  if (invitation.email !== user.email) throw new AppError('forbidden', 'This invitation is for another address: sign in with it.')
  // Nothing but an earlier code says that the address is theirs.
  if (!user.isProved) await refuseKnownAddress(tx, invitation.email)
  const member = await addMember(tx, invitation.workspaceId, user.id, invitation.role, now)
  await followRole(tx, user.id)
  return { invitation, member }
}

const NOT_OPEN = 'The invitation is unknown, expired, withdrawn or already accepted.'

async function redeem(tx: Tx, code: string): Promise<(InvitationRow & { tokenId: string }) | undefined> {
  const hash = hashToken(code)
  const place = await queries.findPlace(tx, hash)
  // The team is locked before the invitation, as everywhere, so that there is no deadlock.
  if (place) await lockWorkspace(tx, place.workspaceId)
  return place && queries.endByCode(tx, hash)
}

/** A person cannot change the role of someone with more scopes than their own, or give a role with more scopes. */
export async function setRole(tx: Tx, by: Caller, workspaceId: string, userId: string, role: Role): Promise<MemberRow> {
  const caller = await lockTeam(tx, by, workspaceId)
  const member = existing(await findMember(tx, workspaceId, userId), 'person')
  if (member.role === role) return member
  checkMayGive(caller, member.role)
  checkMayGive(caller, role)
  await queries.endInvitationsBy(tx, workspaceId, userId)
  const changed = await changeRole(tx, workspaceId, member, role)
  await followRole(tx, userId)
  return changed
}

/** Every member may leave, but not with a token that can do less than the person. */
export const mayLeave = (caller: Caller, userId: string): boolean =>
  caller.userId === userId && caller.role !== null && ROLE_SCOPES[caller.role].every(scope => hasScope(caller, scope))

/** A person without a workspace can do nothing, so their tokens and sessions end. */
export async function remove(tx: Tx, by: Caller, workspaceId: string, userId: string): Promise<void> {
  const caller = await lockTeam(tx, by, workspaceId)
  if (!mayLeave(caller, userId) && !hasScope(caller, 'team:write')) throw insufficientScope('team:write')
  const member = existing(await findMember(tx, workspaceId, userId), 'person')
  if (caller.userId !== userId) checkMayGive(caller, member.role)
  const { isElsewhere } = await removeMember(tx, workspaceId, member)
  await queries.endInvitationsBy(tx, workspaceId, userId)
  if (isElsewhere) await followRole(tx, userId)
  else await revokeTokensOf(tx, userId)
  tx.wake(TOKENS_CHANGED)
}

/** The caller with the rights that they have under the lock. */
async function lockTeam(tx: Tx, caller: Caller, workspaceId: string): Promise<Caller> {
  await lockWorkspace(tx, workspaceId)
  return callerNow(tx, caller, workspaceId)
}
