import type { Command, Commands } from './command.ts'
import { SERVER_COMMANDS } from './dispatch.ts'
import { flagLines } from './flag-lines.ts'

export function overview(commands: Commands): string {
  const width = Math.max(...Object.keys(commands).map(name => name.length))
  const linesOf = (isOnServer: boolean): string =>
    Object.entries(commands)
      .filter(([, command]) => (command.isOnServer ?? false) === isOnServer)
      .map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`)
      .join('\n')
  return `overture: the command line of Overture

Commands that call a service (overture COMMAND --help explains one):
${linesOf(false)}

Commands that use the database directly (overture help server explains them):
${linesOf(true)}
  start, api, ${SERVER_COMMANDS.filter(name => name !== 'start').join(', ')}

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not signed in or not allowed, 4 not found, 5 conflict, 6 service not reachable.`
}

export function helpOf(name: string, command: Command): string {
  const lines = flagLines(command.flags)
  const head = `overture ${name} ${command.takes}`.trimEnd()
  const more = command.more ? ['', ...command.more.map(line => `  ${line}`)] : []
  return [head, '', `  ${command.summary}`, ...more, ...(lines.length > 0 ? ['', ...lines] : [])].join('\n')
}
