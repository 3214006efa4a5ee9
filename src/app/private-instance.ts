import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PrivateService } from '../cli/shell.ts'
import { loadConfig } from '../context/config.ts'
import { ensureUser } from '../modules/workspaces/workspaces.ts'
import { Lifetime } from './lifetime.ts'
import { openContext } from './opening.ts'
import { issuePersonalToken } from './personal-token.ts'
import { buildApp } from './server.ts'
import { Worker } from './worker.ts'

/**
 * A complete Overture for one command, in its own folder and on its own port, deleted afterwards. It reads no settings from the
 * environment, so it uses no external database, language model or object store, and has only sandbox mailboxes.
 */
export async function startPrivateInstance(): Promise<PrivateService> {
  const lifetime = new Lifetime()
  const ended = lifetime.untilSignal()
  const stop = () => lifetime.end()
  try {
    const dir = await mkdtemp(join(tmpdir(), 'overture-private-'))
    lifetime.add('folder', () => rm(dir, { recursive: true, force: true }))
    // No timer sends anything: the code that moves the test clock runs the work, so that everything happens in order.
    const config = loadConfig({}, { dir, port: 0, logLevel: 'silent', sendsMail: false, demoPeople: 0, rateLimitPerMinute: 1_000_000 })
    const asking = { command: 'overture rehearse', address: null, isServer: true, migrates: true, isPassing: true }
    const { ctx } = await openContext(config, lifetime, asking)
    await ctx.wake.listen(ctx.db.url)
    const worker = new Worker(ctx)
    await worker.start()
    lifetime.add('worker', () => worker.stop())
    const app = await buildApp(ctx)
    lifetime.add('app', () => app.close())
    await app.listen({ host: config.host, port: 0 })
    config.baseUrl = `http://${config.host}:${(app.server.address() as { port: number }).port}`
    const now = ctx.testClock.real.now()
    const { token, workspaceId } = await ctx.db.inTransaction(async tx => {
      const user = { name: 'Rehearsal', email: 'rehearsal@overture.example', workspaceName: 'Rehearsal' }
      const { userId, workspace } = await ensureUser(tx, user, now)
      const issued = await issuePersonalToken(tx, { userId, name: 'rehearsal', expiresAt: null, isOperator: true }, now)
      return { token: issued.token, workspaceId: workspace.id }
    })
    return { url: config.baseUrl, token, workspaceId, ended, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
