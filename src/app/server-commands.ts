import { parseArgs } from 'node:util'
import pkg from '../../package.json' with { type: 'json' }
import { describeSettings, loadConfig } from '../context/config.ts'
import type { Context } from '../context/context.ts'
import { notThere, wrongUsage } from '../lib/command-failure.ts'
import { isEmail } from '../lib/email.ts'
import { many } from '../lib/many.ts'
import { grantCredits } from '../modules/credits/credits.ts'
import { PEOPLE_USAGE, runPeopleCommand } from '../modules/erasures/commands.ts'
import { recomputeMetrics } from '../modules/metrics/tasks.ts'
import { DIRECTORY_OPTIONS, DIRECTORY_USAGE, runDirectoryCommand } from '../modules/people-imports/commands.ts'
import { REPLIES_USAGE, runRepliesCommand } from '../modules/replies/commands.ts'
import { readRole, runTeamCommand, TEAM_USAGE } from '../modules/team/commands.ts'
import { DEFAULT_LIFETIME_MS } from '../modules/tokens/tokens.ts'
import { ensureUser, findNamedWorkspace, joinWorkspace } from '../modules/workspaces/workspaces.ts'
import { printConsoleLink } from './console-link.ts'
import type { BegunStart } from './early-start.ts'
import { Lifetime } from './lifetime.ts'
import { asCommand, openContext, rotateSecret } from './opening.ts'
import { issuePersonalToken } from './personal-token.ts'

const USAGE = `overture ${pkg.version}: commands that use the database directly

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

type Values = ReturnType<typeof readArgs>['values']

/** The commands that have the database, and the service itself, which takes as long to load as all of them: only what runs it loads it. */
export async function runServerCommand(args: readonly string[], begun: BegunStart | null = null): Promise<void> {
  const { positionals, values } = readArgs([...args])
  const command = positionals.join(' ')
  if (values.help || command === 'help server') return console.log(USAGE)
  if (command === 'openapi') return console.log(JSON.stringify((await import('./openapi-document.ts')).openApiDocument(), null, 2))
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
      case 'api':
      case 'worker': {
        const parts = { api: command !== 'worker', worker: command !== 'api' }
        return await (await import('./start-service.ts')).startService(config, lifetime, command, parts, begun)
      }
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
        return console.log(`Recomputed the metrics of ${many(count, 'campaign')}.`)
      }
      default:
        throw wrongUsage(`There is no command "${command}".`, 'overture help server')
    }
  } finally {
    setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref()
    // The PostgreSQL that is being started belongs to the lifetime only once it has started.
    await begun?.database.catch(() => {})
    await lifetime.end()
  }
}

async function createToken(open: () => Promise<Context>, values: Values): Promise<void> {
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

async function grantFromCommandLine(open: () => Promise<Context>, { workspace: named = '', amount = '', note }: Values): Promise<void> {
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
