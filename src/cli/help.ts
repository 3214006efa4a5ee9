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
  return `overture: outreach that is yours

Commands that call a service (overture COMMAND --help tells more):
${linesOf(false)}

Commands that have the database (overture help server tells more):
${linesOf(true)}
  start, api, ${SERVER_COMMANDS.filter(name => name !== 'start').join(', ')}

Exit codes: 0 done, 1 failed, 2 asked wrongly, 3 not signed in or not allowed, 4 not found, 5 in conflict, 6 out of reach.`
}

export function helpOf(name: string, command: Command): string {
  const lines = flagLines(command.flags)
  const head = `overture ${name} ${command.takes}`.trimEnd()
  const more = command.more ? ['', ...command.more.map(line => `  ${line}`)] : []
  return [head, '', `  ${command.summary}`, ...more, ...(lines.length > 0 ? ['', ...lines] : [])].join('\n')
}
