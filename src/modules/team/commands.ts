import type { Context } from '../../context/context.ts'
import type { Tx } from '../../db/sql.ts'
import { notThere, wrongUsage } from '../../lib/command-failure.ts'
import { isEmail } from '../../lib/email.ts'
import { many } from '../../lib/many.ts'
import { ROLES, type Role } from '../../lib/roles.ts'
import { listWorkingTokensOf } from '../tokens/queries.ts'
import { followRole } from '../tokens/tokens.ts'
import { allowWorkspaces, findMember, findUserByEmail, lockWorkspace } from '../workspaces/queries.ts'
import { addMember, changeRole, createUser, findNamedWorkspace } from '../workspaces/workspaces.ts'

interface TeamOptions {
  workspace?: string | undefined
  role?: string | undefined
  name?: string | undefined
  existing?: boolean | undefined
  'create-workspaces'?: boolean | undefined
}

export const readRole = (text: string): Role => {
  const role = ROLES.find(name => name === text)
  if (!role) throw wrongUsage(`There is no role "${text}". The roles are ${ROLES.join(', ')}.`, 'overture help server')
  return role
}

/**
 * An account that exists already has tokens, and all of them get what the person gets. The operator sees them first, and says that this is
 * the person that they mean.
 */
export async function confirmAccount(
  tx: Tx,
  email: string,
  { workspace: nameOrId, role, createsWorkspaces = false }: { workspace: string; role: Role; createsWorkspaces?: boolean },
): Promise<void> {
  const user = await findUserByEmail(tx, email.toLowerCase())
  if (!user) return
  const workspace = await findNamedWorkspace(tx, nameOrId)
  const hasRole = workspace !== undefined && (await findMember(tx, workspace.id, user.id))?.role === role
  if (hasRole && (user.createsWorkspaces || !createsWorkspaces)) return
  const tokens = await listWorkingTokensOf(tx, user.id)
  const lines = tokens.map(({ name, lastFour, createdAt }) => `\n  ${name}, ...${lastFour}, created ${createdAt.toISOString()}`)
  throw wrongUsage(
    `${email} has an account with ${many(tokens.length, 'active token')}, which would get the same access:${lines.join('')}`,
    'if this is the right person, repeat the command with --existing',
  )
}

/** The operator needs no permission: a person who runs this has the database. */
export async function runTeamCommand(open: () => Promise<Context>, args: string[], options: TeamOptions): Promise<void> {
  const [verb, email = ''] = args
  if (verb !== 'add' || !isEmail(email) || !options.workspace?.trim()) {
    throw wrongUsage('Specify a person and a workspace.', 'overture user add you@example.com --workspace "Acme" --role member')
  }
  const role = readRole(options.role ?? 'member')
  const nameOrId = options.workspace.trim()
  const { db, testClock } = await open()
  const added = await db.inTransaction(async tx => {
    const workspace = await findNamedWorkspace(tx, nameOrId)
    if (!workspace) throw notThere(`There is no workspace "${nameOrId}".`, 'overture api workspaces.list')
    await lockWorkspace(tx, workspace.id)
    const createsWorkspaces = options['create-workspaces'] ?? false
    if (!options.existing) await confirmAccount(tx, email, { workspace: workspace.id, role, createsWorkspaces })
    const account = { name: options.name ?? email, email, createsWorkspaces }
    const user = (await createUser(tx, account)) ?? (await findUserByEmail(tx, email.toLowerCase()))!
    if (createsWorkspaces) await allowWorkspaces(tx, user.id)
    const known = await findMember(tx, workspace.id, user.id)
    const member = known
      ? await changeRole(tx, workspace.id, known, role)
      : await addMember(tx, workspace.id, user.id, role, testClock.real.now())
    await followRole(tx, user.id)
    return { workspaceId: workspace.id, userId: user.id, email: member.email, role: member.role }
  })
  console.log(JSON.stringify(added, null, 2))
}
