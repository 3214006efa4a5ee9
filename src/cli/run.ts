import { CommandFailed, EXIT, wrongUsage } from '../lib/command-failure.ts'
import { type Command, type Commands, SERVER_COMMANDS } from './command.ts'
import { failureOf } from './failures.ts'
import { Flags, flagLines, readArgs, suggestion } from './flags.ts'
import { harmless, harmlessLines, jsonText, printable } from './output.ts'
import type { Shell } from './shell.ts'
import { ReaderGone } from './standard-output.ts'

/** A command, from its arguments to its exit code. */
export async function runCommand(args: readonly string[], commands: Commands, terminal: Shell): Promise<number> {
  const shell: Shell = {
    ...terminal,
    print: text => terminal.print(printable(text)),
    warn: text => terminal.warn(printable(text)),
    status: terminal.status && (text => terminal.status!(harmless(text))),
  }
  try {
    await run(args, commands, shell)
    await shell.written()
    return EXIT.ok
  } catch (error) {
    return tell(error, shell, args.includes('--json'))
  }
}

async function run(args: readonly string[], commands: Commands, shell: Shell): Promise<void> {
  const [first = 'help', ...rest] = args
  if (first === 'help' || first === '--help' || first === '-h') {
    const named = rest[0]
    if (named === undefined) return shell.print(overview(commands))
    return run([named, '--help'], commands, shell)
  }
  if (first === '--version' || first === '-v' || first === 'version') {
    const { default: manifest } = await import('../../package.json', { with: { type: 'json' } })
    return shell.print(`overture ${manifest.version}`)
  }
  const command = Object.hasOwn(commands, first) ? commands[first] : undefined
  if (!command) throw await unknownCommand(first, commands)
  if (command.readsOwnFlags) return (await command.load())({ args: rest, positionals: [], flags: new Flags(), shell, commands })
  const known = { ...command.flags, help: { kind: 'switch', text: '' } as const }
  const { positionals, flags } = readArgs(
    rest,
    name => (Object.hasOwn(known, name) ? known[name as 'help']?.kind : undefined),
    Object.keys(known),
    first,
  )
  if (flags.isOn('help')) return shell.print(helpOf(first, command))
  const extra = command.takesTyped ? undefined : positionals[wordCount(command.takes)]
  if (extra !== undefined) throw wrongUsage(`Unexpected argument "${extra}".`, `overture ${first} --help`)
  return (await command.load())({ args: rest, positionals, flags, shell, commands })
}

/** Resources without their own command are used through `api`. */
async function unknownCommand(name: string, commands: Commands): Promise<CommandFailed> {
  const meant = suggestion(name, [...Object.keys(commands), ...SERVER_COMMANDS])
  const text = `There is no command "${name}".`
  if (meant) return wrongUsage(text + meant, 'overture help')
  const { listOperations } = await import('./api/document.ts')
  const ids = listOperations().map(({ id }) => id)
  const found = [name, `${name}s`]
    .map(noun => ids.find(id => id === `${noun}.list`) ?? ids.find(id => id.startsWith(`${noun}.`)))
    .find(Boolean)
  return found ? wrongUsage(text, `overture api ${found}   # overture api list shows all operations`) : wrongUsage(text, 'overture help')
}

/** The number of words of a command: those before the first flag or redirection. Dots after the last mean any number. */
function wordCount(takes: string): number {
  const words = takes.split(' ').filter(Boolean)
  const end = words.findIndex(word => /^\[?--|^>/.test(word))
  const own = end === -1 ? words : words.slice(0, end)
  return /\.\.\.\]?$/.test(own.at(-1) ?? '') ? Number.POSITIVE_INFINITY : own.length
}

function tell(thrown: unknown, shell: Shell, asJson: boolean): number {
  const { aborted, reason } = shell.signal
  // A command that was aborted throws whatever it was doing.
  const error = aborted ? reason : thrown
  if (error instanceof ReaderGone) return EXIT.ok
  if (aborted && !(error instanceof CommandFailed)) return 130
  const failure = failureOf(error)
  if (asJson) {
    shell.warn(jsonText({ error: failure }, 2))
    return failure.exitCode
  }
  shell.warn(`Error: ${harmlessLines(failure.message).join('\n')}`)
  for (const { path, message } of failure.issues) shell.warn(`  ${harmless(`${path} ${message}`)}`)
  if (failure.next) shell.warn(`Next: ${failure.next}`)
  if (failure.requestId) shell.warn(`Request: ${failure.requestId}`)
  if (shell.env.OVERTURE_LOG_LEVEL === 'debug') shell.warn(error instanceof Error ? (error.stack ?? '') : '')
  return failure.exitCode
}

function overview(commands: Commands): string {
  const width = Math.max(...Object.keys(commands).map(name => name.length))
  const linesOf = (isOnServer: boolean): string =>
    Object.entries(commands)
      .filter(([, command]) => (command.isOnServer ?? false) === isOnServer)
      .map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`)
      .join('\n')
  return `overture: the command line of Overture

Commands that call a service (overture COMMAND --help explains one):
${linesOf(false)}

Commands of the operator, most of which use the database (overture help server explains them):
${linesOf(true)}
  start, api, ${SERVER_COMMANDS.filter(name => name !== 'start').join(', ')}

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not signed in or not allowed, 4 not found, 5 conflict,
6 not available, 130 stopped by Ctrl-C.`
}

function helpOf(name: string, command: Command): string {
  const lines = flagLines(command.flags)
  const head = `overture ${name} ${command.takes}`.trimEnd()
  const more = command.more ? ['', ...command.more.map(line => `  ${line}`)] : []
  return [head, '', `  ${command.summary}`, ...more, ...(lines.length > 0 ? ['', ...lines] : [])].join('\n')
}
