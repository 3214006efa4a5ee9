import { randomBytes } from 'node:crypto'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../context/config.ts'
import type { Context } from '../context/context.ts'
import { EmbeddedPostgres } from '../db/embedded.ts'
import { migrate } from '../db/migrate.ts'
import { readOwnFile, writeOwnFile } from '../lib/own-files.ts'
import { buildContext, closeContext } from './build-context.ts'
import { openInstallationKeys, rotateSecretKey, type SecretKeys } from './installation-keys.ts'
import type { Lifetime } from './lifetime.ts'

/** A migrated database, given or our own, and everything that is built on it. */
export async function openContext(config: Config, lifetime: Lifetime, options = { joinsRunning: true }): Promise<Context> {
  const databaseUrl = await openDatabase(config, lifetime, options)
  const keys = await secretKeysOf(config)
  const { masterKey, isRotated } = await openInstallationKeys(databaseUrl, keys)
  // A change of our own key that was cut off just before its end.
  if (!config.secretKey && keys.previousSecretKey && isRotated) await rename(join(config.dir, NEXT_KEY), join(config.dir, KEY))
  const ctx = buildContext({ config, databaseUrl, secretKey: masterKey })
  if (!isRotated) ctx.log.warn('the database is still sealed under the previous secret key; run: overture secret rotate')
  lifetime.add('context', () => closeContext(ctx))
  return ctx
}

async function openDatabase(config: Config, lifetime: Lifetime, options = { joinsRunning: true }): Promise<string> {
  let databaseUrl = config.databaseUrl
  if (!databaseUrl) {
    databaseUrl =
      (options.joinsRunning && (await EmbeddedPostgres.findRunning(config.dir, 'overture'))) || (await startPostgres(config, lifetime))
    config.allowLocalTargets = true
  }
  await migrate(databaseUrl)
  return databaseUrl
}

async function startPostgres(config: Config, lifetime: Lifetime): Promise<string> {
  const postgres = await EmbeddedPostgres.start(config.dir)
  lifetime.add('postgres', () => postgres.stop())
  await postgres.createDatabase('overture')
  return postgres.url('overture')
}

/** `overture secret rotate` */
export async function rotateSecret(config: Config, lifetime: Lifetime): Promise<string> {
  const databaseUrl = await openDatabase(config, lifetime)
  if (!config.secretKey) return rotateOwnKey(config.dir, databaseUrl)
  const { wasRotated, fingerprint } = await rotateSecretKey(databaseUrl, await secretKeysOf(config))
  if (!wasRotated) {
    return `The database is sealed under OVERTURE_SECRET_KEY (${fingerprint}) already. To change it, set the new key and OVERTURE_PREVIOUS_SECRET_KEY to the old one.`
  }
  return `The database is now sealed under OVERTURE_SECRET_KEY (${fingerprint}). OVERTURE_PREVIOUS_SECRET_KEY is not needed any more.`
}

/** The key of a local start is a file. While it is being replaced there are two, and either may be the one that fits. */
async function rotateOwnKey(dir: string, databaseUrl: string): Promise<string> {
  const next = join(dir, NEXT_KEY)
  const present = await secretKeysOf({ dir, secretKey: '', previousSecretKey: '' })
  // One that was cut off is finished first, or else the key that fits could be overwritten.
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
