import { type FilterDocument, parseFilters } from '#lead-terms'
import type { Tx } from '../../db/sql.ts'
import { type Issue, notFound, refusal } from '../../lib/errors.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import { hashValue } from '../suppressions/suppressions.ts'
import { ensureOwner, findOwner } from '../workspaces/queries.ts'
import type { CompanyDomain, CompanyToMerge, FoundCompany, MergeSource, PersonToMerge } from './merge-queries.ts'
import * as mergeQueries from './merge-queries.ts'
import * as queries from './queries.ts'
import type { NewCompany, NewPerson } from './schema.ts'

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
  const version = await queries.lockDirectory(tx)
  const owner = batch.workspaceId === undefined ? 0 : await ensureOwner(tx, batch.workspaceId)
  if (batch.workspaceId !== undefined && owner === 0) throw notFound('workspace')
  const source = { version, source: batch.source, now: batch.now, owner }
  const erased = await whoIsErased(tx, batch, records)
  const isErased = new Set(erased)
  const kept = erased.length === 0 ? records : records.filter((_, index) => !isErased.has(index))
  const people = onePerKey(owner === 0 || batch.isCheckedByUs ? kept : kept.map(withoutVerification))
  // PostgreSQL looks for the people while we prepare the companies.
  const matchKeys = people.map(person => person.matchKey)
  const findingPeople = mergeQueries.findKnownPeople(tx, matchKeys, owner)
  const companies = onePerKey(kept.flatMap(({ company }) => company ?? []))
  const knownIds = await findingPeople
  const named = await nameTitlesAndPlaces(tx, people, companies)
  const found = await mergeQueries.findCompanies(tx, companies, owner)
  const ids = { ...named, companies: new Map<string, number>() }
  const changedCompanies = (await mergeCompanies(tx, companies, found, ids, source)) + (await mergeExtraDomains(tx, people, ids, source))
  const { inserted, updated } = await mergePeople(tx, people, knownIds, ids, source)
  const isChanged = inserted + updated + changedCompanies > 0
  if (isChanged) {
    await queries.insertVersion(tx, { version, source: batch.source, inserted, updated, deleted: 0, now: batch.now })
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

/** Hashing is expensive, so it is done only if a person was erased. The directory must be locked. */
async function whoIsErased(tx: Tx, batch: MergeBatch, people: readonly NewPerson[]): Promise<number[]> {
  const { secrets } = batch
  const workspaceId = batch.workspaceId ?? null
  if (!(await queries.isAnybodyErased(tx, workspaceId))) return []
  const positions = people.flatMap((person, index) => (person.email === null ? [] : [index]))
  const hashes = positions.map(index => hashValue(secrets, people[index]!.email!))
  return (await queries.findErased(tx, hashes, workspaceId)).map(n => positions[n]!)
}

/**
 * Erases people by their addresses: their ids are never used again, and a keyed hash keeps later imports from adding them again. Nothing
 * else about them stays.
 */
export async function erasePeople(tx: Tx, secrets: SecretBox, emails: readonly string[], now: Date): Promise<number> {
  const version = await queries.lockDirectory(tx)
  const addresses = emails.map(email => email.trim().toLowerCase())
  const hashes = addresses.map(address => hashValue(secrets, address))
  await queries.insertErased(tx, hashes, now)
  return eraseByKey(tx, addresses, version, null, now)
}

/** Erases a person from the imports of one workspace. A workspace cannot erase people from the operator's directory. */
export async function eraseOwnPerson(tx: Tx, workspaceId: string, email: string, now: Date): Promise<void> {
  const owner = await findOwner(tx, workspaceId)
  if (owner === 0) return
  await eraseByKey(tx, [email.trim().toLowerCase()], await queries.lockDirectory(tx), owner, now)
}

async function eraseByKey(tx: Tx, keys: string[], version: number, owner: number | null, now: Date): Promise<number> {
  const erasedCount = await queries.erasePeopleByKey(tx, keys, version, owner)
  if (erasedCount === 0) return 0
  await queries.insertVersion(tx, { version, source: 'erased', inserted: 0, updated: 0, deleted: erasedCount, now })
  tx.wake('directory')
  return erasedCount
}

// The parts of a merge. All of them run under the lock of the directory.

/** The ids of everything that the people of a batch refer to, by title and by key. */
interface BatchIds {
  titles: Map<string, number>
  places: Map<string, number>
  companies: Map<string, number>
}

/** One record per key: values of later records replace earlier ones. */
function onePerKey<T extends NewPerson | NewCompany>(records: Iterable<T>): T[] {
  const merged = new Map<string, T>()
  for (const record of records) {
    const known = merged.get(record.matchKey)
    merged.set(record.matchKey, known ? overlay(known, record) : record)
  }
  return [...merged.values()]
}

function overlay<T extends NewPerson | NewCompany>(known: T, record: T): T {
  const result = { ...known }
  for (const field in record) {
    const value = record[field]
    if (value !== null && value !== false && !(Array.isArray(value) && value.length === 0)) result[field] = value
  }
  // The same address in another spelling is no change.
  if ('email' in known && 'email' in result) result.email = known.email
  // An older head count does not apply to a newer bucket.
  if ('size' in record && 'employees' in result && record.size !== null) result.employees = record.employees
  return result
}

/** The ids of all titles and places; new ones are added to the directory. */
async function nameTitlesAndPlaces(tx: Tx, people: readonly NewPerson[], companies: readonly NewCompany[]) {
  const titles = new Set(people.flatMap(({ title }) => title ?? []))
  const places = new Map([...people, ...companies].flatMap(({ place }) => (place === null ? [] : [[place.key, place] as const])))
  return { titles: await queries.ensureTitles(tx, [...titles]), places: await queries.ensurePlaces(tx, [...places.values()]) }
}

const idOf = (ids: ReadonlyMap<string, number>, key: string | null | undefined): number | null => (key == null ? null : ids.get(key)!)

/**
 * A website identifies its company. The domain of an address may belong to a company that was seen with it before. `found` has the
 * companies of the directory by position. Returns the number of new or changed companies; afterwards `ids` has all of them.
 */
async function mergeCompanies(tx: Tx, companies: NewCompany[], found: Map<number, FoundCompany>, ids: BatchIds, source: MergeSource) {
  if (companies.length === 0) return 0
  let lastId = found.size === companies.length ? 0 : await mergeQueries.lastCompanyId(tx)
  const added: CompanyToMerge[] = []
  const known: CompanyToMerge[] = []
  const newDomains: CompanyDomain[] = []
  const movedDomains: CompanyDomain[] = []
  companies.forEach((record, n) => {
    const { id: own = null, domainOwner = null } = found.get(n) ?? {}
    const isAlias = own === null && domainOwner !== null && !record.isDomainOfWebsite
    const isNew = own === null && !isAlias
    const id = own ?? (isAlias ? domainOwner : ++lastId)
    const company = { id, record, placeId: idOf(ids.places, record.place?.key) }
    if (isNew) added.push(company)
    else known.push(company)
    if (record.domain !== null && (isNew || record.isDomainOfWebsite) && domainOwner !== id) {
      if (domainOwner === null) newDomains.push({ domain: record.domain, companyId: id })
      else movedDomains.push({ domain: record.domain, companyId: id })
    }
    ids.companies.set(record.matchKey, id)
  })
  if (added.length > 0) await mergeQueries.insertCompanies(tx, added, source)
  if (added.length > 0 && source.owner === 0) await mergeQueries.touchTwins(tx, added, source.version)
  if (newDomains.length > 0) await mergeQueries.insertDomains(tx, newDomains, source.owner)
  if (movedDomains.length > 0) await mergeQueries.moveDomains(tx, movedDomains, source.owner)
  const updated = known.length > 0 ? await mergeQueries.updateCompanies(tx, known, source.version) : 0
  return added.length + movedDomains.length + updated
}

/** A domain belongs to the first company that is seen with it. Returns the number of changed companies. */
async function mergeExtraDomains(tx: Tx, people: readonly NewPerson[], ids: BatchIds, source: MergeSource): Promise<number> {
  const domains = new Map<string, CompanyDomain>()
  for (const { extraDomain: domain, company } of people) {
    if (domain === null || company === null || domains.has(domain)) continue
    domains.set(domain, { domain, companyId: ids.companies.get(company.matchKey)! })
  }
  return domains.size === 0 ? 0 : mergeQueries.addDomains(tx, [...domains.values()], source)
}

/** New ids follow the order of the records; `knownIds` has the ids of existing people of the owner, by position. */
async function mergePeople(tx: Tx, people: readonly NewPerson[], knownIds: Map<number, number>, ids: BatchIds, source: MergeSource) {
  if (people.length === 0) return { inserted: 0, updated: 0 }
  let lastId = knownIds.size === people.length ? 0 : await mergeQueries.lastPersonId(tx)
  const added: PersonToMerge[] = []
  const known: PersonToMerge[] = []
  people.forEach((record, n) => {
    const knownId = knownIds.get(n)
    if (knownId === undefined) added.push(personToMerge(++lastId, record, ids))
    else known.push(personToMerge(knownId, record, ids))
  })
  const updated = known.length > 0 ? await mergeQueries.updatePeople(tx, known, source) : 0
  if (added.length > 0) await mergeQueries.insertPeople(tx, added, source)
  return { inserted: added.length, updated }
}

const personToMerge = (id: number, record: NewPerson, ids: BatchIds): PersonToMerge => ({
  id,
  record,
  titleId: idOf(ids.titles, record.title),
  companyId: idOf(ids.companies, record.company?.matchKey),
  placeId: idOf(ids.places, record.place?.key),
})

/** The filter document in its canonical form, or everything that is wrong with it. */
export function readFilters(input: unknown): { filters: FilterDocument; warnings: string[] } {
  const read = parseFilters(input)
  if (read.ok) return read
  const [first, ...others] = read.issues.map(
    (issue): Issue => ({ in: 'body', ...issue, path: `/filters${issue.path}`, rule: snakeCase(issue.rule) }),
  )
  throw refusal('validation_failed', [first!, ...others])
}

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
