import { randomBytes } from 'node:crypto'
import { Database } from '../db/client.ts'
import { sql } from '../db/sql.ts'
import { SecretBox } from '../lib/secret-box.ts'

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
  // Several processes may start at the same moment: the first row stays, and all of them read it.
  await db.inTransaction(tx => tx.run(INSERT, [fingerprintOf(keys.secretKey), sealMaster(keys.secretKey, randomBytes(32))]))
  return (await db.first<KeyRow>(FIND))!
}

function openRow(row: KeyRow, { secretKey, previousSecretKey }: SecretKeys): InstallationKeys {
  for (const key of [secretKey, previousSecretKey]) {
    if (!key || fingerprintOf(key) !== row.fingerprint) continue
    const master = new SecretBox(key).open('master', row.sealedMaster, MASTER)
    return { masterKey: Buffer.from(master, 'base64'), isRotated: key === secretKey }
  }
  throw new Error(
    `${WRONG_KEY} The database needs the key ${row.fingerprint}, and the configured key is ${fingerprintOf(secretKey)} (both are fingerprints).\n${ADVICE}`,
  )
}

const MASTER = 'installation_keys/master'
const sealMaster = (key: Buffer, master: Buffer): Buffer => new SecretBox(key).seal('master', master.toString('base64'), MASTER)

const WRONG_KEY = 'OVERTURE_SECRET_KEY is not the key of this database.'
const ADVICE =
  'With a wrong key, suppressed addresses would not be recognized, so Overture does not start. To change the key, set the old key as\n' +
  'OVERTURE_PREVIOUS_SECRET_KEY and run: overture secret rotate'
