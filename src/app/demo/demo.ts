import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../../context/context.ts'
import { patiently } from '../../db/startup.ts'
import { DAY_MS } from '../../lib/time.ts'
import { hashToken } from '../../lib/tokens.ts'
import { grantCredits } from '../../modules/credits/credits.ts'
import { findCaller } from '../../modules/tokens/queries.ts'
import { issueToken } from '../../modules/tokens/tokens.ts'
import { ensureUser } from '../../modules/workspaces/workspaces.ts'
import { consoleLink, issuePersonalToken, type LocalFile, readLocalFile } from '../account-commands.ts'
import { showProgress } from '../start-output.ts'
import { createDemoCampaigns } from './campaigns.ts'
import { ensureDemoDirectory } from './directory.ts'

type Made = Omit<LocalFile, 'consoleUrl'>

const DEMO_CREDITS = 10_000

/** The workspace that a local start opens with, and the file that tells scripts how to reach it. Made once, found again later. */
export async function ensureDemo(ctx: Context): Promise<LocalFile & { file: string }> {
  const file = join(ctx.config.dir, 'local.json')
  const known = await readLocalFile(ctx.config.dir)
  // Side by side: one is mostly the work of PostgreSQL, the other mostly ours.
  const [made] = await Promise.all([patiently(() => findOrCreate(ctx, known)), patiently(() => ensureDemoDirectory(ctx))])
  const local: LocalFile = { ...made, consoleUrl: await patiently(() => linkFor(ctx, made)) }
  await writeFile(`${file}.new`, `${JSON.stringify(local, null, 2)}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
  return { ...local, file }
}

async function findOrCreate(ctx: Context, known: LocalFile | null): Promise<Made> {
  if (known && (await works(ctx, known))) return { ...known, baseUrl: ctx.config.baseUrl }
  return showProgress('Making the demo workspace (once)', () => create(ctx))
}

/** Each start makes a new one: the one before may have been used. */
async function linkFor(ctx: Context, { token, workspaceId, baseUrl }: Made): Promise<string> {
  const caller = await findCaller(ctx.db, hashToken(token), workspaceId)
  return ctx.db.inTransaction(tx => consoleLink(tx, baseUrl, caller!.id))
}

async function works(ctx: Context, local: Made): Promise<boolean> {
  const found = await Promise.all([local.token, local.orgKey].map(token => findCaller(ctx.db, hashToken(token), local.workspaceId)))
  return found.every(caller => caller?.reachesWorkspace)
}

async function create(ctx: Context): Promise<Made> {
  const now = ctx.clock.now()
  return ctx.db.inTransaction(async tx => {
    const { userId, workspace, isNew } = await ensureUser(
      tx,
      { name: 'Demo', email: 'demo@overture.example', workspaceName: 'Demo workspace' },
      now,
    )
    const expiresAt = new Date(now.getTime() + 10 * 365 * DAY_MS)
    const personal = await issuePersonalToken(tx, { userId, name: 'local start', expiresAt, isOperator: true }, now)
    const key = await issueToken(
      tx,
      { kind: 'organization', userId: null, workspaceId: workspace.id, name: 'local start', scopes: ['*'], expiresAt: null },
      now,
    )
    if (isNew) {
      await grantCredits(tx, workspace.id, DEMO_CREDITS, now)
      await createDemoCampaigns(tx, ctx, workspace.id)
    }
    return { baseUrl: ctx.config.baseUrl, workspaceId: workspace.id, token: personal.token, orgKey: key.token }
  })
}
