import type { Context } from '../context/context.ts'
import { notThere, wrongUsage } from '../lib/command-failure.ts'
import { isEmail } from '../lib/email.ts'
import { isUuid } from '../lib/ids.ts'
import { grantCredits } from '../modules/credits/credits.ts'
import { confirmAccount, readRole } from '../modules/team/commands.ts'
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
  operator?: boolean | undefined
  existing?: boolean | undefined
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
    const named = values.workspace?.trim()
    // By its name, only a workspace of their own is found.
    if (named && isUuid(named) && !values.existing) await confirmAccount(tx, email, named, role)
    const { userId, workspace } = named
      ? await joinWorkspace(tx, user, named, role, now)
      : await ensureUser(tx, { ...user, workspaceName: 'My workspace' }, now)
    const expiresAt = new Date(now.getTime() + DEFAULT_LIFETIME_MS)
    const issued = await issuePersonalToken(tx, { userId, name: 'command line', expiresAt, isOperator: values.operator ?? false }, now)
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
