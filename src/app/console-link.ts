import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../context/context.ts'
import type { Tx } from '../db/client.ts'
import { wrongUsage } from '../lib/command-failure.ts'
import { isEmail } from '../lib/email.ts'
import { DAY_MS } from '../lib/time.ts'
import { hashToken } from '../lib/tokens.ts'
import { findCaller } from '../modules/tokens/queries.ts'
import { issueCode } from '../modules/tokens/sessions.ts'
import { ensureUser } from '../modules/workspaces/workspaces.ts'
import { issuePersonalToken } from './personal-token.ts'

/** The file `local.json`, which a local start writes for scripts. */
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
  return existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as LocalFile) : null
}

export const consoleLink = async (tx: Tx, baseUrl: string, tokenId: string): Promise<string> =>
  `${baseUrl}/sign-in?code=${await issueCode(tx, tokenId)}`

/** As long as a session can last at most. */
const TOKEN_LIFETIME_MS = 30 * DAY_MS

/** `overture console-link`: as the person of a local start, or as the one with this address. */
export async function printConsoleLink(ctx: Context, email: string | undefined): Promise<void> {
  if (email !== undefined && !isEmail(email))
    throw wrongUsage(`"${email}" is not an e-mail address.`, 'overture console-link --email you@example.com')
  const local = ctx.config.databaseUrl ? null : await readLocalFile(ctx.config.dir)
  const baseUrl = ctx.config.baseUrl || local?.baseUrl
  if (!baseUrl)
    throw wrongUsage('The address of the console is not known.', 'OVERTURE_BASE_URL=https://overture.example overture console-link')
  const link = await ctx.db.inTransaction(async tx => {
    const tokenId = email ? await tokenFor(tx, email, ctx.testClock.real.now()) : await tokenOf(tx, local)
    return consoleLink(tx, baseUrl, tokenId)
  })
  console.log(link)
}

async function tokenOf(tx: Tx, local: LocalFile | null): Promise<string> {
  const caller = local && (await findCaller(tx, hashToken(local.token), local.workspaceId))
  if (!caller) throw wrongUsage('Name the person who signs in.', 'overture console-link --email you@example.com')
  return caller.id
}

async function tokenFor(tx: Tx, email: string, now: Date): Promise<string> {
  const { userId } = await ensureUser(tx, { name: email, email, workspaceName: 'My workspace' }, now)
  const expiresAt = new Date(now.getTime() + TOKEN_LIFETIME_MS)
  const { row } = await issuePersonalToken(tx, { userId, name: 'console', expiresAt }, now)
  return row.id
}
