import { randomBytes } from 'node:crypto'
import { Database, type Db, sql, type Tx } from '../db/client.ts'
import { SecretBox } from '../lib/secret-box.ts'
import { hashValue } from '../modules/suppressions/suppressions.ts'

/** The secret keys of a process: the current one, and during a change of keys the previous one. */
export interface SecretKeys {
  secretKey: Buffer
  previousSecretKey?: Buffer | undefined
}

interface InstallationKeys {
  /** The key from which all others are derived. It never changes for an installation. */
  masterKey: Buffer
  /** False while the master key is still sealed under the previous secret key. */
  isRotated: boolean
}

const FIND = sql(`
  select fingerprint, sealed_master as "sealedMaster"
  from installation_keys`)
const INSERT = sql(`
  insert into installation_keys (fingerprint, sealed_master)
  values ($1, $2)
  on conflict do nothing`)
const LOCK = sql(`
  select fingerprint, sealed_master as "sealedMaster"
  from installation_keys
  for update`)
const RESEAL = sql(`
  update installation_keys
  set fingerprint = $1, sealed_master = $2, rotated_at = now()`)
const IS_IN_USE = sql(`
  select exists (select from workspaces) or exists (select from erased_people) or exists (select from people) as used`)
/** Stored addresses whose hashes can be compared. */
const KNOWN_HASHES = sql(`
  (select email as value, email_hash as hash from leads limit 1)
  union all
  (select value, hash from suppressions where value is not null limit 1)`)
const KNOWN_SECRETS = sql(`
  select id, secret
  from webhook_endpoints
  limit 1`)
const KNOWN_CREDENTIALS = sql(`
  select id, credentials
  from providers
  where credentials is not null
  limit 1`)

interface KeyRow {
  fingerprint: string
  sealedMaster: Buffer
}

/** Identifies the key without revealing it. */
export const fingerprintOf = (key: Buffer): string => new SecretBox(key).sign('fingerprint', '').subarray(0, 6).toString('hex')

/**
 * The master key of the installation, opened with the secret key. With another secret key, no suppression
 * would match, and people who opted out would get messages. So that is an error.
 */
export const openInstallationKeys = (databaseUrl: string, keys: SecretKeys): Promise<InstallationKeys> =>
  withDatabase(databaseUrl, async db => openRow(await findOrCreateRow(db, keys), keys))

/** Seals the master key under the current secret key. Data that was sealed or hashed does not change. */
export function rotateSecretKey(databaseUrl: string, keys: SecretKeys): Promise<{ wasRotated: boolean; fingerprint: string }> {
  return withDatabase(databaseUrl, async db => {
    await findOrCreateRow(db, keys)
    return db.inTransaction(async tx => {
      const { masterKey, isRotated } = openRow((await tx.first<KeyRow>(LOCK))!, keys)
      const fingerprint = fingerprintOf(keys.secretKey)
      if (!isRotated) await tx.run(RESEAL, [fingerprint, sealMaster(keys.secretKey, masterKey)])
      return { wasRotated: !isRotated, fingerprint }
    })
  })
}

/** A connection for a moment, before the pool exists. */
async function withDatabase<T>(url: string, work: (db: Database) => Promise<T>): Promise<T> {
  const db = new Database({ url, poolSize: 1, onWake: () => {} })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

async function findOrCreateRow(db: Database, keys: SecretKeys): Promise<KeyRow> {
  const known = await db.first<KeyRow>(FIND)
  if (known) return known
  await db.inTransaction(tx => createKeys(tx, keys))
  return (await db.first<KeyRow>(FIND))!
}

/** Several processes may start at the same moment: the first row stays, and all of them read it. */
async function createKeys(tx: Tx, { secretKey, previousSecretKey }: SecretKeys): Promise<void> {
  const { used } = (await tx.first<{ used: boolean }>(IS_IN_USE))!
  // Older versions derived everything from the secret key itself, so it becomes the master key.
  const owner = used ? await findDerivingKey(tx, previousSecretKey ? [secretKey, previousSecretKey] : [secretKey]) : secretKey
  await tx.run(INSERT, [fingerprintOf(owner), sealMaster(owner, used ? owner : randomBytes(32))])
}

async function findDerivingKey(db: Db, candidates: Buffer[]): Promise<Buffer> {
  const hashes = await db.many<{ value: string; hash: Buffer }>(KNOWN_HASHES)
  const endpoints = await db.many<{ id: string; secret: Buffer }>(KNOWN_SECRETS)
  const providers = await db.many<{ id: string; credentials: Buffer }>(KNOWN_CREDENTIALS)
  // Only for a database of an older version, so a start does not load them here.
  const { openCredentials } = await import('../modules/mailboxes/mailboxes.ts')
  const { openSecret } = await import('../modules/webhooks/webhooks.ts')
  const fits = (key: Buffer): boolean => {
    const box = new SecretBox(key)
    try {
      for (const { id, secret } of endpoints) openSecret(box, id, secret)
      for (const provider of providers) openCredentials(box, provider)
    } catch {
      return false
    }
    return hashes.every(({ value, hash }) => hashValue(box, value).equals(hash))
  }
  const found = candidates.find(fits)
  if (!found) throw new Error(`${WRONG_KEY} Its data was encrypted and hashed with another key.\n${ADVICE}`)
  return found
}

function openRow(row: KeyRow, { secretKey, previousSecretKey }: SecretKeys): InstallationKeys {
  for (const key of [secretKey, previousSecretKey]) {
    if (!key || fingerprintOf(key) !== row.fingerprint) continue
    const master = new SecretBox(key).open('master', row.sealedMaster, MASTER)
    return { masterKey: Buffer.from(master, 'base64'), isRotated: key === secretKey }
  }
  throw new Error(
    `${WRONG_KEY} The database was set up with the key ${row.fingerprint}; the one given is ${fingerprintOf(secretKey)} (these are fingerprints).\n${ADVICE}`,
  )
}

const MASTER = 'installation_keys/master'
const sealMaster = (key: Buffer, master: Buffer): Buffer => new SecretBox(key).seal('master', master.toString('base64'), MASTER)

const WRONG_KEY = 'OVERTURE_SECRET_KEY is not the key of this database.'
const ADVICE =
  'With a wrong key, suppressed addresses would not be recognized, so Overture does not start. To change the key, set the old key as\n' +
  'OVERTURE_PREVIOUS_SECRET_KEY and run: overture secret rotate'
