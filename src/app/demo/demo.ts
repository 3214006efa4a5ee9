import { existsSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../../context/context.ts'
import { DAY_MS } from '../../lib/time.ts'
import { hashToken } from '../../lib/tokens.ts'
import { grantCredits } from '../../modules/credits/credits.ts'
import { findCaller } from '../../modules/tokens/queries.ts'
import { issueToken } from '../../modules/tokens/tokens.ts'
import { ensureUser } from '../../modules/workspaces/workspaces.ts'
import { createDemoCampaigns } from './campaigns.ts'
import { ensureDemoDirectory } from './directory.ts'

interface LocalFile {
  baseUrl: string
  workspaceId: string
  token: string
  orgKey: string
}

const DEMO_CREDITS = 10_000

/** The workspace that a local start opens with, and the file that tells scripts how to reach it. Made once, found again later. */
export async function ensureDemo(ctx: Context, tell: (text: string) => void): Promise<LocalFile & { file: string }> {
  const file = join(ctx.config.dir, 'local.json')
  const known = existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as LocalFile) : null
  await ensureDemoDirectory(ctx, tell)
  const local = known && (await works(ctx, known)) ? { ...known, baseUrl: ctx.config.baseUrl } : await create(ctx)
  await writeFile(`${file}.new`, `${JSON.stringify(local, null, 2)}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
  return { ...local, file }
}

async function works(ctx: Context, local: LocalFile): Promise<boolean> {
  const found = await Promise.all([local.token, local.orgKey].map(token => findCaller(ctx.db, hashToken(token), local.workspaceId)))
  return found.every(caller => caller?.reachesWorkspace)
}

async function create(ctx: Context): Promise<LocalFile> {
  const now = ctx.clock.now()
  return ctx.db.inTransaction(async tx => {
    const { userId, workspace, isNew } = await ensureUser(
      tx,
      { name: 'Demo', email: 'demo@overture.example', workspaceName: 'Demo workspace' },
      now,
    )
    const expiresAt = new Date(now.getTime() + 10 * 365 * DAY_MS)
    const personal = await issueToken(
      tx,
      { kind: 'personal', userId, workspaceId: null, name: 'local start', scopes: ['*'], expiresAt },
      now,
    )
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
