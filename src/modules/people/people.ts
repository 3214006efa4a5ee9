import type { Tx } from '../../db/client.ts'
import { notFound } from '../../lib/errors.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import { hashValue } from '../suppressions/suppressions.ts'
import { ensureOwner, findOwner } from '../workspaces/workspaces.ts'
import { mergeCompanies, mergeExtraDomains, mergePeople, nameTitlesAndPlaces, onePerKey } from './merge.ts'
import { findCompanies, findKnownPeople } from './merge-queries.ts'
import {
  erasePeopleByKey,
  findErased,
  findPeople,
  insertErased,
  insertVersion,
  isAnybodyErased,
  lockDirectory,
  type PersonRow,
  readDirectoryVersion,
} from './queries.ts'
import type { NewPerson } from './schema.ts'

export { findPeople, type PersonRow, readDirectoryVersion }

export interface MergeResult {
  insertedCount: number
  updatedCount: number
  /** People whose record changed nothing. */
  unchangedCount: number
  /** The positions of erased people in the input; they were left out. */
  erased: number[]
  /** The version of the directory after the import. */
  version: number
}

interface MergeBatch {
  source: string
  now: Date
  secrets: SecretBox
  /** The owner of the people. Without it they belong to the operator, and every workspace can find and buy them. */
  workspaceId?: string
  /** Whether the operator had the addresses checked. A claim of the workspace does not make an address verified. */
  isCheckedByUs?: boolean
}

/**
 * Merges people and their companies into the directory, as one version, completely or not at all. An address identifies one person of each
 * owner. Values of a new record replace the known values of the same owner, and missing values change nothing. An import never changes
 * people of another owner.
 */
export async function mergeIntoDirectory(tx: Tx, records: readonly NewPerson[], batch: MergeBatch): Promise<MergeResult> {
  const version = await lockDirectory(tx)
  const owner = batch.workspaceId === undefined ? 0 : await ensureOwner(tx, batch.workspaceId)
  if (batch.workspaceId !== undefined && owner === 0) throw notFound('workspace')
  const source = { version, source: batch.source, now: batch.now, owner }
  const erased = await whoIsErased(tx, batch, records)
  const isErased = new Set(erased)
  const kept = erased.length === 0 ? records : records.filter((_, index) => !isErased.has(index))
  const people = onePerKey(owner === 0 || batch.isCheckedByUs ? kept : kept.map(withoutVerification))
  // PostgreSQL looks for the people while we prepare the companies.
  const findingPeople = findKnownPeople(
    tx,
    people.map(person => person.matchKey),
    owner,
  )
  const companies = onePerKey(kept.flatMap(({ company }) => company ?? []))
  const [knownIds, named, found] = await Promise.all([
    findingPeople,
    nameTitlesAndPlaces(tx, people, companies),
    findCompanies(tx, companies, owner),
  ])
  const ids = { ...named, companies: new Map<string, number>() }
  const changedCompanies = (await mergeCompanies(tx, companies, found, ids, source)) + (await mergeExtraDomains(tx, people, ids, source))
  const { inserted, updated } = await mergePeople(tx, people, knownIds, ids, source)
  const isChanged = inserted + updated + changedCompanies > 0
  if (isChanged) {
    await insertVersion(tx, { version, source: batch.source, inserted, updated, deleted: 0, now: batch.now })
    tx.wake('directory')
  }
  return {
    insertedCount: inserted,
    updatedCount: updated,
    unchangedCount: people.length - inserted - updated,
    erased,
    version: isChanged ? version : version - 1,
  }
}

/** Only the operator can state that an address is verified, because verified addresses are sold. */
export function withoutVerification(person: NewPerson): NewPerson {
  return { ...person, emailStatus: person.emailStatus === 'verified' ? null : person.emailStatus, lastVerifiedAt: null }
}

/** Hashing is expensive, so it is done only if anybody was erased. The directory must be locked. */
async function whoIsErased(tx: Tx, batch: MergeBatch, people: readonly NewPerson[]): Promise<number[]> {
  const { secrets } = batch
  const workspaceId = batch.workspaceId ?? null
  if (!(await isAnybodyErased(tx, workspaceId))) return []
  const positions = people.flatMap((person, index) => (person.email === null ? [] : [index]))
  const hashes = positions.map(index => hashValue(secrets, people[index]!.email!))
  return (await findErased(tx, hashes, workspaceId)).map(n => positions[n]!)
}

/**
 * Erases people by their addresses: their ids are never used again, and a keyed hash keeps later imports from adding them again. Nothing
 * else about them stays.
 */
export async function erasePeople(
  tx: Tx,
  secrets: SecretBox,
  emails: readonly string[],
  now: Date,
): Promise<{ erasedCount: number; version: number }> {
  const version = await lockDirectory(tx)
  const addresses = emails.map(email => email.trim().toLowerCase())
  await insertErased(
    tx,
    addresses.map(address => hashValue(secrets, address)),
    now,
  )
  return eraseByKey(tx, addresses, version, null, now)
}

/** Erases a person from the imports of one workspace. A workspace cannot erase people from the operator's directory. */
export async function eraseOwnPerson(tx: Tx, workspaceId: string, email: string, now: Date): Promise<void> {
  const owner = await findOwner(tx, workspaceId)
  if (owner === 0) return
  await eraseByKey(tx, [email.trim().toLowerCase()], await lockDirectory(tx), owner, now)
}

async function eraseByKey(
  tx: Tx,
  keys: string[],
  version: number,
  owner: number | null,
  now: Date,
): Promise<{ erasedCount: number; version: number }> {
  const erasedCount = await erasePeopleByKey(tx, keys, version, owner)
  if (erasedCount === 0) return { erasedCount, version: version - 1 }
  await insertVersion(tx, { version, source: 'erased', inserted: 0, updated: 0, deleted: erasedCount, now })
  tx.wake('directory')
  return { erasedCount, version }
}
