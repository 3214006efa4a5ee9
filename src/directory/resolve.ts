import {
  EMPLOYEE_BUCKETS,
  expandArea,
  type FilterDocument,
  industrySlugs,
  type NumberRange,
  type Place,
  readCompanyValue,
} from '#lead-terms'
import {
  BUCKETS,
  type Codes,
  departmentCodes,
  IMPORTED,
  industryCodes,
  isVerifiedCode,
  MAIL_CODES,
  type SmallColumn,
  seniorityCodes,
  type WideColumn,
} from './columns.ts'
import type { CompanyStore } from './company-store.ts'
import { type PlaceDictionary, type TitleDictionary, titleSearch } from './dictionaries.ts'
import type { SearchOptions } from './records.ts'
import type { ColumnTest } from './scan.ts'

interface Dictionaries {
  titles: TitleDictionary
  places: PlaceDictionary
  companies: CompanyStore
}

interface Asking {
  now: Date
  /** The number of the workspace whose own people are searched too; 0 for none. */
  owner: number
  addresses: SearchOptions['addresses']
  /** Whether the columns contain imported people. */
  hasImported: boolean
}

interface Choice<T> {
  include?: readonly T[]
  exclude?: readonly T[]
}

/** Turns a filter document into lookup tables, one for each column that the filter restricts. */
export function resolveFilter(filter: FilterDocument, dictionaries: Dictionaries, asking: Asking): ColumnTest[] {
  const { titles, places } = dictionaries
  const tests: ColumnTest[] = []
  const add = (column: SmallColumn | WideColumn, table: Uint8Array | null): void => {
    if (table) tests.push({ column, table })
  }

  add('seniority', codesTable(seniorityCodes, filter.seniorities))
  add('department', codesTable(departmentCodes, filter.departments))
  add('industry', codesTable(industryCodes, groupsToSlugs(filter.industries)))
  add('title', titleTable(titles, filter))
  const countries = countriesOnly(filter.locations)
  if (countries) add('country', codesTable(places.countries, countries))
  else add('place', placeTable(places, filter.locations))

  const sizes = bucketsOnly(filter.employees)
  if (sizes) add('size', sizes)
  add('company', companyTable(dictionaries, filter, sizes === null, asking))

  const isEveryMail = !filter.emailStatus && !filter.emailTypes && !asking.addresses && (asking.owner > 0 || !asking.hasImported)
  // A row that is not in use is 0 in every column, so one test that rejects 0 excludes it.
  if (!isEveryMail || tests.every(({ table }) => table[0] === 1)) add('mail', mailTable(filter, asking))
  return tests
}

/** An unknown value (0) fails an include and passes an exclude. */
function openTable(length: number, isIncluding: boolean): Uint8Array {
  const table = new Uint8Array(length)
  if (!isIncluding) table.fill(1)
  return table
}

function codesTable(codes: Codes, choice: Choice<string> | undefined): Uint8Array | null {
  if (!choice?.include && !choice?.exclude) return null
  const table = openTable(256, choice.include !== undefined)
  for (const value of choice.include ?? []) if (codes.of(value) !== 0) table[codes.of(value)] = 1
  for (const value of choice.exclude ?? []) if (codes.of(value) !== 0) table[codes.of(value)] = 0
  return table
}

function groupsToSlugs(choice: Choice<string> | undefined): Choice<string> | undefined {
  if (!choice) return undefined
  return {
    ...(choice.include ? { include: [...industrySlugs(choice.include)] } : {}),
    ...(choice.exclude ? { exclude: [...industrySlugs(choice.exclude)] } : {}),
  }
}

/** A workspace without imports sees no imported people; for a workspace with imports, the column of owners decides. */
function mailTable(filter: FilterDocument, { owner, addresses }: Asking): Uint8Array {
  const table = openTable(256, true)
  for (const { status, type, code } of MAIL_CODES) {
    const hasStatus = !filter.emailStatus || filter.emailStatus.includes(status)
    const hasType = !filter.emailTypes || (type !== null && filter.emailTypes.includes(type))
    if (!hasStatus || !hasType) continue
    const isWanted = addresses === undefined || isVerifiedCode(code)
    const isUsable = status !== 'missing' && (status !== 'invalid' || filter.emailStatus !== undefined)
    if (isWanted) table[code] = 1
    if (owner > 0 && (isWanted || (addresses === 'usable' && isUsable))) table[code + IMPORTED] = 1
  }
  return table
}

/** Fills a table with the marks of the included values, then of the excluded ones, which win. */
function marksTable<T>(count: number, choice: Choice<T>, marksOf: (value: T) => Uint8Array): Uint8Array {
  const table = openTable(count, choice.include !== undefined)
  for (const value of choice.include ?? []) {
    const marks = marksOf(value)
    for (let id = 1; id < count; id++) table[id]! |= marks[id]!
  }
  for (const value of choice.exclude ?? []) {
    const marks = marksOf(value)
    for (let id = 1; id < count; id++) table[id]! &= marks[id]! ^ 1
  }
  return table
}

function titleTable(titles: TitleDictionary, filter: FilterDocument): Uint8Array | null {
  const choice = filter.jobTitles
  if (!choice?.include && !choice?.exclude) return null
  const match = filter.jobTitleMatch ?? 'similar'
  return marksTable(titles.count, choice, value => titles.marks(`${match} ${value}`, () => titleSearch(value, match)))
}

