import type { Tx } from '../../db/client.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import { hashValue } from '../suppressions/suppressions.ts'
import { companiesToMerge, mergeByKey, mergeCompanies, mergeExtraDomains, mergePeople, nameTitlesAndPlaces } from './merge.ts'
import { MergeMemory } from './merge-memory.ts'
import { findKnownPeople } from './merge-queries.ts'
import {
  erasePeopleByKey,
  findErased,
  findPeople,
  insertErased,
  insertVersion,
  isAnybodyErased,
  lockDirectory,
  type PersonRow,
} from './queries.ts'
import type { NewPerson } from './schema.ts'

export { findPeople, type PersonRow }

export interface MergeResult {
  insertedCount: number
  updatedCount: number
  /** Those that the directory already knew exactly so. */
  unchangedCount: number
  /** The positions, in what was given, of people who have been erased: they were left out. */
  erased: number[]
  /** The version that the directory has afterwards. */
  version: number
}

export interface MergeBatch {
  source: string
  now: Date
  secrets: SecretBox
}

/**
 * Merges people, and the companies they work for, into the directory: one version, whole or not at all. An address is
 * one person, whoever brings it; what a new record says replaces what was known, what it leaves open stays.
 */
export async function mergeIntoDirectory(
  tx: Tx,
  input: readonly NewPerson[],
  batch: MergeBatch,
  memory: MergeMemory = new MergeMemory(),
): Promise<MergeResult> {
  const version = await lockDirectory(tx)
  memory.openAt(version - 1)
  const erased = await whoIsErased(tx, batch.secrets, input)
  const isErased = new Set(erased)
  const left = erased.length === 0 ? input : input.filter((_, index) => !isErased.has(index))
  const people = mergeByKey(left)
  // PostgreSQL looks for the people while we sort out the companies.
  const finding = findKnownPeople(
    tx,
    people.map(person => person.matchKey),
  )
  // Its failure is met below; until then nobody may call it unhandled.
  finding.catch(() => {})
  const known = new Map<string, number>()
  const companies = companiesToMerge(left, memory, known)
  const ids = { ...(await nameTitlesAndPlaces(tx, people, companies, memory)), companies: known }
  const changedCompanies =
    (await mergeCompanies(tx, companies, ids, memory, version)) + (await mergeExtraDomains(tx, people, ids, memory, version))
  const { inserted, updated } = await mergePeople(tx, people, await finding, ids, { version, source: batch.source, now: batch.now })
  const isChanged = inserted + updated + changedCompanies > 0
  if (isChanged) {
    await insertVersion(tx, { version, source: batch.source, inserted, updated, deleted: 0, now: batch.now })
    tx.wake('directory')
  }
  memory.closeAt(isChanged ? version : version - 1)
  return {
    insertedCount: inserted,
    updatedCount: updated,
    unchangedCount: people.length - inserted - updated,
    erased,
    version: isChanged ? version : version - 1,
  }
}

/** Hashing costs, so it is done only where there is somebody to look for. The directory must be locked. */
async function whoIsErased(tx: Tx, secrets: SecretBox, people: readonly NewPerson[]): Promise<number[]> {
  if (!(await isAnybodyErased(tx))) return []
  const positions = people.flatMap((person, index) => (person.email === null ? [] : [index]))
  const hashes = positions.map(index => hashValue(secrets, people[index]!.email!))
  return (await findErased(tx, hashes)).map(n => positions[n]!)
}

/**
 * Takes people out by their addresses, for good: their numbers stay taken, and a keyed hash keeps later imports from
 * bringing them back. Nothing else about them stays.
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
  const erasedCount = await erasePeopleByKey(tx, addresses, version)
  if (erasedCount > 0) {
    await insertVersion(tx, { version, source: 'erased', inserted: 0, updated: 0, deleted: erasedCount, now })
    tx.wake('directory')
  }
  return { erasedCount, version: erasedCount > 0 ? version : version - 1 }
}
