import type { Db, Tx } from '../../db/client.ts'
import { notFound } from '../../errors.ts'
import { newId } from '../../lib/ids.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import { deleteSuppression, findSuppressed, insertSuppressions, type SuppressionRow } from './queries.ts'

export type { SuppressionRow }

export interface AddressHashes {
  email: Buffer
  domain: Buffer
}

/**
 * A keyed hash recognises an address without keeping it, so that "never write to me again" outlives the erasure of
 * the person who said it.
 */
export function hashAddress(secrets: SecretBox, email: string): AddressHashes {
  const address = email.toLowerCase()
  return { email: secrets.sign('suppression', address), domain: secrets.sign('suppression', address.slice(address.lastIndexOf('@') + 1)) }
}

export const hashValue = (secrets: SecretBox, value: string): Buffer => secrets.sign('suppression', value.toLowerCase())

export async function suppress(
  tx: Tx,
  secrets: SecretBox,
  workspaceId: string,
  input: { kind: 'email' | 'domain'; value: string; reason: string },
  now: Date,
): Promise<SuppressionRow> {
  const value = input.value.toLowerCase()
  const [row] = await insertSuppressions(tx, workspaceId, [{ id: newId(), ...input, value, hash: hashValue(secrets, value) }], now)
  return row!
}

export async function unsuppress(tx: Tx, workspaceId: string, id: string): Promise<void> {
  if ((await deleteSuppression(tx, workspaceId, id)) === 0) throw notFound('suppression')
}

export const whichAreSuppressed = (db: Db, workspaceId: string, hashes: AddressHashes[]): Promise<Set<number>> =>
  findSuppressed(db, workspaceId, hashes)
