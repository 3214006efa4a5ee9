import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { Overture } from '../../packages/sdk/src/client.ts'
import { Http, type Options } from '../../packages/sdk/src/http.ts'
import { parsedJson } from '../lib/canonical-json.ts'
import { CommandFailed, EXIT, notThere, wrongUsage } from '../lib/command-failure.ts'
import { isUuid } from '../lib/ids.ts'
import { ownFolder, readOwnFile, writeOwnFile } from '../lib/own-files.ts'
import type { Call } from './command.ts'
import type { Flags } from './flags.ts'
import { harmless, printRecord } from './output.ts'
import { askUnseen, readInput, type Shell } from './shell.ts'

export interface Connection {
  url: string
  token: string
  workspaceId: string | undefined
  /** The source of the address, for `overture login --show`. */
  source: string
}

interface Profile {
  url: string
  token: string
  workspaceId?: string
}

interface ProfileFile {
  current: string
  profiles: Record<string, Profile>
}

const profilePath = ({ env, cwd }: Shell): string =>
  env.OVERTURE_PROFILE
    ? resolve(cwd, env.OVERTURE_PROFILE)
    : join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'overture', 'profiles.json')

async function readProfiles(shell: Shell): Promise<ProfileFile> {
  const path = profilePath(shell)
  const text = await readOwnFile(path)
  if (text === null) return { current: 'default', profiles: {} }
  const file = parsedJson(text) as ProfileFile | null | undefined
  if (typeof file?.profiles === 'object' && file.profiles !== null) return file
  throw new CommandFailed(EXIT.failed, 'unreadable_profiles', `${path} contains no readable profiles.`, `rm ${path} && overture login`)
}

async function writeProfiles(shell: Shell, file: ProfileFile): Promise<void> {
  const path = profilePath(shell)
  await ownFolder(dirname(path))
  await writeOwnFile(path, `${JSON.stringify(file, null, 2)}\n`)
}

/** The base address of a service, without a path. */
function readUrl(text: string): string {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw wrongUsage(`"${text}" is not the URL of a service.`, 'overture login --url https://overture.example')
  }
  return url.href.replace(/\/+$/, '')
}

/**
 * A named profile, else the environment, else the current profile, else the installation in this folder. The token of a
 * profile or an installation goes to its own address only: an address from elsewhere comes with its own token.
 */
export async function findConnection(shell: Shell, flags: Flags): Promise<Connection> {
  const { env } = shell
  const stored = await findStored(shell, flags.text('profile'))
  const isNamed = flags.has('profile')
  const url = (isNamed ? undefined : env.OVERTURE_URL && readUrl(env.OVERTURE_URL)) || stored?.url
  if (!url) {
    const next = 'overture login --url https://overture.example   # or run one here: overture start'
    throw new CommandFailed(EXIT.denied, 'not_signed_in', 'No service is configured.', next)
  }
  const own = stored?.url === url ? stored : undefined
  // Any folder may contain such a file: a repository of a stranger, too, whose address would get the token.
  if (env.OVERTURE_TOKEN && !isNamed && own?.isOfFolder && !LOOPBACK.test(new URL(url).hostname)) {
    const text = `OVERTURE_TOKEN is set, but OVERTURE_URL is not, and ${own.source} names an address that is not on this machine: ${url}.`
    throw new CommandFailed(EXIT.denied, 'not_signed_in', text, `OVERTURE_URL=${url} overture ...   # only if you trust this folder`)
  }
  const token = (isNamed ? undefined : env.OVERTURE_TOKEN) || own?.token
  if (!token) throw new CommandFailed(EXIT.denied, 'not_signed_in', `There is no token for ${url}.`, `overture login --url ${url}`)
  const workspaceId = namedWorkspace(flags, isNamed ? {} : env) ?? own?.workspaceId
  return { url, token, workspaceId, source: own?.source ?? 'the environment' }
}

/** It becomes part of the address of every request, where `..` would lead to another operation. */
function namedWorkspace(flags: Flags, env: NodeJS.ProcessEnv): string | undefined {
  const given = flags.text('workspace')
  const id = given ?? (env.OVERTURE_WORKSPACE || undefined)
  if (id === undefined || isUuid(id)) return id
  const name = given === undefined ? 'OVERTURE_WORKSPACE' : '--workspace'
  throw wrongUsage(`${name} must be the id of a workspace (a UUID), not "${id}".`, 'overture api workspaces.list')
}

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

async function findStored(shell: Shell, named: string | undefined): Promise<(Connection & { isOfFolder?: true }) | undefined> {
  const { current, profiles } = await readProfiles(shell)
  const name = named ?? current
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (profile) return { ...profile, workspaceId: profile.workspaceId, source: `profile ${name}` }
  if (named !== undefined) {
    throw wrongUsage(`There is no profile "${named}".`, `overture login --profile ${named} --url https://overture.example`)
  }
  const file = resolve(shell.env.OVERTURE_DIR || '.overture', 'local.json')
  const text = await readOwnFile(file).catch(() => null)
  if (text === null) return undefined
  const local = parsedJson(text) as { baseUrl: string; token: string; workspaceId: string } | null | undefined
  if (!local?.baseUrl || !local.token || !isUuid(local.workspaceId))
    throw new CommandFailed(EXIT.failed, 'unreadable_local_file', `${file} is damaged.`, 'overture start   # writes it again')
  return { url: readUrl(local.baseUrl), token: local.token, workspaceId: local.workspaceId, source: file, isOfFolder: true }
}

const optionsOf = ({ signal }: Shell, { url, token, workspaceId }: Connection, more: Partial<Options> = {}): Options => ({
  baseUrl: url,
  token,
  workspaceId,
  // A person waits, so a service that is down is reported soon.
  retries: 2,
  // Ctrl-C ends every request, and the pauses between them.
  signal,
  headers: { 'user-agent': 'overture-cli' },
  ...more,
})

/** The client of the service that the user is signed in to. */
export const openService = async (shell: Shell, flags: Flags, more?: Partial<Options>): Promise<Overture> =>
  new Overture(optionsOf(shell, await findConnection(shell, flags), more))

export const clientOf = (shell: Shell, connection: Connection): Overture => new Overture(optionsOf(shell, connection))

/** Requests that are made from the OpenAPI document. */
export const httpOf = (shell: Shell, connection: Connection): Http => new Http(optionsOf(shell, connection))

/** `overture login`: tries a token and then stores it. */
export async function login({ flags, shell }: Call): Promise<void> {
  if (flags.isOn('show')) {
    const { url, workspaceId, source } = await findConnection(shell, flags)
    return printRecord(shell, { url, workspaceId, source })
  }
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
    throw notThere(`The token cannot access the workspace ${asked}.`, 'overture login, without --workspace')
  }
  const profile = { url, token, ...(workspaceId === undefined ? {} : { workspaceId }) }
  await writeProfiles(shell, { current: name, profiles: { ...file.profiles, [name]: profile } })
  shell.print(`Signed in to ${url} as profile "${name}", saved in ${profilePath(shell)}.`)
  if (workspaceId === undefined) {
    shell.print('The token can access several workspaces. Use --workspace with each command, or sign in to one of them:')
    for (const { id, name: title } of workspaces)
      shell.print(`  overture login --profile ${name} --workspace ${harmless(`${id}   # ${title}`)}`)
  }
}

/** From a pipe, or typed unseen. */
async function askForToken(shell: Shell, url: string): Promise<string> {
  if (!shell.input.isTTY) return (await readInput(shell)).trim()
  return askUnseen(shell, `A personal token or an API key of ${url}`)
}
