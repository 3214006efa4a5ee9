import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../context/context.ts'
import type { Tx } from '../db/sql.ts'
import { OPERATOR_SCOPES } from '../http/access.ts'
import { isRecord, parsedJson } from '../lib/canonical-json.ts'
import { notThere, wrongUsage } from '../lib/command-failure.ts'
import { isEmail } from '../lib/email.ts'
import { isUuid } from '../lib/ids.ts'
import { DAY_MS } from '../lib/time.ts'
import { hashToken } from '../lib/tokens.ts'
import { grantCredits } from '../modules/credits/credits.ts'
import { confirmAccount, readRole } from '../modules/team/commands.ts'
import { findCaller } from '../modules/tokens/queries.ts'
import { issueCode } from '../modules/tokens/sessions.ts'
import { DEFAULT_LIFETIME_MS, issueToken } from '../modules/tokens/tokens.ts'
import { ensureUser, findNamedWorkspace, joinWorkspace } from '../modules/workspaces/workspaces.ts'

interface PersonalToken {
  userId: string
  name: string
  expiresAt: Date | null
  /** It may do what belongs to the operator of the installation, too. */
  isOperator?: boolean
}

/** A token of a person for every workspace of that person, with all scopes: for commands of the operator, and for local starts. */
export const issuePersonalToken = (tx: Tx, { isOperator, ...token }: PersonalToken, now: Date) =>
  issueToken(tx, { ...token, kind: 'personal', workspaceId: null, scopes: ['*', ...(isOperator ? OPERATOR_SCOPES : [])] }, now)

type AccountValues = { [name in 'email' | 'name' | 'workspace' | 'role' | 'amount' | 'note']?: string | undefined } & {
  [name in 'operator' | 'existing']?: boolean | undefined
}

/** `overture token create` */
export async function createToken(open: () => Promise<Context>, values: AccountValues): Promise<void> {
  const { email } = values
  if (!email || !isEmail(email)) {
    throw wrongUsage('Specify the email address of the token owner.', 'overture token create --email you@example.com')
  }
  const role = readRole(values.role ?? 'owner')
  const ctx = await open()
  const now = ctx.testClock.real.now()
  const { token, workspaceId } = await ctx.db.inTransaction(async tx => {
    const user = { name: values.name ?? email, email }
    const named = values.workspace?.trim()
    // By its name, only a workspace of their own is found.
    if (named && isUuid(named) && !values.existing) await confirmAccount(tx, email, { workspace: named, role })
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
export async function grantFromCommandLine(open: () => Promise<Context>, { workspace: named = '', amount = '', note }: AccountValues) {
  if (!named.trim() || !/^[1-9]\d{0,8}$/.test(amount)) {
    throw wrongUsage('Specify a workspace and an amount.', 'overture credits grant --workspace "Acme" --amount 1000')
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

export interface LocalFile {
  baseUrl: string
  /** A link that signs in to the console, once. */
  consoleUrl: string
  workspaceId: string
  token: string
  orgKey: string
}

export async function readLocalFile(dir: string): Promise<LocalFile | null> {
  const file = join(dir, 'local.json')
  const local = existsSync(file) ? parsedJson(await readFile(file, 'utf8')) : null
  if (!isRecord(local) || !isUuid(String(local.workspaceId))) return null
  // The next start makes a damaged file again.
  const isWhole = [local.baseUrl, local.token, local.orgKey].every(value => typeof value === 'string')
  return isWhole ? (local as unknown as LocalFile) : null
}

export const consoleLink = async (tx: Tx, baseUrl: string, tokenId: string): Promise<string> =>
  `${baseUrl}/sign-in?code=${await issueCode(tx, tokenId)}`

/** As long as a session can last at most. */
const TOKEN_LIFETIME_MS = 30 * DAY_MS

/** `overture console-link`: as the person of a local start, or as the one with this address. */
export async function printConsoleLink(ctx: Context, email: string | undefined): Promise<void> {
  if (email !== undefined && !isEmail(email))
    throw wrongUsage(`"${email}" is not an email address.`, 'overture console-link --email you@example.com')
  const local = ctx.config.databaseUrl ? null : await readLocalFile(ctx.config.dir)
  const baseUrl = ctx.config.baseUrl || local?.baseUrl
  if (!baseUrl)
    throw wrongUsage('The address of the console is unknown.', 'OVERTURE_BASE_URL=https://overture.example overture console-link')
  const link = await ctx.db.inTransaction(async tx => {
    const tokenId = email ? await tokenFor(tx, email, ctx.testClock.real.now()) : await tokenOf(tx, local)
    return consoleLink(tx, baseUrl, tokenId)
  })
  console.log(link)
}

async function tokenOf(tx: Tx, local: LocalFile | null): Promise<string> {
  const caller = local && (await findCaller(tx, hashToken(local.token), local.workspaceId))
  if (!caller) throw wrongUsage('Specify who signs in.', 'overture console-link --email you@example.com')
  return caller.id
}

async function tokenFor(tx: Tx, email: string, now: Date): Promise<string> {
  const { userId } = await ensureUser(tx, { name: email, email, workspaceName: 'My workspace' }, now)
  const expiresAt = new Date(now.getTime() + TOKEN_LIFETIME_MS)
  const { row } = await issuePersonalToken(tx, { userId, name: 'console', expiresAt }, now)
  return row.id
}

export function makeRehearsalAccount(ctx: Context): Promise<{ token: string; workspaceId: string }> {
  const now = ctx.testClock.real.now()
  return ctx.db.inTransaction(async tx => {
    const user = { name: 'Rehearsal', email: 'rehearsal@overture.example', workspaceName: 'Rehearsal' }
    const { userId, workspace } = await ensureUser(tx, user, now)
    const issued = await issuePersonalToken(tx, { userId, name: 'rehearsal', expiresAt: null, isOperator: true }, now)
    return { token: issued.token, workspaceId: workspace.id }
  })
}
