import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureDemo } from './app/demo/demo.ts'
import { Lifetime } from './app/lifetime.ts'
import { openContext, rotateSecret } from './app/opening.ts'
import { buildApp, openApiDocument, VERSION } from './app/server.ts'
import { Worker } from './app/worker.ts'
import { warmUpBriefs } from './briefs/propose.ts'
import { type Config, describeSettings, loadConfig } from './context/config.ts'
import type { Context } from './context/context.ts'
import { PEOPLE_USAGE, runPeopleCommand } from './modules/erasures/commands.ts'
import { recomputeMetrics } from './modules/metrics/metrics.ts'
import { LEADS_OPTIONS, LEADS_USAGE, runLeadsCommand } from './modules/people-imports/commands.ts'
import { DEFAULT_LIFETIME_MS, issueToken } from './modules/tokens/tokens.ts'
import { ensureUser } from './modules/workspaces/workspaces.ts'

const USAGE = `overture ${VERSION}

  start               API, worker and, without DATABASE_URL, an embedded PostgreSQL with demo data
  api | worker        one of them alone, on DATABASE_URL
  migrate             bring the database up to date
  token create        --email you@example.com [--name You] [--workspace "Acme"]: the first token of an installation
  secret rotate       seal the database under OVERTURE_SECRET_KEY instead of OVERTURE_PREVIOUS_SECRET_KEY
  metrics recompute   [--campaign ID]: fold the metrics again from the event log
${LEADS_USAGE}
${PEOPLE_USAGE}
  openapi             print the OpenAPI document
  config              print the settings
`

const STOP_LIMIT_MS = 20_000

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      email: { type: 'string' },
      name: { type: 'string' },
      workspace: { type: 'string' },
      campaign: { type: 'string' },
      ...LEADS_OPTIONS,
      help: { type: 'boolean' },
    },
  })
  const command = positionals.join(' ')
  if (values.help || command === '' || command === 'help') return console.log(USAGE)
  if (command === 'openapi') return console.log(JSON.stringify(openApiDocument(), null, 2))
  if (command === 'config') return console.log(describeSettings())

  const config = loadConfig(process.env)
  const lifetime = new Lifetime()
  try {
    if (positionals[0] === 'leads') {
      return await runLeadsCommand(await openContext(config, lifetime), positionals.slice(1), values)
    }
    if (positionals[0] === 'people') return await runPeopleCommand(await openContext(config, lifetime), positionals.slice(1))
    switch (command) {
      case 'start':
        return await start(config, lifetime, { api: true, worker: true })
      case 'api':
        return await start(config, lifetime, { api: true, worker: false })
      case 'worker':
        return await start(config, lifetime, { api: false, worker: true })
      case 'migrate': {
        const ctx = await openContext(config, lifetime)
        return console.log(`The database is up to date (${/\/([^/?]*)(?:\?|$)/.exec(ctx.db.url)?.[1]}).`)
      }
      case 'token create':
        return await createFirstToken(await openContext(config, lifetime), values)
      case 'secret rotate':
        return console.log(await rotateSecret(config, lifetime))
      case 'metrics recompute': {
        const count = await recomputeMetrics((await openContext(config, lifetime)).db, values.campaign ?? null)
        return console.log(`Recomputed the metrics of ${count} campaign${count === 1 ? '' : 's'}.`)
      }
      default:
        console.error(`There is no command "${command}".\n\n${USAGE}`)
        process.exitCode = 2
    }
  } finally {
    setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref()
    await lifetime.end()
  }
}

async function start(config: Config, lifetime: Lifetime, parts: { api: boolean; worker: boolean }): Promise<void> {
  const signal = lifetime.untilSignal()
  if (!config.databaseUrl) await refuseSecondStart(config)
  // What an earlier run has left behind is ended and started anew: this process is the one that looks after it.
  const ctx = await openContext(config, lifetime, { joinsRunning: false })
  await ctx.wake.listen(ctx.db.url)

  const app = parts.api ? await buildApp(ctx) : null
  if (app) {
    await app.listen({ host: config.host, port: config.port }).catch(error => {
      if ((error as { code?: string }).code !== 'EADDRINUSE') throw error
      throw new Error(`Port ${config.port} is taken. Choose another: PORT=8081 npm start`)
    })
    config.port = (app.server.address() as { port: number }).port
  }
  // Links are made by the worker too, so one that runs alone assumes the address that the API would have here.
  config.baseUrl ||= `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${config.port}`
  if (parts.worker) {
    const worker = new Worker(ctx)
    await worker.start()
    lifetime.add('worker', () => worker.stop())
  }
  if (app) lifetime.add('app', () => app.close())

  if (!config.databaseUrl) {
    const local = await ensureDemo(ctx)
    console.log(
      `\n  Overture ${VERSION} is running at ${config.baseUrl}\n  API reference: ${config.baseUrl}/docs\n  Tokens and ids: ${local.file}\n\n  Ctrl-C stops it.\n`,
    )
  } else {
    ctx.log.info({ api: parts.api, worker: parts.worker, baseUrl: config.baseUrl }, 'started')
  }
  // The first brief would otherwise pay for loading the vocabulary. A worker that runs alone may never be asked for one.
  if (parts.api && parts.worker) setImmediate(warmUpBriefs)
  await signal
  console.log('\nStopping ...')
}

/** Two servers on one folder would fight over one database; the second says where the first is. */
async function refuseSecondStart(config: Config): Promise<void> {
  const file = join(config.dir, 'local.json')
  if (!existsSync(file)) return
  const { baseUrl } = JSON.parse(await readFile(file, 'utf8')) as { baseUrl: string }
  const answer = await fetch(`${baseUrl}/healthz`, { signal: AbortSignal.timeout(500) }).catch(() => null)
  const body = answer ? ((await answer.json().catch(() => null)) as { dir?: string } | null) : null
  if (body?.dir === config.dir)
    throw new Error(`Overture is already running on ${config.dir} at ${baseUrl}. OVERTURE_DIR names another folder.`)
}

async function createFirstToken(
  ctx: Context,
  values: { email?: string | undefined; name?: string | undefined; workspace?: string | undefined },
): Promise<void> {
  const { email } = values
  if (!email) throw new Error('Say whose token it is: overture token create --email you@example.com')
  const now = ctx.clock.now()
  const { token, workspaceId } = await ctx.db.inTransaction(async tx => {
    const { userId, workspace } = await ensureUser(
      tx,
      { name: values.name ?? email, email, workspaceName: values.workspace ?? 'My workspace' },
      now,
    )
    const expiresAt = new Date(now.getTime() + DEFAULT_LIFETIME_MS)
    const issued = await issueToken(
      tx,
      { kind: 'personal', userId, workspaceId: null, name: 'command line', scopes: ['*'], expiresAt },
      now,
    )
    return { token: issued.token, workspaceId: workspace.id }
  })
  console.log(JSON.stringify({ workspaceId, token }, null, 2))
}

main().then(
  () => process.exit(),
  error => {
    console.error(error instanceof Error ? error.message : error)
    if (process.env.OVERTURE_LOG_LEVEL === 'debug') console.error(error)
    process.exit(1)
  },
)
