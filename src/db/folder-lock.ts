import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { ownFolder, readOwnFile, writeOwnFile } from '../lib/own-files.ts'

/** The process that works on a folder. */
interface Holder {
  pid: number
  command: string
  /** The address at which it answers; null while it has none, or when it never has one. */
  address: string | null
}

export class FolderBusy extends Error {
  readonly holder: Holder | null

  constructor(dir: string, holder: Holder | null) {
    const who = holder ? `${holder.command}, process ${holder.pid}${holder.address ? `, at ${holder.address}` : ''}` : 'another process'
    super(`Overture is already running on ${dir} (${who}). OVERTURE_DIR names another folder.`)
    this.holder = holder
  }
}

const WAIT_MS = 300

/**
 * One process works on a folder at a time. Node has no file locks; SQLite takes one from the kernel on an empty file, and the kernel
 * releases it when the process ends in any way. So there are no stale locks, and no process numbers that another process may have by now.
 */
export class FolderLock {
  readonly #dir: string
  readonly #file: DatabaseSync
  #holder: Holder

  private constructor(dir: string, file: DatabaseSync, holder: Holder) {
    this.#dir = dir
    this.#file = file
    this.#holder = holder
  }

  /** Throws `FolderBusy` without changing anything. */
  static async take(path: string, command: string, address: string | null): Promise<FolderLock> {
    const dir = await ownFolder(path)
    const file = new DatabaseSync(join(dir, 'lock'), { timeout: WAIT_MS })
    try {
      file.exec('begin exclusive')
    } catch (error) {
      file.close()
      if ((error as { errcode?: number }).errcode !== 5) throw error
      throw new FolderBusy(dir, await findHolder(dir))
    }
    const lock = new FolderLock(dir, file, { pid: process.pid, command, address })
    await lock.#write()
    return lock
  }

  async answersAt(address: string): Promise<void> {
    this.#holder = { ...this.#holder, address }
    await this.#write()
  }

  release(): void {
    this.#file.close()
  }

  #write(): Promise<void> {
    return writeOwnFile(join(this.#dir, NOTE), `${JSON.stringify(this.#holder)}\n`)
  }
}

const NOTE = 'running.json'

/** A process that has just taken the lock may not have written its name yet; the previous name belongs to a process that has ended. */
async function findHolder(dir: string): Promise<Holder | null> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const holder = JSON.parse((await readOwnFile(join(dir, NOTE))) ?? 'null') as Holder | null
    if (holder && isAlive(holder.pid)) return holder
    await sleep(50)
  }
  return null
}

/** Whether a process with this number runs, also one of another user. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
