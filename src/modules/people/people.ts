import type { Tx } from '../../db/client.ts'
import { notFound } from '../../lib/errors.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import { hashValue } from '../suppressions/suppressions.ts'
import { ensureOwner, findOwner } from '../workspaces/workspaces.ts'
import { companiesToMerge, mergeByKey, mergeCompanies, mergeExtraDomains, mergePeople, nameTitlesAndPlaces } from './merge.ts'
import { MergeMemory } from './merge-memory.ts'
import { findKnownPeople } from './merge-person-queries.ts'
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
  /** Those that the directory already knew exactly so. */
  unchangedCount: number
  /** The positions, in what was given, of people who have been erased: they were left out. */
  erased: number[]
  /** The version of the directory after the import. */
  version: number
}

interface MergeBatch {
  source: string
  now: Date
  secrets: SecretBox
  /** Whose people they become. Without it they are the operator's, and every workspace can find and buy them. */
  workspaceId?: string
  /** The operator has had the addresses of a workspace's people checked. Otherwise nothing is verified because somebody says so. */
  isCheckedByUs?: boolean
}

/**
 * Merges people, and the companies they work for, into the directory: one version, whole or not at all. An address is
 * one person of each owner; what a new record says replaces what that owner knew, what it leaves open stays. Nobody's import
 * changes the people of somebody else.
 */
export async function mergeIntoDirectory(
  tx: Tx,
  input: readonly NewPerson[],
  batch: MergeBatch,
  memory: MergeMemory = new MergeMemory(),
): Promise<MergeResult> {
  const version = await lockDirectory(tx)
  memory.openAt(version - 1)
  const owner = batch.workspaceId === undefined ? 0 : await ensureOwner(tx, batch.workspaceId)
  if (batch.workspaceId !== undefined && owner === 0) throw notFound('workspace')
  const source = { version, source: batch.source, now: batch.now, owner }
  const erased = await whoIsErased(tx, batch, input)
  const isErased = new Set(erased)
  const left = erased.length === 0 ? input : input.filter((_, index) => !isErased.has(index))
  const people = mergeByKey(owner === 0 || batch.isCheckedByUs ? left : left.map(withoutVerification))
  // PostgreSQL looks for the people while we sort out the companies.
  const finding = findKnownPeople(
    tx,
    people.map(person => person.matchKey),
    owner,
  )
  // Its failure is met below; until then nobody may call it unhandled.
  finding.catch(() => {})
  const known = new Map<string, number>()
  const companies = companiesToMerge(left, memory, known)
  const ids = { ...(await nameTitlesAndPlaces(tx, people, companies, memory)), companies: known }
  const changedCompanies =
    (await mergeCompanies(tx, companies, ids, memory, source)) + (await mergeExtraDomains(tx, people, ids, memory, source))
  const { inserted, updated } = await mergePeople(tx, people, await finding, ids, source)
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

/** That an address is verified is for us to say, not for a workspace: it would be sold, and paid back, on its word. */
export function withoutVerification(person: NewPerson): NewPerson {
  return { ...person, emailStatus: person.emailStatus === 'verified' ? null : person.emailStatus, lastVerifiedAt: null }
}

/** Hashing costs, so it is done only where there is somebody to look for. The directory must be locked. */
async function whoIsErased(tx: Tx, batch: MergeBatch, people: readonly NewPerson[]): Promise<number[]> {
  const { secrets } = batch
  const workspaceId = batch.workspaceId ?? null
  if (!(await isAnybodyErased(tx, workspaceId))) return []
  const positions = people.flatMap((person, index) => (person.email === null ? [] : [index]))
  const hashes = positions.map(index => hashValue(secrets, people[index]!.email!))
  return (await findErased(tx, hashes, workspaceId)).map(n => positions[n]!)
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
  return eraseByKey(tx, addresses, version, null, now)
}

/** Takes a person out of what one workspace has imported. The operator's directory is not the workspace's to erase from. */
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
