import { CommandFailed, EXIT, wrongUsage } from '../lib/command-failure.ts'
import type { Call } from './command.ts'
import { clientOf, findConnection, profilePath, readProfiles, readUrl, writeProfiles } from './connection.ts'
import { printRecord } from './output.ts'
import { askUnseen, readInput, type Shell } from './shell.ts'

/** `overture login`: tries a token and then stores it. */
export async function login({ flags, shell }: Call): Promise<void> {
  if (flags.isOn('show')) return show(shell, await findConnection(shell, flags))
  const file = await readProfiles(shell)
  const name = flags.text('profile') ?? 'default'
  if (name === '__proto__') throw wrongUsage('This is not a valid profile name.', 'overture login --profile NAME')
  const known = Object.hasOwn(file.profiles, name) ? file.profiles[name] : undefined
  const url = readUrl(flags.text('url') ?? shell.env.OVERTURE_URL ?? known?.url ?? 'http://127.0.0.1:8080')
  const token = shell.env.OVERTURE_TOKEN || (await askForToken(shell, url))
  if (!token) throw wrongUsage('A token is missing.', `echo "$TOKEN" | overture login --url ${url}`)

  const connection = { url, token, workspaceId: undefined, source: '' }
  const { data: workspaces } = await clientOf(shell, connection).workspaces.list({ limit: 100 })
  const asked = flags.text('workspace') ?? shell.env.OVERTURE_WORKSPACE
  const workspaceId = asked ?? (workspaces.length === 1 ? workspaces[0]!.id : undefined)
  if (asked && !workspaces.some(({ id }) => id === asked)) {
    throw new CommandFailed(
      EXIT.notFound,
      'not_found',
      `The token cannot access the workspace ${asked}.`,
      'overture login, without --workspace',
    )
  }
  const profile = { url, token, ...(workspaceId === undefined ? {} : { workspaceId }) }
  await writeProfiles(shell, { current: name, profiles: { ...file.profiles, [name]: profile } })
  shell.print(`Signed in to ${url} as profile "${name}", saved in ${profilePath(shell)}.`)
  if (workspaceId === undefined) {
    shell.print('The token can access several workspaces. Use --workspace with each command, or sign in to one of them:')
    for (const { id, name: title } of workspaces) shell.print(`  overture login --profile ${name} --workspace ${id}   # ${title}`)
  }
}

function show(shell: Shell, { url, workspaceId, source }: { url: string; workspaceId: string | undefined; source: string }): void {
  printRecord(shell, { url, workspaceId, source })
}

/** From a pipe, or typed unseen. */
async function askForToken(shell: Shell, url: string): Promise<string> {
  if (!shell.input.isTTY) return (await readInput(shell)).trim()
  return askUnseen(shell, `A personal token or an API key of ${url}`)
}
