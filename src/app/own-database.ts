import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../context/config.ts'
import { EmbeddedPostgres } from '../db/embedded.ts'
import { FolderBusy, FolderLock } from '../db/folder-lock.ts'
import { listMissing, migrate } from '../db/migrate.ts'
import type { Lifetime } from './lifetime.ts'

// The embedded PostgreSQL. This file loads little, because a start opens the database while the service is still being loaded.

/** Who asks for the database. */
export interface Asking {
  command: string
  /** The address of the service. A command has none, and joins the server that is running on the folder, if there is one. */
  address: string | null
  isServer: boolean
  migrates: boolean
  /** The database is deleted at the end, so it does not have to survive a power cut. */
  isPassing?: boolean
  /** Called when a process of PostgreSQL has been started. */
  onSpawn?: () => void
}

const UNSAFE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

export interface OpenedDatabase {
  databaseUrl: string
  /** Only one process works on a folder; null on a database elsewhere. */
  lock: FolderLock | null
}

/** Our own, migrated; a command joins the server that is running on the folder. */
export async function openOwnDatabase(config: Config, lifetime: Lifetime, asking: Asking): Promise<OpenedDatabase> {
  config.allowLocalTargets = true
  const started = await startOwnDatabase(config, lifetime, asking)
  if (!started) return { databaseUrl: await joinRunning(config), lock: null }
  await migrate(started.databaseUrl)
  return started
}

/** Null for a command when another process works on the folder. */
export async function startOwnDatabase(config: Config, lifetime: Lifetime, asking: Asking): Promise<OpenedDatabase | null> {
  const lock = await FolderLock.take(config.dir, asking.command, asking.address).catch(error => {
    if (asking.isServer || !(error instanceof FolderBusy)) throw error
    return null
  })
  if (!lock) return null
  lifetime.add('lock', async () => lock.release())
  // A server that an earlier run left behind is stopped and started again, so that this process supervises it.
  const postgres = await EmbeddedPostgres.start(config.dir, asking.isPassing ? UNSAFE : {}, asking.onSpawn)
  if (asking.isPassing) lifetime.add('files', () => postgres.remove())
  lifetime.add('postgres', () => postgres.stop())
  await postgres.createDatabase('overture')
  return { databaseUrl: postgres.url('overture'), lock }
}

const JOIN_LIMIT_MS = 30_000

/** The server may still be starting. It brings the database up to date by itself. */
async function joinRunning(config: Config): Promise<string> {
  const deadline = performance.now() + JOIN_LIMIT_MS
  while (performance.now() < deadline) {
    const url = await EmbeddedPostgres.findRunning(config.dir, 'overture')
    if (url && (await listMissing(url)).length === 0) return url
    await sleep(100)
  }
  throw doesNotAnswer(config)
}

export const doesNotAnswer = ({ dir }: Config): Error => new Error(`Another process uses ${dir}, and its database does not answer.`)
