import type { Tx } from '../../db/client.ts'
import {
  addDomains,
  type CompanyDomain,
  type CompanyToMerge,
  type FoundCompany,
  insertCompanies,
  insertDomains,
  lastCompanyId,
  moveDomains,
  touchTwins,
  updateCompanies,
} from './merge-company-queries.ts'
import { overlay } from './merge-input.ts'
import { fingerprintOf, type MergeMemory } from './merge-memory.ts'
import { insertPeople, isPersonKnown, lastPersonId, type PersonToMerge, updatePeople } from './merge-person-queries.ts'
import type { MergeSource } from './merge-queries.ts'
import { copyOf } from './person-values.ts'
import { ensurePlaces, ensureTitles } from './queries.ts'
import type { NewCompany, NewPerson, NewPlace } from './schema.ts'

// The parts of a merge. All of them run under the lock of the directory.

/** The ids of everything that the people of a batch refer to, by title and by key. */
interface BatchIds {
  titles: Map<string, number>
  places: Map<string, number>
  companies: Map<string, number>
}

/** All values of a batch about one company, combined. */
export interface CompanyRecord {
  record: NewCompany
  print: number
}

/**
 * The companies to merge into the directory, one record each. A company whose last record was the same needs no merge: its id goes into
 * `ids`. When another record of the batch differs, both records count, in their order.
 */
export function companiesToMerge(companies: readonly NewCompany[], memory: MergeMemory, ids: Map<string, number>): CompanyRecord[] {
  const merged = new Map<string, CompanyRecord>()
  for (const company of companies) {
    const { print } = company
    const known = merged.get(company.matchKey)
    if (known) {
      if (known.print === print) continue
      known.record = overlay(known.record, company)
      known.print = fingerprintOf(known.record)
      continue
    }
    const id = memory.companies.find(company.matchKey, print)
    if (id === undefined) merged.set(company.matchKey, { record: company, print })
    else ids.set(company.matchKey, id)
  }
  return [...merged.values()]
}

/** The titles and places of a batch: the ids of those that the import has met before, and the others. */
export interface TitlesAndPlaces {
  ids: Pick<BatchIds, 'titles' | 'places'>
  newTitles: Set<string>
  newPlaces: Map<string, NewPlace>
}

export function titlesAndPlacesOf(people: readonly NewPerson[], companies: readonly CompanyRecord[], memory: MergeMemory): TitlesAndPlaces {
  const ids = { titles: new Map<string, number>(), places: new Map<string, number>() }
  const newTitles = new Set<string>()
  const newPlaces = new Map<string, NewPlace>()
  const namePlace = (place: NewPlace | null): void => {
    if (place === null || ids.places.has(place.key)) return
    const id = memory.places.get(place.key)
    if (id === undefined) newPlaces.set(place.key, place)
    else ids.places.set(place.key, id)
  }
  for (const { title, place } of people) {
    namePlace(place)
    if (title === null || ids.titles.has(title)) continue
    const id = memory.titles.get(title)
    if (id === undefined) newTitles.add(title)
    else ids.titles.set(title, id)
  }
  for (const { record } of companies) namePlace(record.place)
  return { ids, newTitles, newPlaces }
}

/** The ids of all titles and places; new ones are added to the directory. */
export async function nameTitlesAndPlaces(
  tx: Tx,
  { ids, newTitles, newPlaces }: TitlesAndPlaces,
  memory: MergeMemory,
): Promise<TitlesAndPlaces['ids']> {
  for (const [title, id] of await ensureTitles(tx, [...newTitles])) {
    ids.titles.set(title, id)
    memory.titles.set(title, id)
  }
  for (const [key, id] of await ensurePlaces(tx, [...newPlaces.values()])) {
    ids.places.set(key, id)
    memory.places.set(key, id)
  }
  return ids
}

const idOf = (ids: ReadonlyMap<string, number>, key: string | null | undefined): number | null => (key == null ? null : ids.get(key)!)

/**
 * A website identifies its company. The domain of an address may belong to a company that was seen with it before. `found` has the
 * companies of the directory by position. Returns the number of new or changed companies; afterwards `ids` has all of them.
 */
