import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import pkg from '../../package.json' with { type: 'json' }
import { describeSettings, loadConfig } from '../context/config.ts'
import type { Context } from '../context/context.ts'
import { wrongUsage } from '../lib/command-failure.ts'
import { many } from '../lib/many.ts'
import { ROLES } from '../lib/roles.ts'
import { asCommand, type BegunStart, Lifetime, openContext, rotateSecret, startService } from './boot.ts'

// Every command loads its own code only: all of it together takes longer to load than most commands take to run.

const usage = (): string =>
  readFileSync(new URL('./server-usage.txt', import.meta.url), 'utf8')
    .replace('{version}', pkg.version)
    .replace('{roles}', ROLES.join('|'))

const STOP_LIMIT_MS = 20_000

const TEXT = { type: 'string' } as const
const SWITCH = { type: 'boolean' } as const
const OPTIONS = {
  ...{ email: TEXT, name: TEXT, workspace: TEXT, campaign: TEXT, amount: TEXT, note: TEXT, role: TEXT, filters: TEXT, limit: TEXT },
  ...{ 'probe-from': TEXT, 'key-file': TEXT, map: { type: 'string', multiple: true } as const },
  ...{ operator: SWITCH, existing: SWITCH, 'create-workspaces': SWITCH, verify: SWITCH, again: SWITCH, help: SWITCH },
}

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
  if (values.help || command === 'help server') return console.log(usage())
  if (command === 'openapi') return console.log(JSON.stringify((await import('../cli/api/document.ts')).apiDocument(), null, 2))
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
      if (words[0] === 'import' || words[0] === 'pull')
        return await runDirectoryCommand(await open(), words, values, (await import('../cli/output.ts')).showProgress)
      const { erasePerson } = await import('./erase-person.ts')
      return await runErasureCommand(await open(), words, erasePerson)
    }
    if (noun === 'user') return await (await import('../modules/team/commands.ts')).runTeamCommand(open, words, values)
    if (noun === 'replies') return await (await import('../modules/replies/corrections.ts')).runRepliesCommand(await open(), words, values)
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
