import type { Context } from '../../context/context.ts'
import { notThere, wrongUsage } from '../../lib/command-failure.ts'
import { isEmail } from '../../lib/email.ts'
import { ROLES, type Role } from '../../lib/roles.ts'
import { addMember, changeRole, createUser, findMember, findUserByEmail, lockTeam } from '../workspaces/members.ts'
import { findNamedWorkspace } from '../workspaces/workspaces.ts'

interface TeamOptions {
  workspace?: string | undefined
  role?: string | undefined
  name?: string | undefined
}

export const readRole = (text: string): Role => {
  const role = ROLES.find(name => name === text)
  if (!role) throw wrongUsage(`There is no role "${text}". There are ${ROLES.join(', ')}.`, 'overture help server')
  return role
}

/** The operator needs no permission: a person who runs this has the database. */
export async function runTeamCommand(open: () => Promise<Context>, args: string[], options: TeamOptions): Promise<void> {
  const [verb, email = ''] = args
  if (verb !== 'add' || !isEmail(email) || !options.workspace?.trim()) {
    throw wrongUsage('Name the person and the workspace.', 'overture user add you@example.com --workspace "Acme" --role member')
  }
  const role = readRole(options.role ?? 'member')
  const nameOrId = options.workspace.trim()
  const { db, testClock } = await open()
  const added = await db.inTransaction(async tx => {
    const workspace = await findNamedWorkspace(tx, nameOrId)
    if (!workspace) throw notThere(`There is no workspace "${nameOrId}".`, 'overture api workspaces.list')
    await lockTeam(tx, workspace.id)
    const user = (await createUser(tx, options.name ?? email, email)) ?? (await findUserByEmail(tx, email.toLowerCase()))!
    const known = await findMember(tx, workspace.id, user.id)
    const member = known
      ? await changeRole(tx, workspace.id, known, role)
      : await addMember(tx, workspace.id, user.id, role, testClock.real.now())
    return { workspaceId: workspace.id, userId: user.id, email: member.email, role: member.role }
  })
  console.log(JSON.stringify(added, null, 2))
}