export async function mergeCompanies(
  tx: Tx,
  companies: readonly CompanyRecord[],
  found: ReadonlyMap<number, FoundCompany>,
  ids: BatchIds,
  memory: MergeMemory,
  source: MergeSource,
): Promise<number> {
  if (companies.length === 0) return 0
  let lastId = found.size === companies.length ? 0 : await lastCompanyId(tx)
  const added: CompanyToMerge[] = []
  const known: CompanyToMerge[] = []
  const newDomains: CompanyDomain[] = []
  const movedDomains: CompanyDomain[] = []
  const aliases: string[] = []
  companies.forEach(({ record, print }, n) => {
    const { id: own = null, domainOwner = null, ownerKey = null } = found.get(n) ?? {}
    const isAlias = own === null && domainOwner !== null && !record.isDomainOfWebsite
    const isNew = own === null && !isAlias
    const id = own ?? (isAlias ? domainOwner : ++lastId)
    const company = { id, record, placeId: idOf(ids.places, record.place?.key) }
    if (isNew) added.push(company)
    else known.push(company)
    if (record.domain !== null && (isNew || record.isDomainOfWebsite) && domainOwner !== id) {
      if (domainOwner === null) newDomains.push({ domain: record.domain, companyId: id })
      else movedDomains.push({ domain: record.domain, companyId: id })
      memory.touched.add(record.domain)
    }
    if (isNew) memory.touched.add(record.matchKey)
    ids.companies.set(record.matchKey, id)
    memory.companies.set(record.matchKey, id, print)
    if (isAlias) aliases.push(record.matchKey, ownerKey!)
  })
  // Two keys of one company: the keys do not tell which record came last.
  for (const key of aliases) memory.companies.delete(key)
  if (added.length > 0) await insertCompanies(tx, added, source)
  if (added.length > 0 && source.owner === 0) await touchTwins(tx, added, source.version)
  if (newDomains.length > 0) await insertDomains(tx, newDomains, source.owner)
  if (movedDomains.length > 0) await moveDomains(tx, movedDomains, source.owner)
  const updated = known.length > 0 ? await updateCompanies(tx, known, source.version) : 0
  return added.length + movedDomains.length + updated
}

/** A domain belongs to the first company that is seen with it. Returns the number of changed companies. */
export async function mergeExtraDomains(
  tx: Tx,
  people: readonly NewPerson[],
  ids: BatchIds,
  memory: MergeMemory,
  source: MergeSource,
): Promise<number> {
  const domains: CompanyDomain[] = []
  for (const { extraDomain: domain, company } of people) {
    if (domain === null || company === null || memory.domains.has(domain)) continue
    memory.domains.add(copyOf(domain))
    memory.touched.add(domain)
    domains.push({ domain, companyId: ids.companies.get(company.matchKey)! })
  }
  return domains.length === 0 ? 0 : addDomains(tx, domains, source)
}

interface StoredPeople {
  inserted: number
  updated: number
}

/** New ids follow the order of the records; `knownIds` has the ids of existing people of the owner, by position. */
export async function mergePeople(
  tx: Tx,
  people: readonly NewPerson[],
  knownIds: ReadonlyMap<number, number>,
  ids: BatchIds,
  source: MergeSource,
): Promise<StoredPeople> {
  if (people.length === 0) return { inserted: 0, updated: 0 }
  let lastId = knownIds.size === people.length ? 0 : await lastPersonId(tx)
  const added: PersonToMerge[] = []
  const known: PersonToMerge[] = []
  people.forEach((record, n) => {
    const knownId = knownIds.get(n)
    if (knownId === undefined) added.push(personToMerge(++lastId, record, ids))
    else known.push(personToMerge(knownId, record, ids))
  })
  const updated = known.length > 0 ? await updatePeople(tx, known, source) : 0
  if (added.length > 0) await insertPeople(tx, added, source)
  return { inserted: added.length, updated }
}

const personToMerge = (id: number, record: NewPerson, ids: BatchIds): PersonToMerge => ({
  id,
  record,
  titleId: idOf(ids.titles, record.title),
  companyId: idOf(ids.companies, record.company?.matchKey),
  placeId: idOf(ids.places, record.place?.key),
})

/** PostgreSQL stores them for some thirty milliseconds, in which this process can do something else. */
const FIRST_PEOPLE = 1500

/**
 * Stores people without looking for them first. Returns nothing, and stores nothing, when the owner has one of them already. `onBegun` is
 * called when PostgreSQL has the first of them.
 */
export async function insertIfAllAreNew(
  tx: Tx,
  people: readonly NewPerson[],
  ids: BatchIds,
  source: MergeSource,
  onBegun: () => void,
): Promise<StoredPeople | undefined> {
  const lastId = await lastPersonId(tx)
  const numbered = function* (): Generator<PersonToMerge> {
    let count = 0
    for (const record of people) {
      if (count === FIRST_PEOPLE) onBegun()
      yield personToMerge(lastId + ++count, record, ids)
    }
    if (count <= FIRST_PEOPLE) onBegun()
  }
  try {
    await tx.savepoint(() => insertPeople(tx, numbered(), source))
    return { inserted: people.length, updated: 0 }
  } catch (error) {
    if (!isPersonKnown(error)) throw error
    return undefined
  }
}