function placeTable(places: PlaceDictionary, choice: Choice<Place> | undefined): Uint8Array | null {
  if (!choice?.include && !choice?.exclude) return null
  return marksTable(places.count, choice, place => places.marks(place))
}

/** The choice as country codes, if it names only countries: a byte is faster to look up than a place. */
function countriesOnly(choice: Choice<Place> | undefined): Choice<string> | null {
  if (!choice) return null
  const all: Choice<string> & Record<string, string[]> = {}
  for (const side of ['include', 'exclude'] as const) {
    const named = choice[side]?.flatMap(place => ('area' in place ? expandArea(place.area) : [place]))
    if (!named) continue
    if (named.some(place => place.region !== undefined || place.city !== undefined)) return null
    all[side] = named.map(place => place.country)
  }
  return all
}

const BUCKET_LIMITS: readonly (readonly [min: number, max: number])[] = BUCKETS.map(bucket => {
  const [min, max] = bucket.replace('+', '').split('-').map(Number) as [number, number?]
  return [min, max ?? Infinity]
})

/** The ranges as size buckets, if every bucket lies completely inside or outside of them: again, a byte is faster. */
function bucketsOnly(ranges: readonly NumberRange[] | undefined): Uint8Array | null {
  if (!ranges) return null
  const table = openTable(256, true)
  for (const [index, [min, max]] of BUCKET_LIMITS.entries()) {
    const middle = EMPLOYEE_BUCKETS[BUCKETS[index]!]
    const isInside = ranges.some(range => (range.min ?? 1) <= min && (range.max ?? Infinity) >= max)
    const isOutside = ranges.every(range => (range.min ?? 1) > max || (range.max ?? Infinity) < min)
    const middleIn = ranges.some(range => (range.min ?? 1) <= middle && (range.max ?? Infinity) >= middle)
    if (isInside === isOutside || middleIn !== isInside) return null
    if (isInside) table[index + 1] = 1
  }
  return table
}

/** Combines all conditions on the company into one table over the companies. */
function companyTable({ companies, places }: Dictionaries, filter: FilterDocument, withEmployees: boolean, { now, owner }: Asking) {
  const { count } = companies
  let table: Uint8Array | null = null
  const demand = (marks: Uint8Array): void => {
    table ??= openTable(count, false)
    table[0] = 0
    for (let id = 1; id < count; id++) table[id]! &= marks[id]!
  }
  const refuse = (marks: Uint8Array): void => {
    table ??= openTable(count, false)
    for (let id = 1; id < count; id++) table[id]! &= marks[id]! ^ 1
  }
  /** Marks are cached by field and values, so that the next page of the same search reuses them. */
  const marked = <T>(field: string, values: T, mark: (marks: Uint8Array, values: T) => void): Uint8Array =>
    companies.marks(`${field} ${JSON.stringify(values)}`, marks => mark(marks, values))
  const choose = <T>(field: string, choice: Choice<T> | undefined, mark: (marks: Uint8Array, values: readonly T[]) => void): void => {
    if (choice?.include) demand(marked(field, choice.include, mark))
    if (choice?.exclude) refuse(marked(field, choice.exclude, mark))
  }
  const chooseEach = <T>(field: string, choice: Choice<T> | undefined, mark: (marks: Uint8Array, value: T) => void): void =>
    choose(field, choice, (marks, values) => {
      for (const value of values) mark(marks, value)
    })
  const within = <T>(field: string, ranges: T | undefined, mark: (marks: Uint8Array, ranges: T) => void): void => {
    if (ranges !== undefined) demand(marked(field, ranges, mark))
  }

  choose(owner === 0 ? 'companies' : `companies ${owner}`, filter.companies, (marks, values) => {
    const wanted = values.map(readCompanyValue)
    const names = wanted.flatMap(value => (value.kind === 'name' ? [value.name] : []))
    const domains = wanted.flatMap(value => (value.kind === 'domain' ? [value.domain] : []))
    companies.markNamed(marks, names, domains, owner)
  })
  chooseEach('keyword', filter.keywords, (marks, value) => companies.markKeyword(marks, value))
  chooseEach('technology', filter.technologies, (marks, value) => companies.markTechnology(marks, value))
  chooseEach('stage', filter.fundingStages, (marks, value) => companies.markFundingStage(marks, value))
  chooseEach('place', filter.companyLocations, (marks, value) => companies.markPlace(marks, places.marks(value)))
  within('employees', withEmployees ? filter.employees : undefined, (marks, ranges) => companies.markEmployees(marks, ranges))
  within('founded', filter.founded, (marks, ranges) => companies.markFounded(marks, ranges))
  within('revenue', filter.revenue, (marks, ranges) => companies.markRevenue(marks, ranges))
  within('funding', filter.fundingTotal, (marks, ranges) => companies.markFundingTotal(marks, ranges))
  const since = filter.fundedWithinMonths === undefined ? undefined : monthsBefore(now, filter.fundedWithinMonths)
  within('funded', since, (marks, date) => companies.markFundedSince(marks, date))
  return table
}

/** The same day some months earlier, or the last day of that month when it is shorter. */
export function monthsBefore(now: Date, months: number): string {
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1))
  const lastDay = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(now.getUTCDate(), lastDay))
  return first.toISOString().slice(0, 10)
}
