import { likePart } from '../../db/filtered.ts'
import type { Db, Tx } from '../../db/sql.ts'
import { asciiAddress, isEmail } from '../../lib/email.ts'
import { notFound } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import type { SuppressionKind, SuppressionRow } from './queries.ts'
import * as queries from './queries.ts'
import type { BulkOutcome } from './schema.ts'

interface AddressHashes {
  email: Buffer
  domain: Buffer
}

/**
 * A keyed hash recognizes an address without keeping it, so that "never write to me again" outlives the erasure of
 * the person who said it.
 */
export function hashAddress(secrets: SecretBox, email: string): AddressHashes {
  const address = asciiAddress(email).toLowerCase()
  return { email: secrets.sign('suppression', address), domain: secrets.sign('suppression', address.slice(address.lastIndexOf('@') + 1)) }
}

/** Finds a value by its part, a value of which only the hash is left by the whole of it, and an address also by its suppressed domain. */
export function searchPart(secrets: SecretBox, text: string): [pattern: string, hash: Buffer, domain: Buffer] {
  const part = asciiAddress(text.trim()).toLowerCase()
  const { email, domain } = hashAddress(secrets, part)
  return [likePart(part), email, domain]
}

export const hashValue = (secrets: SecretBox, value: string): Buffer => secrets.sign('suppression', asciiAddress(value).toLowerCase())

/**
 * After the commit, no new message to the address or domain leaves; one that was marked as leaving before may still
 * arrive. The caller may hold locks on leads, but not when it suppresses a domain, because that locks campaigns. A value that is
 * suppressed already keeps its entry as it is.
 */
export async function suppress(
  tx: Tx,
  secrets: SecretBox,
  workspaceId: string,
  input: { kind: SuppressionKind; value: string; reason: string },
  now: Date,
): Promise<SuppressionRow & { isNew: boolean }> {
  const value = asciiAddress(input.value).toLowerCase()
  await queries.holdUpMessages(tx, workspaceId, [{ kind: input.kind, value }])
  const [row] = await queries.insertSuppressions(tx, workspaceId, [{ id: newId(), ...input, value, hash: hashValue(secrets, value) }], now)
  return row!
}

/** Why this cannot be suppressed; null when it can. */
export function problemOf(kind: SuppressionKind, value: string): string | null {
  if (isEmail(kind === 'domain' ? `x@${value}` : value)) return null
  return kind === 'email' ? 'must be an email address' : 'must be a domain, like example.com'
}

/** The number of rows per statement; other requests of the process get a turn between two statements. */
const AT_ONCE = 2000

/** Many at once, all valid values or none. Values that exist already, or are in the list twice, count as existing. */
export async function suppressMany(
  tx: Tx,
  secrets: SecretBox,
  workspaceId: string,
  inputs: { kind?: SuppressionKind; value: string; reason?: string | undefined }[],
  now: Date,
): Promise<BulkOutcome> {
  const invalid: BulkOutcome['invalid'] = []
  const rows = new Map<string, { id: string; kind: SuppressionKind; value: string; hash: Buffer; reason: string }>()
  inputs.forEach((input, index) => {
    const value = asciiAddress(input.value.trim()).toLowerCase()
    const kind = input.kind ?? (value.includes('@') ? 'email' : 'domain')
    const problem = problemOf(kind, value)
    if (problem) invalid.push({ index, reason: `value ${problem}` })
    else if (!rows.has(`${kind} ${value}`))
      rows.set(`${kind} ${value}`, { id: newId(), kind, value, hash: hashValue(secrets, value), reason: input.reason ?? 'manual' })
  })
  // Always in the same order, so that two lists cannot deadlock.
  const sorted = [...rows.values()].sort((a, b) => Buffer.compare(a.hash, b.hash))
  await queries.holdUpMessages(tx, workspaceId, sorted)
  let createdCount = 0
  for (let from = 0; from < sorted.length; from += AT_ONCE) {
    const stored = await queries.insertSuppressions(tx, workspaceId, sorted.slice(from, from + AT_ONCE), now)
    createdCount += stored.filter(row => row.isNew).length
  }
  return { createdCount, existingCount: inputs.length - invalid.length - createdCount, invalid }
}

/** For a person who unsubscribes, and of whose address only the hash is known. */
export async function suppressHash(tx: Tx, workspaceId: string, hash: Buffer, now: Date): Promise<void> {
  await queries.insertSuppressions(tx, workspaceId, [{ id: newId(), kind: 'email', value: null, hash, reason: 'unsubscribed' }], now)
}

/** Suppresses the address of an erased person. Only its hash is stored. */
export async function suppressErased(tx: Tx, secrets: SecretBox, workspaceId: string, email: string, now: Date): Promise<void> {
  await queries.holdUpMessages(tx, workspaceId, [{ kind: 'email', value: asciiAddress(email).toLowerCase() }])
  await queries.upsertErased(tx, workspaceId, newId(), hashValue(secrets, email), now)
}

export const isErased = (db: Db, secrets: SecretBox, workspaceId: string, email: string): Promise<boolean> =>
  queries.hasErased(db, workspaceId, hashValue(secrets, email))

/** Whether the address or its domain was suppressed at that instant or after it. */
export async function wasSuppressedSince(db: Db, secrets: SecretBox, workspaceId: string, email: string, since: Date): Promise<boolean> {
  const { email: address, domain } = hashAddress(secrets, email)
  return queries.hasSuppressedSince(db, workspaceId, address, domain, since)
}

export async function unsuppress(tx: Tx, workspaceId: string, id: string): Promise<void> {
  if ((await queries.deleteSuppression(tx, workspaceId, id)) === 0) throw notFound('suppression')
}
