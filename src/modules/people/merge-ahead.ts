import type { Db, Tx } from '../../db/client.ts'
import { type CompanyRecord, companiesToMerge, type TitlesAndPlaces, titlesAndPlacesOf } from './merge.ts'
import { type FoundCompany, findCompanies } from './merge-company-queries.ts'
import type { MergeInput } from './merge-input.ts'
import type { MergeMemory } from './merge-memory.ts'

/** The companies of a batch, looked up before its turn, and its titles and places. */
export interface CompaniesAhead {
  /** What was known then. It is worth nothing to a merge that remembers something else. */
  memory: MergeMemory
  companies: CompanyRecord[]
  ids: Map<string, number>
  /** Titles and places are only ever added, so what was known of them stays true. */
  named: TitlesAndPlaces
  /** By position in `companies`. Nothing when they could not be looked up. */
  found: Promise<Map<number, FoundCompany> | undefined>
  /** The positions of companies that the batch before may have changed: they must be looked up again. */
  unsure: number[]
}

/**
 * Looks up the companies of a batch over another connection, while the people of the batch before are stored. The answer does not contain
 * what that batch has written. It is used only when nobody else has changed the directory in between.
 */
export function findCompaniesAhead(db: Db, input: MergeInput, memory: MergeMemory, owner: number): CompaniesAhead {
  const ids = new Map<string, number>()
  const companies = companiesToMerge(input.companies, memory, ids)
  const sure: number[] = []
  const unsure: number[] = []
  companies.forEach(({ record }, position) => {
    const isTouched = memory.touched.has(record.matchKey) || (record.domain !== null && memory.touched.has(record.domain))
    if (isTouched) unsure.push(position)
    else sure.push(position)
  })
  // Without an answer, the batch looks for them itself, and reports what is wrong.
  const found = findAt(db, companies, sure, owner).catch(() => undefined)
  // PostgreSQL looks for the companies meanwhile.
  const named = titlesAndPlacesOf(input.people(), companies, memory)
  return { memory, companies, ids, named, found, unsure }
}

/** The companies of the directory by position in `companies`. Only those that were not found ahead are looked up. */
export async function findCompaniesNow(
  tx: Tx,
  companies: readonly CompanyRecord[],
  owner: number,
  ahead: CompaniesAhead | undefined,
): Promise<Map<number, FoundCompany>> {
  const early = await ahead?.found
  if (!ahead || !early) return findAt(tx, companies, [...companies.keys()], owner)
  for (const [position, company] of await findAt(tx, companies, ahead.unsure, owner)) early.set(position, company)
  return early
}

async function findAt(
  db: Db,
  companies: readonly CompanyRecord[],
  positions: readonly number[],
  owner: number,
): Promise<Map<number, FoundCompany>> {
  if (positions.length === 0) return new Map()
  const found = await findCompanies(
    db,
    positions.map(position => companies[position]!.record),
    owner,
  )
  return new Map([...found].map(([n, company]) => [positions[n]!, company]))
}
