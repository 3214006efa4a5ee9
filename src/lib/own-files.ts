import { constants } from 'node:fs'
import { chmod, lchown, lstat, mkdir, open, readdir, realpath, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * Makes a folder that only we can use, if it is missing, and returns its real path. A folder or a link of another user is refused,
 * because that user could read and replace everything in it. Without a mode, the mode of an existing folder stays as it is.
 */
export async function ownFolder(path: string, mode?: number): Promise<string> {
  await mkdir(dirname(path), { recursive: true })
  await mkdir(path, { mode: mode ?? 0o700 }).catch(error => {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  })
  const link = await lstat(path)
  if (link.isSymbolicLink() && !isOurs(link.uid) && link.uid !== 0) throw refusal(path, link.uid)
  const real = await realpath(path)
  const folder = await lstat(real)
  if (!folder.isDirectory()) throw new Error(`${real} is not a folder.`)
  if (!isOurs(folder.uid)) throw refusal(real, folder.uid)
  if (mode !== undefined && (folder.mode & 0o777) !== mode) await chmod(real, mode)
  return real
}

/** The text of a file that only we can have written; null if there is none. */
export async function readOwnFile(path: string): Promise<string | null> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch(error => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  })
  if (!file) return null
  try {
    const { uid, mode } = await file.stat()
    if (!isOurs(uid)) throw refusal(path, uid)
    if ((mode & 0o077) !== 0) await file.chmod(0o600)
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

/** Only the owner can read the file. It is written next to its place and then moved there, so that it is never incomplete. */
export async function writeOwnFile(path: string, text: string): Promise<void> {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants
  const file = await open(`${path}.new`, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600)
  try {
    await file.chmod(0o600)
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.new`, path)
}

/** Gives a folder and everything in it to another user. The folder itself comes last, so that its owner shows whether the work is complete. */
export async function giveFolder(path: string, uid: number, gid: number): Promise<void> {
  for (const name of await readdir(path)) {
    const entry = await lstat(join(path, name))
    if (entry.isDirectory()) await giveFolder(join(path, name), uid, gid)
    else if (entry.nlink > 1) throw new Error(`${join(path, name)} has a second hard link elsewhere, so its owner is not changed.`)
    else await lchown(join(path, name), uid, gid)
  }
  await lchown(path, uid, gid)
}

const isOurs = (uid: number): boolean => uid === process.getuid?.()

const refusal = (path: string, uid: number): Error =>
  new Error(
    `${path} belongs to another user (${uid}), who could read and change what is in it. Run Overture as that user, or name another folder.`,
  )
