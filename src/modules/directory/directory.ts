import type { Tx } from '../../db/client.ts'
import type { NewCompany, NewPerson, NewPlace } from './person-input.ts'
import {
  ensurePlaces,
  ensureTitles,
  erasePeopleByKey,
  insertVersion,
  lockDirectory,
  mergeCompanies,
  mergePeople,
  openStage,
  type PersonRow,
  stageCompanies,
  stagePeople,
} from './queries.ts'

export type { PersonRow }

export interface MergeResult {
  insertedCount: number
  updatedCount: number
  /** Those that the directory already knew exactly so. */
  unchangedCount: number
  /** The version that the directory has afterwards. */
  version: number
}

/**
 * Merges people, and the companies they work for, into the directory: one version, whole or not at all. An address is
 * one person, whoever brings it; what a new record says replaces what was known, what it leaves open stays.
 */
export async function mergeIntoDirectory(tx: Tx, input: readonly NewPerson[], batch: { source: string; now: Date }): Promise<MergeResult> {
  const people = mergeByKey(input, person => person.matchKey)
  const companies = mergeByKey(
    input.flatMap(person => person.company ?? []),
    company => company.matchKey,
  )
  const version = await lockDirectory(tx)
  await openStage(tx)

  const titles = await ensureTitles(tx, [...new Set(people.flatMap(person => person.title ?? []))])
  const places = await ensurePlaces(tx, distinctPlaces(people, companies))
  await stageCompanies(tx, companies, places)
  const positions = new Map(companies.map((company, index) => [company.matchKey, index]))
  await stagePeople(tx, people, { titles, places, companies: positions })

  const merged = await mergeCompanies(tx, version)
  const { inserted, updated } = await mergePeople(tx, version, batch.source, batch.now)
  const isChanged = inserted + updated + merged.inserted + merged.updated > 0
  if (isChanged) {
    await insertVersion(tx, { version, source: batch.source, inserted, updated, deleted: 0, now: batch.now })
    tx.wake('directory')
  }
  return {
    insertedCount: inserted,
    updatedCount: updated,
    unchangedCount: people.length - inserted - updated,
    version: isChanged ? version : version - 1,
  }
}

/** Takes people out by their addresses. Their numbers stay taken; nothing about them does. */
export async function erasePeople(tx: Tx, emails: readonly string[], now: Date): Promise<{ erasedCount: number; version: number }> {
  const version = await lockDirectory(tx)
  const erasedCount = await erasePeopleByKey(
    tx,
    emails.map(email => email.trim().toLowerCase()),
    version,
  )
  if (erasedCount > 0) {
    await insertVersion(tx, { version, source: 'erased', inserted: 0, updated: 0, deleted: erasedCount, now })
    tx.wake('directory')
  }
  return { erasedCount, version: erasedCount > 0 ? version : version - 1 }
}

/** One record per key: later ones fill in and replace, value by value. */
function mergeByKey<T extends NewPerson | NewCompany>(records: readonly T[], keyOf: (record: T) => string): T[] {
  const merged = new Map<string, T>()
  for (const record of records) {
    const key = keyOf(record)
    const known = merged.get(key)
    merged.set(key, known && known !== record ? overlay(known, record) : record)
  }
  return [...merged.values()]
}

function overlay<T extends NewPerson | NewCompany>(known: T, record: T): T {
  const result = { ...known }
  for (const [field, value] of Object.entries(record) as [keyof T, T[keyof T]][]) {
    if (value !== null && value !== false && !(Array.isArray(value) && value.length === 0)) result[field] = value
  }
  // The same address in other letters is not news.
  if ('email' in known && 'email' in result) result.email = known.email
  // A newer bucket is no longer what an older head count says.
  if ('size' in record && 'employees' in result && record.size !== null) result.employees = record.employees
  return result
}

function distinctPlaces(people: readonly NewPerson[], companies: readonly NewCompany[]): NewPlace[] {
  const places = new Map<string, NewPlace>()
  for (const { place } of people) if (place) places.set(place.key, place)
  for (const { place } of companies) if (place) places.set(place.key, place)
  return [...places.values()]
}
