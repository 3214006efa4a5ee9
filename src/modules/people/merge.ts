import type { Tx } from '../../db/client.ts'
import {
  addDomains,
  type CompanyDomain,
  type CompanyToMerge,
  type FoundCompany,
  insertCompanies,
  insertDomains,
  insertPeople,
  lastCompanyId,
  lastPersonId,
  type MergeSource,
  moveDomains,
  type PersonToMerge,
  touchTwins,
  updateCompanies,
  updatePeople,
} from './merge-queries.ts'
import { ensurePlaces, ensureTitles } from './queries.ts'
import type { NewCompany, NewPerson } from './schema.ts'

// The parts of a merge. All of them run under the lock of the directory.

/** The ids of everything that the people of a batch refer to, by title and by key. */
export interface BatchIds {
  titles: Map<string, number>
  places: Map<string, number>
  companies: Map<string, number>
}

/** One record per key: values of later records replace earlier ones. */
export function onePerKey<T extends NewPerson | NewCompany>(records: Iterable<T>): T[] {
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
export async function nameTitlesAndPlaces(
  tx: Tx,
  people: readonly NewPerson[],
  companies: readonly NewCompany[],
): Promise<Pick<BatchIds, 'titles' | 'places'>> {
  const titles = new Set(people.flatMap(({ title }) => title ?? []))
  const places = new Map([...people, ...companies].flatMap(({ place }) => (place === null ? [] : [[place.key, place] as const])))
  return { titles: await ensureTitles(tx, [...titles]), places: await ensurePlaces(tx, [...places.values()]) }
}

const idOf = (ids: ReadonlyMap<string, number>, key: string | null | undefined): number | null => (key == null ? null : ids.get(key)!)

/**
 * A website identifies its company. The domain of an address may belong to a company that was seen with it before. `found` has the
 * companies of the directory by position. Returns the number of new or changed companies; afterwards `ids` has all of them.
 */
export async function mergeCompanies(
  tx: Tx,
  companies: readonly NewCompany[],
  found: ReadonlyMap<number, FoundCompany>,
  ids: BatchIds,
  source: MergeSource,
): Promise<number> {
  if (companies.length === 0) return 0
  let lastId = found.size === companies.length ? 0 : await lastCompanyId(tx)
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
  if (added.length > 0) await insertCompanies(tx, added, source)
  if (added.length > 0 && source.owner === 0) await touchTwins(tx, added, source.version)
  if (newDomains.length > 0) await insertDomains(tx, newDomains, source.owner)
  if (movedDomains.length > 0) await moveDomains(tx, movedDomains, source.owner)
  const updated = known.length > 0 ? await updateCompanies(tx, known, source.version) : 0
  return added.length + movedDomains.length + updated
}

/** A domain belongs to the first company that is seen with it. Returns the number of changed companies. */
export async function mergeExtraDomains(tx: Tx, people: readonly NewPerson[], ids: BatchIds, source: MergeSource): Promise<number> {
  const domains = new Map<string, CompanyDomain>()
  for (const { extraDomain: domain, company } of people) {
    if (domain === null || company === null || domains.has(domain)) continue
    domains.set(domain, { domain, companyId: ids.companies.get(company.matchKey)! })
  }
  return domains.size === 0 ? 0 : addDomains(tx, [...domains.values()], source)
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
