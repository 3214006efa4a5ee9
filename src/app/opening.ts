import { randomBytes } from 'node:crypto'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../context/config.ts'
import type { Context } from '../context/context.ts'
import { EmbeddedPostgres } from '../db/embedded.ts'
import type { FolderLock } from '../db/folder-lock.ts'
import { migrate, refuseUnmigrated } from '../db/migrate.ts'
import { patiently } from '../db/patience.ts'
import { refuseTransactionPooling } from '../db/pooler.ts'
import { readOwnFile, writeOwnFile } from '../lib/own-files.ts'
import { buildContext, closeContext } from './build-context.ts'
import { openInstallationKeys, rotateSecretKey, type SecretKeys } from './installation-keys.ts'
import type { Lifetime } from './lifetime.ts'
import { type Asking, doesNotAnswer, type OpenedDatabase, openOwnDatabase, startOwnDatabase } from './own-database.ts'

/** A command migrates the database, and uses it exclusively or shares it. */
export const asCommand = (command: string): Asking => ({ command, address: null, isServer: false, migrates: true })

interface Opened {
  ctx: Context
  /** Only one process works on a folder; null on a database elsewhere. */
  lock: FolderLock | null
}

/** A migrated database, given or our own, and everything that is built on it. `begun` is one that is being opened already. */
export async function openContext(config: Config, lifetime: Lifetime, asking: Asking, begun?: Promise<OpenedDatabase>): Promise<Opened> {
  const { databaseUrl, lock } = await (begun ?? openDatabase(config, lifetime, asking))
  const keys = await secretKeysOf(config)
  const { masterKey, isRotated } = await patiently(() => openInstallationKeys(databaseUrl, keys), tellWaiting)
  // Finishes a change of our own key that was interrupted just before its end.
  if (!config.secretKey && keys.previousSecretKey && isRotated) await rename(join(config.dir, NEXT_KEY), join(config.dir, KEY))
  const ctx = buildContext({ config, databaseUrl, secretKey: masterKey })
  lifetime.add('context', () => closeContext(ctx))
  await openClock(ctx, lifetime)
  if (!isRotated) ctx.log.warn('the database is still sealed under the previous secret key; run: overture secret rotate')
  return { ctx, lock }
}

/** A local installation uses its test clock. Other installations have none, and a database whose clock was advanced would send at wrong times. */
async function openClock({ config, db, testClock, wake }: Context, lifetime: Lifetime): Promise<void> {
  await patiently(() => testClock.read(db), tellWaiting)
  if (config.databaseUrl && testClock.offsetMs > 0) {
    throw new Error(
      'The test clock of this database is ahead of real time, so the database cannot be used for real mail. Use a new database.',
    )
  }
  if (config.databaseUrl) return
  const stop = testClock.follow(db, wake)
  lifetime.add('clock', async () => stop())
}

export const tellWaiting = (error: Error): void => console.error(`Waiting for a connection to PostgreSQL (${error.message}) ...`)

async function openDatabase(config: Config, lifetime: Lifetime, asking: Asking): Promise<OpenedDatabase> {
  if (!config.databaseUrl) return openOwnDatabase(config, lifetime, asking)
  const { databaseUrl } = config
  const mayMigrate = asking.migrates || config.migrate
  await patiently(() => refuseTransactionPooling(databaseUrl), tellWaiting)
  await patiently<unknown>(() => (mayMigrate ? migrate(databaseUrl) : refuseUnmigrated(databaseUrl)), tellWaiting)
  return { databaseUrl, lock: null }
}

/** For commands that use the database without migrating it. */
export async function openUnmigrated(config: Config, lifetime: Lifetime, command: string): Promise<OpenedDatabase> {
  if (config.databaseUrl) return { databaseUrl: config.databaseUrl, lock: null }
  const started = await startOwnDatabase(config, lifetime, asCommand(command))
  if (started) return started
  const running = await EmbeddedPostgres.findRunning(config.dir, 'overture')
  if (!running) throw doesNotAnswer(config)
  return { databaseUrl: running, lock: null }
}

/** `overture secret rotate` */
export async function rotateSecret(config: Config, lifetime: Lifetime): Promise<string> {
  const { databaseUrl } = await openDatabase(config, lifetime, asCommand('secret rotate'))
  if (!config.secretKey) return rotateOwnKey(config.dir, databaseUrl)
  const { wasRotated, fingerprint } = await rotateSecretKey(databaseUrl, await secretKeysOf(config))
  if (!wasRotated) {
    return `The database is sealed under OVERTURE_SECRET_KEY (${fingerprint}) already. To change it, set the new key and OVERTURE_PREVIOUS_SECRET_KEY to the old one.`
  }
  return `The database is now sealed under OVERTURE_SECRET_KEY (${fingerprint}). OVERTURE_PREVIOUS_SECRET_KEY is no longer needed.`
}

/** The key of a local start is a file. While it is being replaced there are two, and either may be the one that fits. */
async function rotateOwnKey(dir: string, databaseUrl: string): Promise<string> {
  const next = join(dir, NEXT_KEY)
  const present = await secretKeysOf({ dir, secretKey: '', previousSecretKey: '' })
  // An interrupted change is finished first; otherwise the key that fits could be overwritten.
  const pending = present.previousSecretKey !== undefined
  const secretKey = pending ? present.secretKey : randomBytes(32)
  const previousSecretKey = pending ? present.previousSecretKey : present.secretKey
  if (!pending) await writeOwnFile(next, secretKey.toString('base64'))
  const { fingerprint } = await rotateSecretKey(databaseUrl, { secretKey, previousSecretKey })
  await rename(next, join(dir, KEY))
  return `The database is now sealed under a new key (${fingerprint}), kept in ${join(dir, KEY)}.`
}

const KEY = 'secret.key'
const NEXT_KEY = 'secret.key.next'

async function secretKeysOf(config: Pick<Config, 'secretKey' | 'previousSecretKey' | 'dir'>): Promise<SecretKeys> {
  if (config.secretKey) {
    return {
      secretKey: Buffer.from(config.secretKey, 'base64'),
      previousSecretKey: config.previousSecretKey ? Buffer.from(config.previousSecretKey, 'base64') : undefined,
    }
  }
  const file = join(config.dir, KEY)
  const known = await readOwnFile(file)
  const key = known ?? randomBytes(32).toString('base64')
  if (known === null) await writeOwnFile(file, key)
  const next = await readOwnFile(join(config.dir, NEXT_KEY))
  if (!next) return { secretKey: Buffer.from(key, 'base64') }
  return { secretKey: Buffer.from(next, 'base64'), previousSecretKey: Buffer.from(key, 'base64') }
}
