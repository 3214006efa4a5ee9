import { readFileSync } from 'node:fs'
import { wrongUsage } from '../lib/command-failure.ts'
import { type Call, type Commands, SERVER_COMMANDS } from './command.ts'

/** `overture completion bash`: the script asks `overture completion words` for what may come next. */
export async function printCompletion({ positionals, shell, commands }: Call): Promise<void> {
  const [what, ...typed] = positionals
  if (what === 'bash' || what === 'zsh')
    return shell.print(readFileSync(new URL(`./completion.${what}`, import.meta.url), 'utf8').trimEnd())
  if (what === 'words') return shell.print((await wordsAfter(typed, commands)).join('\n'))
  throw wrongUsage('Specify a shell: bash or zsh.', 'source <(overture completion bash)')
}

async function wordsAfter([first, second]: readonly string[], commands: Commands): Promise<string[]> {
  if (first === undefined) return [...Object.keys(commands), ...SERVER_COMMANDS, 'help']
  if (first === 'help') return [...Object.keys(commands), 'server']
  if (first === 'completion') return ['bash', 'zsh']
  if (first === 'api') {
    const { listOperations } = await import('./api/document.ts')
    const operations = listOperations()
    if (second === undefined) return ['list', ...operations.map(({ id }) => id)]
    const operation = operations.find(({ id }) => id === second)
    const own = ['body', 'wait', 'all', 'json', 'help'].map(name => `--${name}`)
    return operation ? [...operation.fields.map(({ name }) => `--${name}`), ...own] : []
  }
  const command = Object.hasOwn(commands, first) ? commands[first] : undefined
  if (!command) return []
  const words = second === undefined ? ((await command.words?.()) ?? []) : []
  return [...words, ...[...Object.keys(command.flags), 'help'].map(name => `--${name}`)]
}
