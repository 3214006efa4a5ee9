import { randomBytes } from 'node:crypto'
import { chmod } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buildContext, closeContext } from '../../src/app/build-context.ts'
import { openInstallationKeys } from '../../src/app/installation-keys.ts'
import { buildApp } from '../../src/app/server.ts'
import { loadConfig } from '../../src/context/config.ts'
import type { Context } from '../../src/context/context.ts'
import { EmbeddedPostgres } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { issueToken } from '../../src/modules/tokens/tokens.ts'
import { ensureUser } from '../../src/modules/workspaces/workspaces.ts'
import { Client, createTestDatabase } from '../harness.ts'
import { makeFolder, overture, type Program } from './processes.ts'

export interface Stage {
  ctx: Context
  /** The server that only this stage uses, and may lose; otherwise the one of all tests. */
  server: EmbeddedPostgres | null
  databaseUrl: string
  workers: Set<Program>
  startWorker(): void
  /** Workers that have begun to work: killing one that is still starting proves nothing. */
  busyWorkers(): Program[]
  /** A person with a workspace, and a token that may do everything. */
  signUp(): Promise<{ client: Client; workspaceId: string; home: string }>
}

/** Nothing that a dying process has said to be done may be lost, so commits wait for the log; only the disk itself is trusted. */
const SETTINGS = { fsync: 'off', max_connections: '200' }

/**
 * An API in this process and workers as processes of their own. PostgreSQL is the one of all tests, unless it is to be killed, too: then only they use
 * it. All of it ends with `act`.
 */
export async function onStage<T>(options: { killsPostgres: boolean }, act: (stage: Stage) => Promise<T>): Promise<T> {
  const folder = await makeFolder()
  await chmod(folder, 0o755) // root runs the test, PostgreSQL runs as somebody else
  const server = options.killsPostgres ? await EmbeddedPostgres.start(join(folder, 'postgres'), SETTINGS) : null
  try {
    const databaseUrl = server ? await makeDatabase(server) : await createTestDatabase()
    const secretKey = randomBytes(32)
    const config = loadConfig({}, { logLevel: 'silent', rateLimitPerMinute: 1_000_000, poolSize: 10, dir: folder, allowLocalTargets: true })
    const { masterKey } = await openInstallationKeys(databaseUrl, { secretKey })
    const ctx = buildContext({ config, databaseUrl, secretKey: masterKey })
    await ctx.wake.listen(databaseUrl)
    const app = await buildApp(ctx)
    await app.listen({ host: '127.0.0.1', port: 0 })
    config.baseUrl = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
    const environment = {
      DATABASE_URL: databaseUrl,
      OVERTURE_SECRET_KEY: secretKey.toString('base64'),
      OVERTURE_BASE_URL: config.baseUrl,
      OVERTURE_DIR: folder,
      OVERTURE_LOG_LEVEL: 'info',
      OVERTURE_ALLOW_LOCAL_TARGETS: 'true',
      OVERTURE_POOL_SIZE: '6',
    }
    const workers = new Set<Program>()
    const startWorker = (): void => {
      const worker = overture(['worker'], environment)
      workers.add(worker)
      void worker.exited.then(() => workers.delete(worker))
    }
    const busyWorkers = (): Program[] => [...workers].filter(worker => worker.output.includes('"msg":"started"'))
    try {
      return await act({ ctx, server, databaseUrl, workers, startWorker, busyWorkers, signUp: () => signUp(ctx) })
    } finally {
      await Promise.all([...workers].map(worker => worker.end('SIGKILL')))
      await app.close()
      await closeContext(ctx)
    }
  } finally {
    await server?.stop()
    await server?.remove()
  }
}

async function makeDatabase(server: EmbeddedPostgres): Promise<string> {
  await server.createDatabase('faults')
  await migrate(server.url('faults'))
  return server.url('faults')
}

export const signUp = (ctx: Context): ReturnType<Stage['signUp']> =>
  ctx.db.inTransaction(async tx => {
    const now = new Date()
    const { userId, workspace } = await ensureUser(tx, { name: 'Ada', email: 'ada@example.com', workspaceName: 'Faults' }, now)
    const { token } = await issueToken(
      tx,
      { kind: 'personal', userId, workspaceId: null, name: 'faults', scopes: ['*'], expiresAt: null },
      now,
    )
    return { client: new Client(ctx.config.baseUrl, token), workspaceId: workspace.id, home: `/v1/workspaces/${workspace.id}` }
  })

/** A window that is open all day, in a zone in which midnight is far away: it must not close during the run. */
export function openAllDay(): { daysOfWeek: string[]; timeWindow: { start: string; end: string }; timezone: string } {
  const hour = new Date().getUTCHours()
  return {
    daysOfWeek: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
    timeWindow: { start: '00:00', end: '23:59' },
    timezone: hour >= 6 && hour < 18 ? 'UTC' : 'Pacific/Auckland',
  }
}
