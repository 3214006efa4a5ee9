import { parseArgs } from 'node:util'
import { type Config, describeSettings, loadConfig } from '../context/config.ts'
import type { Context } from '../context/context.ts'
import { notThere, wrongUsage } from '../lib/command-failure.ts'
import { isEmail } from '../lib/email.ts'
import { grantCredits } from '../modules/credits/credits.ts'
import { PEOPLE_USAGE, runPeopleCommand } from '../modules/erasures/commands.ts'
import { recomputeMetrics } from '../modules/metrics/tasks.ts'
import { DIRECTORY_OPTIONS, DIRECTORY_USAGE, runDirectoryCommand } from '../modules/people-imports/commands.ts'
import { REPLIES_USAGE, runRepliesCommand } from '../modules/replies/commands.ts'
import { readRole, runTeamCommand, TEAM_USAGE } from '../modules/team/commands.ts'
import { DEFAULT_LIFETIME_MS, issueToken } from '../modules/tokens/tokens.ts'
import { ensureUser, findNamedWorkspace, joinWorkspace } from '../modules/workspaces/workspaces.ts'
import { buildConsole, findBuiltConsole } from './console-build.ts'
import { printConsoleLink } from './console-link.ts'
import { ensureDemo } from './demo/demo.ts'
import { addressOf, asServer, type BegunStart } from './early-start.ts'
import { Lifetime } from './lifetime.ts'
import { openApiDocument } from './openapi-document.ts'
import { asCommand, openContext, rotateSecret } from './opening.ts'
import { showProgress } from './progress.ts'
import { buildApp, consoleOf, VERSION } from './server.ts'
import { Worker } from './worker.ts'

const USAGE = `overture ${VERSION}: commands that use the database directly

  start               run the API and the worker; without DATABASE_URL also an embedded PostgreSQL with demo data
  api | worker        run only one of them, on DATABASE_URL
  migrate             bring the database up to date
  doctor              find what is wrong, and name the command that repairs it
  backup              FILE: write the whole database to one file; the service keeps running
  restore             FILE [--check] [--replace]: restore a backup, completely or not at all
  token create        --email you@example.com [--name You] [--workspace "Acme"] [--role owner]: create a token and print it;
                      --workspace takes an id, or a name of yours: it is created if you have none of that name
${TEAM_USAGE}
  console-link        [--email you@example.com]: print a link that signs in to the console once
  credits grant       --workspace NAME --amount N [--note TEXT]: add credits for lead searches
  secret rotate       encrypt the database with OVERTURE_SECRET_KEY in place of OVERTURE_PREVIOUS_SECRET_KEY
  metrics recompute   [--campaign ID]: compute the metrics again from the event log
${DIRECTORY_USAGE}
${PEOPLE_USAGE}
${REPLIES_USAGE}
  mcp                 serve the tools for agents over standard input and output; set OVERTURE_URL and OVERTURE_TOKEN
  openapi             print the OpenAPI document
  config              print the settings
`

const STOP_LIMIT_MS = 20_000

const OPTIONS = {
  email: { type: 'string' },
  name: { type: 'string' },
  workspace: { type: 'string' },
  campaign: { type: 'string' },
  amount: { type: 'string' },
  note: { type: 'string' },
  role: { type: 'string' },
  ...DIRECTORY_OPTIONS,
  help: { type: 'boolean' },
} as const

function readArgs(args: string[]) {
  try {
    return parseArgs({ args, allowPositionals: true, options: OPTIONS })
  } catch (error) {
    throw wrongUsage((error as Error).message.split('. ', 1)[0]!, 'overture help server')
  }
}

