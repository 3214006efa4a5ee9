import type { Context } from '../context/context.ts'
import { notThere, wrongUsage } from '../lib/command-failure.ts'
import { isEmail } from '../lib/email.ts'
import { grantCredits } from '../modules/credits/credits.ts'
import { readRole } from '../modules/team/commands.ts'
import { DEFAULT_LIFETIME_MS } from '../modules/tokens/tokens.ts'
import { ensureUser, findNamedWorkspace, joinWorkspace } from '../modules/workspaces/workspaces.ts'
import { issuePersonalToken } from './personal-token.ts'

interface AccountValues {
  email?: string | undefined
  name?: string | undefined
  workspace?: string | undefined
  role?: string | undefined
  amount?: string | undefined
  note?: string | undefined
}

/** `overture token create` */
export async function createToken(open: () => Promise<Context>, values: AccountValues): Promise<void> {
  const { email } = values
  if (!email || !isEmail(email)) {
    throw wrongUsage('Name the owner of the token by an e-mail address.', 'overture token create --email you@example.com')
  }
  const role = readRole(values.role ?? 'owner')
  const ctx = await open()
  const now = ctx.testClock.real.now()
  const { token, workspaceId } = await ctx.db.inTransaction(async tx => {
    const user = { name: values.name ?? email, email }
    const { userId, workspace } = values.workspace?.trim()
      ? await joinWorkspace(tx, user, values.workspace.trim(), role, now)
      : await ensureUser(tx, { ...user, workspaceName: 'My workspace' }, now)
    const expiresAt = new Date(now.getTime() + DEFAULT_LIFETIME_MS)
    const issued = await issuePersonalToken(tx, userId, 'command line', expiresAt, now)
    return { token: issued.token, workspaceId: workspace.id }
  })
  console.log(JSON.stringify({ workspaceId, token }, null, 2))
}

/** `overture credits grant` */
export async function grantFromCommandLine(
  open: () => Promise<Context>,
  { workspace: named = '', amount = '', note }: AccountValues,
): Promise<void> {
  if (!named.trim() || !/^[1-9]\d{0,8}$/.test(amount)) {
    throw wrongUsage('Name the workspace and the amount.', 'overture credits grant --workspace "Acme" --amount 1000')
  }
  const { db, clock } = await open()
  const granted = await db.inTransaction(async tx => {
    const workspace = await findNamedWorkspace(tx, named)
    if (!workspace) throw notThere(`There is no workspace "${named}".`, 'overture api workspaces.list')
    const entry = await grantCredits(tx, workspace.id, Number(amount), clock.now(), note ?? null)
    return { workspaceId: workspace.id, entryId: entry!.id, granted: entry!.amount }
  })
  console.log(JSON.stringify(granted, null, 2))
}
