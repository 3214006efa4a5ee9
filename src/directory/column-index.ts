import { Columns, industryCodes, PLACE_OF_COMPANY, SEGMENT_ROWS, type Segment, seniorityCodes, sizeCodes } from './columns.ts'
import { CompanyStore } from './company-store.ts'
import { PlaceDictionary, TitleDictionary } from './dictionaries.ts'
import { streamDirectory } from './feed.ts'
import type { BuildIndex } from './index-keeper.ts'
import type { DirectoryChanges, DirectoryVersion, FacetCount, LeadFacets, LeadPreview, PersonRow, Question } from './records.ts'
import { resolveFilter } from './resolve.ts'
import { countRows, firstRows, type PerCompany, type ScanFilter, type Tally } from './scan.ts'

/** The people as columns, with the dictionaries: everything that a search needs, at one version of the directory. */
export class ColumnIndex {
  readonly columns = new Columns()
  readonly titles = new TitleDictionary()
  readonly places = new PlaceDictionary()
  readonly companies = new CompanyStore()
  version = 0
  /** Owners are numbered 0 to `ownerCount - 1`; 0 is the operator. */
  ownerCount = 1

  apply(changes: DirectoryChanges, { version }: DirectoryVersion): void {
    for (const title of changes.titles) this.titles.add(title)
    for (const place of changes.places) this.places.add(place)
    for (const company of changes.companies) this.companies.set(company)
    // A new company has no people yet; only a changed company needs a pass over all people.
    if (changes.companies.length > 0 && this.columns.rowCount > 1) this.#refreshPeopleOf(changes.companies.map(({ id }) => id))
    for (const person of changes.people) this.setPerson(...person)
    for (const id of changes.deleted) this.#clear(id)
    this.version = version
  }

  readonly setPerson: (...row: PersonRow) => void = (id, mail, seniority, department, title, company, place, owner) => {
    if (owner >= this.ownerCount) this.ownerCount = owner + 1
    const segment = this.columns.segmentOf(id)
    const row = id % SEGMENT_ROWS
    segment.mail[row] = mail
    segment.seniority[row] = seniority
    segment.department[row] = department
    segment.title[row] = title
    segment.company[row] = company
    segment.place[row] = place === 0 ? PLACE_OF_COMPANY : place
    segment.owner[row] = owner
    this.#deriveFromCompany(segment, row)
  }

  #deriveFromCompany(segment: Segment, row: number): void {
    const company = segment.company[row]!
    segment.industry[row] = this.companies.industry.get(company)
    segment.size[row] = this.companies.size.get(company)
    if (segment.place[row]! >= PLACE_OF_COMPANY) segment.place[row] = (PLACE_OF_COMPANY | this.companies.place.get(company)) >>> 0
    segment.country[row] = this.places.countryOf[segment.place[row]! & ~PLACE_OF_COMPANY] ?? 0
  }

  #refreshPeopleOf(companyIds: number[]): void {
    const changed = new Uint8Array(this.companies.count)
    for (const id of companyIds) changed[id] = 1
    for (let start = 0; start < this.columns.rowCount; start += SEGMENT_ROWS) {
      const segment = this.columns.segments[start / SEGMENT_ROWS]!
      const end = Math.min(SEGMENT_ROWS, this.columns.rowCount - start)
      for (let row = 0; row < end; row++) if (changed[segment.company[row]!] === 1) this.#deriveFromCompany(segment, row)
    }
  }

  #clear(id: number): void {
    if (id >= this.columns.rowCount) return
    const segment = this.columns.segmentOf(id)
    for (const column of Object.values(segment)) column[id % SEGMENT_ROWS] = 0
  }

  #scanFilter(question: Question): ScanFilter {
    const { filter, now, owner = 0, addresses } = question
    const tests = resolveFilter(filter, this, { now, owner, addresses, hasImported: this.ownerCount > 1 })
    if (owner > 0) tests.push({ column: 'owner', table: this.#ownersTable(owner) })
    return { tests, exclude: this.#bits(question.excludeIds) }
  }

  /** The operator's people and those of one workspace. */
  #ownersTable(owner: number): Uint8Array {
    const table = new Uint8Array(Math.max(this.ownerCount, owner + 1))
    table[0] = 1
    table[owner] = 1
    return table
  }

  #bits(ids: Iterable<number> | undefined): Uint8Array | null {
    if (!ids) return null
    let bits: Uint8Array | null = null
    for (const id of ids) {
      if (id < 1 || id >= this.columns.rowCount) continue
      bits ??= new Uint8Array((this.columns.rowCount >> 3) + 1)
      bits[id >> 3]! |= 1 << (id & 7)
    }
    return bits
  }

  preview(question: Question, withFacets: boolean): LeadPreview {
    const { version } = this
    const { segments, rowCount } = this.columns
    const { tally, verifiedCount } = countRows(segments, this.#scanFilter(question), rowCount, this.#perCompany(question), withFacets)
    const matchCount = tally.subarray(1, 256).reduce((sum, count) => sum + count, 0)
    return { matchCount, verifiedCount, facets: this.#facets(tally), version }
  }

  exportIds(question: Question, limit: number): { ids: number[]; version: number } {
    const { segments, rowCount } = this.columns
    const ids = firstRows(segments, this.#scanFilter(question), rowCount, limit, this.#perCompany(question))
    return { ids, version: this.version }
  }

  #perCompany({ filter: { maxPerCompany: max } }: Question): PerCompany | null {
    const { count, twin } = this.companies
    return max === undefined ? null : { max, companyCount: count, twins: twin.values }
  }

  #facets(tally: Tally): LeadFacets {
    const facet = (number: number, nameOf: (code: number) => string | undefined): FacetCount[] => {
      const counts: FacetCount[] = []
      for (let code = 1; code < 256; code++) {
        const count = tally[number * 256 + code]!
        const value = count > 0 ? nameOf(code) : undefined
        if (value !== undefined) counts.push({ value, count })
      }
      return counts.sort(byCount)
    }
    return {
      industry: facet(1, code => industryCodes.value(code)),
      country: facet(2, code => this.places.countries.value(code)),
      size: facet(3, code => sizeCodes.value(code)),
      seniority: facet(4, code => seniorityCodes.value(code)),
    }
  }
}

/** Largest first; equal counts by name, so that the order is always the same. */
export const byCount = (a: FacetCount, b: FacetCount): number => b.count - a.count || (a.value < b.value ? -1 : 1)

/** The default index: columns in memory, built from the database. */
export const buildColumnIndex: BuildIndex = async client => {
  const index = new ColumnIndex()
  const beginning = { version: 0, titleCount: 1, placeCount: 1 }
  const { version } = await streamDirectory(client, beginning, {
    title: record => index.titles.add(record),
    place: record => index.places.add(record),
    company: record => index.companies.set(record),
    person: index.setPerson,
    deleted: () => {},
  })
  index.version = version
  return index
}