/** The commands that have the database, and the service itself. */
export async function runServerCommand(args: readonly string[], begun: BegunStart | null = null): Promise<void> {
  const { positionals, values } = readArgs([...args])
  const command = positionals.join(' ')
  if (values.help || command === 'help server') return console.log(USAGE)
  if (command === 'openapi') return console.log(JSON.stringify(openApiDocument(), null, 2))
  if (command === 'config') return console.log(describeSettings())

  const config = begun?.config ?? loadConfig(process.env)
  if (command === 'mcp') return (await import('./mcp-stdio.ts')).serveMcp(process.env, config.dir)
  const lifetime = begun?.lifetime ?? new Lifetime()
  // Only two words, because the next may be the address of a person.
  const asking = asCommand(`overture ${positionals.slice(0, 2).join(' ')}`)
  const open = async (): Promise<Context> => (await openContext(config, lifetime, asking)).ctx
  try {
    if (positionals[0] === 'people' && (positionals[1] === 'import' || positionals[1] === 'pull')) {
      return await runDirectoryCommand(await open(), positionals.slice(1), values)
    }
    if (positionals[0] === 'user') return await runTeamCommand(open, positionals.slice(1), values)
    if (positionals[0] === 'replies') return await runRepliesCommand(await open(), positionals.slice(1), values)
    if (positionals[0] === 'people') return await runPeopleCommand(await open(), positionals.slice(1))
    switch (command) {
      case 'start':
        return await start(config, lifetime, command, { api: true, worker: true }, begun)
      case 'api':
        return await start(config, lifetime, command, { api: true, worker: false })
      case 'worker':
        return await start(config, lifetime, command, { api: false, worker: true })
      case 'migrate': {
        const ctx = await open()
        return console.log(`The database is up to date (${/\/([^/?]*)(?:\?|$)/.exec(ctx.db.url)?.[1]}).`)
      }
      case 'token create':
        return await createToken(open, values)
      case 'console-link':
        return await printConsoleLink(await open(), values.email)
      case 'credits grant':
        return await grantFromCommandLine(open, values)
      case 'secret rotate':
        return console.log(await rotateSecret(config, lifetime))
      case 'metrics recompute': {
        const count = await recomputeMetrics((await open()).db, values.campaign ?? null)
        return console.log(`Recomputed the metrics of ${count} campaign${count === 1 ? '' : 's'}.`)
      }
      default:
        throw wrongUsage(`There is no command "${command}".`, 'overture help server')
    }
  } finally {
    setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref()
    await lifetime.end()
  }
}

async function start(
  config: Config,
  lifetime: Lifetime,
  command: string,
  parts: { api: boolean; worker: boolean },
  begun: BegunStart | null = null,
): Promise<void> {
  const signal = begun?.signal ?? lifetime.untilSignal()
  // Tells scripts/run.mjs, which waits for it, that the program is loaded.
  process.send?.('loaded')
  // Nothing waits for this build: a console that cannot be built must not stop the API.
  const built = parts.api ? (parts.worker ? buildConsole(begun?.console) : findBuiltConsole()) : null
  const openServer = () => openContext(config, lifetime, asServer(config, command, parts), begun?.database)
  const { ctx, lock } = await (config.databaseUrl ? openServer() : showProgress(`Starting PostgreSQL in ${config.dir}`, openServer))
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
  config.baseUrl ||= addressOf(config)
  if (parts.api) await lock?.answersAt(addressOf(config))
  if (parts.worker) {
    const worker = new Worker(ctx)
    await worker.start()
    lifetime.add('worker', () => worker.stop())
  }
  if (app) lifetime.add('app', () => app.close())
  const shown = built
    ?.then(folder => consoleOf(ctx).serve(folder))
    .catch(error => ctx.log.error({ err: error }, 'the console is not served'))

  if (!config.databaseUrl) {
    const local = await ensureDemo(ctx)
    await shown
    console.log(
      `\n  Overture ${VERSION} is running at ${config.baseUrl}\n  Sign in (once): ${local.consoleUrl}\n  API reference: ${config.baseUrl}/docs\n  Tokens and ids: ${local.file}\n\n  Ctrl-C stops it.\n`,
    )
  } else {
    ctx.log.info({ api: parts.api, worker: parts.worker, baseUrl: config.baseUrl }, 'started')
  }
  // Otherwise the first brief would wait for the vocabulary. A worker that runs alone may never get a brief.
  if (parts.api && parts.worker) setImmediate(() => void import('../briefs/propose.ts').then(({ warmUpBriefs }) => warmUpBriefs()))
  await signal
  console.log('\nStopping ...')
}

async function createToken(
  open: () => Promise<Context>,
  values: { email?: string | undefined; name?: string | undefined; workspace?: string | undefined; role?: string | undefined },
): Promise<void> {
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
    const issued = await issueToken(
      tx,
      { kind: 'personal', userId, workspaceId: null, name: 'command line', scopes: ['*'], expiresAt },
      now,
    )
    return { token: issued.token, workspaceId: workspace.id }
  })
  console.log(JSON.stringify({ workspaceId, token }, null, 2))
}

async function grantFromCommandLine(
  open: () => Promise<Context>,
  { workspace: named = '', amount = '', note }: { workspace?: string | undefined; amount?: string | undefined; note?: string | undefined },
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
