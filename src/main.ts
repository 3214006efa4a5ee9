import { isServerCommand } from './cli/command.ts'
import { COMMANDS } from './cli/commands.ts'
import { harmlessLines } from './cli/output.ts'
import { outputWritten, ReaderGone, watchOutput } from './cli/standard-output.ts'
import { CommandFailed } from './lib/command-failure.ts'

// A command that only calls a service does not load the service itself.
const args = process.argv.slice(2)
watchOutput()
const run = isServerCommand(args)
  ? serve().then(outputWritten)
  : Promise.all([import('./cli/run.ts'), import('./cli/shell.ts'), import('./app/installation-commands.ts')]).then(
      async ([{ runCommand }, { realShell }, { INSTALLATION_COMMANDS }]) => {
        const startPrivate = async () => (await import('./app/boot.ts')).startPrivateInstance()
        process.exitCode = await runCommand(args, { ...COMMANDS, ...INSTALLATION_COMMANDS }, realShell({ startPrivate }))
      },
    )

async function serve(): Promise<void> {
  const begun = await (await import('./app/boot.ts')).beginStart(args, process.env)
  const loaded = import('./app/server-commands.ts').catch(async error => {
    // Nobody else would stop the PostgreSQL that is being started.
    await begun?.database.catch(() => {})
    await begun?.lifetime.end()
    throw error
  })
  return (await loaded).runServerCommand(args, begun)
}

run.then(
  () => process.exit(),
  error => {
    if (error instanceof ReaderGone) process.exit(0)
    const isFailure = error instanceof CommandFailed
    // A file that the command was given may have control characters in its header.
    const message = harmlessLines(error instanceof Error ? error.message : String(error)).join('\n')
    console.error(isFailure ? `Error: ${message}` : message)
    if (isFailure && error.next) console.error(`Next: ${error.next}`)
    if (process.env.OVERTURE_LOG_LEVEL === 'debug') console.error(error)
    process.exit(isFailure ? error.exitCode : 1)
  },
)
