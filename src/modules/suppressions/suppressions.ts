import type { Db, Tx } from '../../db/client.ts'
import { asciiAddress } from '../../lib/email.ts'
import { notFound } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import {
  deleteSuppression,
  findErased,
  findSuppressed,
  holdUpMessages,
  insertSuppressions,
  type SuppressionRow,
  upsertErased,
} from './queries.ts'

export type { SuppressionRow }

interface AddressHashes {
  email: Buffer
  domain: Buffer
}

/**
 * A keyed hash recognises an address without keeping it, so that "never write to me again" outlives the erasure of
 * the person who said it.
 */
export function hashAddress(secrets: SecretBox, email: string): AddressHashes {
  const address = asciiAddress(email).toLowerCase()
  return { email: secrets.sign('suppression', address), domain: secrets.sign('suppression', address.slice(address.lastIndexOf('@') + 1)) }
}

export const hashValue = (secrets: SecretBox, value: string): Buffer => secrets.sign('suppression', asciiAddress(value).toLowerCase())

/**
 * From the commit on no message to the address or domain is begun; what has been declared as leaving before may still
 * arrive. Leads may be locked by the caller; a domain locks campaigns, so for one they may not.
 */
export async function suppress(
  tx: Tx,
  secrets: SecretBox,
  workspaceId: string,
  input: { kind: 'email' | 'domain'; value: string; reason: string },
  now: Date,
): Promise<SuppressionRow> {
  const value = asciiAddress(input.value).toLowerCase()
  await holdUpMessages(tx, workspaceId, input.kind, value)
  const [row] = await insertSuppressions(tx, workspaceId, [{ id: newId(), ...input, value, hash: hashValue(secrets, value) }], now)
  return row!
}

/** The same where nothing but the hash of an address is left to go by. */
export async function suppressHash(tx: Tx, workspaceId: string, hash: Buffer, reason: string, now: Date): Promise<void> {
  await insertSuppressions(tx, workspaceId, [{ id: newId(), kind: 'email', value: null, hash, reason }], now)
}

/** The address is never written to again, and from here on only its hash knows that. */
export async function suppressErased(tx: Tx, secrets: SecretBox, workspaceId: string, email: string, now: Date): Promise<void> {
  await holdUpMessages(tx, workspaceId, 'email', asciiAddress(email).toLowerCase())
  await upsertErased(tx, workspaceId, newId(), hashValue(secrets, email), now)
}

export const isErased = async (db: Db, secrets: SecretBox, workspaceId: string, email: string): Promise<boolean> =>
  (await findErased(db, workspaceId, hashValue(secrets, email))).length > 0

export async function unsuppress(tx: Tx, workspaceId: string, id: string): Promise<void> {
  if ((await deleteSuppression(tx, workspaceId, id)) === 0) throw notFound('suppression')
}

export const whichAreSuppressed = (db: Db, workspaceId: string, hashes: AddressHashes[]): Promise<Set<number>> =>
  findSuppressed(db, workspaceId, hashes)
