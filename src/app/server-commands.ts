import { parseArgs } from 'node:util'
import pkg from '../../package.json' with { type: 'json' }
import { describeSettings, loadConfig } from '../context/config.ts'
import type { Context } from '../context/context.ts'
import { wrongUsage } from '../lib/command-failure.ts'
import { many } from '../lib/many.ts'
import { ROLES } from '../lib/roles.ts'
import { asCommand, type BegunStart, Lifetime, openContext, rotateSecret, startService } from './boot.ts'

// Every command loads its own code only: all of it together takes longer to load than most commands take to run.

const USAGE = `overture ${pkg.version}: commands that use the database directly

  start               run the API and the worker; without DATABASE_URL also an embedded PostgreSQL with demo data
  api | worker        run only one of the two; needs DATABASE_URL
  migrate             migrate the database
  doctor              find problems, each with the command that fixes it
  backup              FILE: write the whole database to one file, while the service keeps running
  restore             FILE [--check] [--replace]: restore a backup, completely or not at all
  token create        --email you@example.com [--name You] [--workspace "Acme"] [--role owner] [--operator]: create a token and print it;
                      --workspace takes an id, or a name of yours: it is created if you have none of that name;
                      --operator: the token may grant credits, too
  user add            EMAIL --workspace "Acme" [--role ${ROLES.join('|')}] [--name You] [--create-workspaces]: add a
                      person to a workspace, as a member by default, or change their role; console-link --email EMAIL signs them in;
                      --existing: the account with this address is the person that you mean
  console-link        [--email you@example.com]: print a link that signs in to the console once
  credits grant       --workspace NAME --amount N [--note TEXT]: add credits for lead searches
  secret rotate       encrypt the master key with OVERTURE_SECRET_KEY in place of OVERTURE_PREVIOUS_SECRET_KEY; locally, with a new key
  metrics recompute   [--campaign ID]: compute the metrics again from the event log
  people import       FILE.csv [--map email=Mail] [--verify] [--probe-from you@example.com] [--again] [--workspace ID]: fill the lead directory, or import people for one workspace
  people pull         SOURCE.json [--filters JSON] [--limit 100] [--key-file FILE]: fetch people from a data provider
  people erase        EMAIL: erase a person from the lead directory and from every workspace
  replies export-corrections
                      [--workspace ID]: print the corrections that people made, one labeled reply per line, for npm run bench -- replies
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
  operator: { type: 'boolean' },
  existing: { type: 'boolean' },
  'create-workspaces': { type: 'boolean' },
  map: { type: 'string', multiple: true },
  verify: { type: 'boolean' },
  'probe-from': { type: 'string' },
  again: { type: 'boolean' },
  filters: { type: 'string' },
  limit: { type: 'string' },
  'key-file': { type: 'string' },
  help: { type: 'boolean' },
} as const

function readArgs(args: string[]) {
  try {
    return parseArgs({ args, allowPositionals: true, options: OPTIONS })
  } catch (error) {
    throw wrongUsage((error as Error).message.split('. ', 1)[0]!, 'overture help server')
  }
}

/** The commands that have the database, and the service itself, which takes as long to load as all of them: only what runs it loads it. */
export async function runServerCommand(args: readonly string[], begun: BegunStart | null = null): Promise<void> {
  const { positionals, values } = readArgs([...args])
  const command = positionals.join(' ')
  if (values.help || command === 'help server') return console.log(USAGE)
  if (command === 'openapi') return console.log(JSON.stringify((await import('./openapi-document.ts')).openApiDocument(), null, 2))
  if (command === 'config') return console.log(describeSettings())

  const config = begun?.config ?? loadConfig(process.env)
  if (command === 'mcp') return (await import('./mcp.ts')).serveMcp(process.env, config.dir)
  const lifetime = begun?.lifetime ?? new Lifetime()
  // Only two words, because the next may be the address of a person.
  const asking = asCommand(`overture ${positionals.slice(0, 2).join(' ')}`)
  const open = async (): Promise<Context> => (await openContext(config, lifetime, asking)).ctx
  try {
    const [noun, ...words] = positionals
    if (noun === 'people') {
      const { runDirectoryCommand, runErasureCommand } = await import('../modules/people/commands.ts')
      if (words[0] === 'import' || words[0] === 'pull') return await runDirectoryCommand(await open(), words, values)
      const { erasePerson } = await import('./erase-person.ts')
      return await runErasureCommand(await open(), words, erasePerson)
    }
    if (noun === 'user') return await (await import('../modules/team/commands.ts')).runTeamCommand(open, words, values)
    if (noun === 'replies') return await (await import('../modules/replies/commands.ts')).runRepliesCommand(await open(), words, values)
    switch (command) {
      case 'start':
      case 'api':
      case 'worker': {
        const parts = { api: command !== 'worker', worker: command !== 'api' }
        return await startService(config, lifetime, command, parts, begun)
      }
      case 'migrate': {
        const ctx = await open()
        return console.log(`The database is up to date (${/\/([^/?]*)(?:\?|$)/.exec(ctx.db.url)?.[1]}).`)
      }
      case 'token create':
        return await (await import('./account-commands.ts')).createToken(open, values)
      case 'console-link':
        return await (await import('./account-commands.ts')).printConsoleLink(await open(), values.email)
      case 'credits grant':
        return await (await import('./account-commands.ts')).grantFromCommandLine(open, values)
      case 'secret rotate':
        return console.log(await rotateSecret(config, lifetime))
      case 'metrics recompute': {
        const { recomputeMetrics } = await import('../modules/metrics/tasks.ts')
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
