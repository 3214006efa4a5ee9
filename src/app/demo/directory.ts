import { FUNDING_STAGES, INDUSTRIES, TECHNOLOGIES } from '#lead-terms'
import { showProgress } from '../../cli/output.ts'
import type { Context } from '../../context/context.ts'
import { sql, type Tx } from '../../db/sql.ts'
import { bucketOf } from '../../directory/columns.ts'
import { DAY_MS } from '../../lib/time.ts'
import {
  copyCompanies,
  copyDomains,
  copyPeople,
  copyPlaces,
  copyTitles,
  withoutIndexesOfPeople,
} from '../../modules/people/merge-queries.ts'
import { rankTitle } from '../../modules/people/person-input.ts'
import { newPlace } from '../../modules/people/person-values.ts'
import { insertVersion, lockDirectory } from '../../modules/people/queries.ts'
import type { NewPlace } from '../../modules/people/schema.ts'
import data from './directory-words.data.json' with { type: 'json' }

interface SeedOptions {
  people: number
  now: Date
  titles?: readonly DemoTitle[]
  /** Called from time to time with the number of people that are done. */
  onProgress?: (people: number) => void
}

const PEOPLE_PER_COMPANY = 9
/** A statement may take only so long, and a busy machine is slow. */
const COPY_ROWS = 10_000

const IS_EMPTY = sql(`
  select max(version) = 0 as "isEmpty"
  from directory_versions`)

/** Made at the first start, and left alone as soon as there is anything else. */
export async function ensureDemoDirectory(ctx: Pick<Context, 'db' | 'clock' | 'config'>): Promise<void> {
  const people = ctx.config.demoPeople
  if (people === 0 || !(await ctx.db.first<{ isEmpty: boolean }>(IS_EMPTY))!.isEmpty) return
  await showProgress(`Creating a demo directory of ${people.toLocaleString('en')} people (once)`, note => {
    const onProgress = (done: number): void => note(`${Math.floor((100 * done) / people)} %`)
    return ctx.db.inTransaction(tx => seedDirectory(tx, { people, now: ctx.clock.now(), onProgress }))
  })
}

/**
 * Fills an empty directory with invented people at domains that cannot exist, spread the way real directories are: a
 * few large companies and many small ones, some countries and titles far more common than others. All people are invented.
 */
export async function seedDirectory(tx: Tx, options: SeedOptions): Promise<void> {
  const version = await lockDirectory(tx)
  const chance = new Chance()
  const cities = demoCities()
  const titles = options.titles ?? demoTitles()
  const companies = inventCompanies(chance, Math.max(10, Math.ceil(options.people / PEOPLE_PER_COMPANY)), cities, options.now)

  await copyPlaces(
    tx,
    cities.map(({ id, place }) => [id, place.country, place.region, place.city, place.lat, place.lon]),
  )
  await copyTitles(
    tx,
    titles.map((entry, index) => [index + 1, entry.title]),
  )
  await copyCompanies(
    tx,
    companies.map((company, index) => [index + 1, ...company.cells, version]),
  )
  await copyDomains(
    tx,
    companies.map((company, index) => [company.domain, index + 1]),
  )
  const invented = inventPeople(chance, { ...options, version }, companies, cities, titles)
  const fill = async (): Promise<void> => {
    for (let done = 0; done < options.people; done += COPY_ROWS) {
      await copyPeople(tx, nextOf(invented, COPY_ROWS))
      options.onProgress?.(Math.min(done + COPY_ROWS, options.people))
    }
  }
  await (options.people > COPY_ROWS ? withoutIndexesOfPeople(tx, fill) : fill())
  await insertVersion(tx, { version, source: 'demo', inserted: options.people, updated: 0, deleted: 0, now: options.now })
  tx.wake('directory')
}

/** The next `count` people; the rest stays in the generator. */
function* nextOf<T>(source: Generator<T>, count: number): Generator<T> {
  for (let taken = 0; taken < count; taken++) {
    const { value, done } = source.next()
    if (done) return
    yield value
  }
}

// Names are common ones that are combined at random, so no combination means a person.

const list = (text: string): string[] => text.split(', ')
const words = (text: string): string[] => text.split(' ')
const eachOf = (texts: Record<string, string>, split: (text: string) => string[]): Record<string, string[]> =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, split(text)]))

const COMPANY_STARTS = words(data.companyStarts)
const COMPANY_ENDINGS = words(data.companyEndings)
/** Industries that directories are full of; every other one has a small weight. */
const INDUSTRY_WEIGHTS: Record<string, number> = data.industryWeights
const LEGAL_FORMS = eachOf(data.legalForms, list)
const FIRST_NAMES = eachOf(data.firstNames, words)
const LAST_NAMES = eachOf(data.lastNames, words)

interface DemoCity {
  place: NewPlace
  id: number
  language: string
}

interface DemoCompany {
  domain: string
  language: string
  cityId: number
  country: string
  employees: number
  cells: (string | number | null)[]
}

/** Cities with the places of the gazetteer, in the order of their weight. */
function demoCities(): (DemoCity & { weight: number })[] {
  const cities: (DemoCity & { weight: number })[] = []
  const known = new Set<string>()
  for (const { country, language, weight, names: text } of data.cities) {
    // By size. A name that a country has several times is `City/REGION`.
    const names = list(text)
    const share = zipf(names.length, 0.9)
    const total = share.reduce((sum, value) => sum + value, 0)
    names.forEach((name, index) => {
      const [city, region] = name.split('/') as [string, string?]
      const place = newPlace({ country, city, ...(region ? { region: `${country}-${region}` } : {}) })
      if (known.has(place.key)) return
      known.add(place.key)
      cities.push({ place, id: cities.length + 1, language, weight: (weight * share[index]!) / total })
    })
  }
  return cities
}

function inventCompanies(chance: Chance, count: number, cities: (DemoCity & { weight: number })[], now: Date): DemoCompany[] {
  const city = new Weighted(cities.map(({ weight }) => weight))
  const slugs = Object.keys(INDUSTRY_WEIGHTS).concat(
    [...INDUSTRIES.values()].filter(({ slug, parent }) => parent !== null && !(slug in INDUSTRY_WEIGHTS)).map(({ slug }) => slug),
  )
  const industry = new Weighted(slugs.map(slug => INDUSTRY_WEIGHTS[slug] ?? 0.4))
  const technologies = [...TECHNOLOGIES]
  const technology = new Weighted(zipf(technologies.length, 0.8))
  const taken = new Set<string>()
  return Array.from({ length: count }, (_, index) => {
    const home = cities[city.draw(chance)]!
    const slug = slugs[industry.draw(chance)]!
    const { label } = INDUSTRIES.get(slug)!
    const base = `${chance.of(COMPANY_STARTS)}${chance.of(COMPANY_ENDINGS)}${chance.is(0.35) ? ` ${label.split(/[ &,]/)[0]}` : ''}`
    let domain = `${base
      .toLowerCase()
      .normalize('NFKD')
      .replace(/[^a-z0-9]+/g, '-')}.example`
    if (taken.has(domain)) domain = domain.replace('.example', `-${index}.example`)
    taken.add(domain)
    const name = `${base}${chance.is(0.6) ? ` ${chance.of(LEGAL_FORMS[home.place.country] ?? LEGAL_FORMS.US!)}` : ''}`
    // Companies come in the order of their weight, so the first ones are the large ones.
    const employees = Math.max(1, Math.round((60_000 / (index + 1) ** 0.75 + 2) * (0.4 + chance.next() * 1.2)))
    const isExact = chance.is(0.75)
    const founded = chance.is(0.9) ? 2025 - Math.floor(chance.next() ** 2 * 90) : null
    const isFunded = chance.is(0.18)
    const revenue = chance.is(0.6) ? Math.round(employees * (60_000 + chance.next() * 200_000)) : null
    const european = ['DE', 'FR', 'ES', 'IT', 'NL', 'AT', 'BE'].includes(home.place.country)
    const used = new Set(Array.from({ length: 1 + chance.below(6) }, () => technologies[technology.draw(chance)]!))
    const cells = [
      `d:${domain}`,
      name,
      domain,
      slug,
      isExact ? employees : null,
      bucketOf(employees),
      home.id,
      founded,
      revenue,
      revenue === null ? null : european ? 'EUR' : 'USD',
      isFunded ? chance.of(FUNDING_STAGES) : null,
      isFunded ? 100_000 * (1 + chance.below(900)) : null,
      isFunded ? 'USD' : null,
      isFunded ? new Date(now.getTime() - chance.below(2200) * DAY_MS).toISOString().slice(0, 10) : null,
      `{${[...used].map(value => `"${value}"`).join(',')}}`,
      `{"${label.toLowerCase()}"${chance.is(0.4) ? ',"b2b"' : ''}}`,
      `${base} is a ${label.toLowerCase()} company in ${home.place.city}.`,
    ]
    return { domain, language: home.language, cityId: home.id, country: home.place.country, employees, cells }
  })
}

type Cells = (string | number | null)[]

/** Each value with the part of all people who have it or one before it. */
type Parts = readonly (readonly [value: string, upTo: number])[]

const EMAIL_TYPES: Parts = [
  ['work', 0.94],
  ['personal', 0.98],
  ['role', 1],
]
const EMAIL_STATUSES: Parts = [
  ['verified', 0.7],
  ['accept_all', 0.82],
  ['unverified', 0.94],
  ['missing', 1],
]
const HOMES: Parts = [
  ['unknown', 0.15],
  ['at work', 0.85],
  ['elsewhere', 1],
]

function pick(chance: Chance, parts: Parts): string {
  const drawn = chance.next()
  return parts.find(([, upTo]) => drawn < upTo)![0]
}

interface DemoTitle {
  title: string
  language: string
  weight: number
  /** Someone who runs a small company. */
  isLeader: boolean
}

/** Every title there is, with how common it is where its language is spoken. */
export function demoTitles(): DemoTitle[] {
  const titles = new Map<string, DemoTitle>()
  const add = (title: string, language: string, weight: number, isLeader = false): void => {
    if (!titles.has(title)) titles.set(title, { title, language, weight, isLeader })
  }
  const addRoles = (language: string, roles: { names: string; weight: number; isLeader?: boolean }[]): void => {
    for (const { names, weight, isLeader } of roles) for (const title of list(names)) add(title, language, weight, isLeader)
  }
  const { en, ...others } = data.roles
  addRoles('en', en)
  list(data.functions).forEach((name, rank) => {
    for (const [pattern, weight] of Object.entries(data.levels)) add(pattern.replace('%', name), 'en', weight / (1 + rank * 0.35))
  })
  for (const [language, roles] of Object.entries(others)) addRoles(language, roles)
  return [...titles.values()]
}

/** The titles that people have where this language is spoken. */
function titlesOf(language: string, titles: readonly DemoTitle[]): { ids: number[]; draw: Weighted; leaders: number[] } {
  const ids = titles.flatMap((entry, index) => (entry.language === language || entry.language === 'en' ? [index] : []))
  const weights = ids.map(id => titles[id]!.weight * (titles[id]!.language === language ? 1 : 0.7))
  return { ids, draw: new Weighted(weights), leaders: ids.filter(id => titles[id]!.isLeader) }
}

function* inventPeople(
  chance: Chance,
  { people, now, version }: { people: number; now: Date; version: number },
  companies: DemoCompany[],
  cities: DemoCity[],
  titles: readonly DemoTitle[],
): Generator<Cells> {
  const company = new Weighted(zipf(companies.length, 0.7))
  const languages = new Set(companies.map(({ language }) => language))
  const byLanguage = new Map(Array.from(languages, language => [language, titlesOf(language, titles)]))
  const citiesOf = Map.groupBy(cities, city => city.place.country)
  const ranks = titles.map(({ title }) => rankTitle(title))
  const importedAt = now.toISOString()
  const daysAgo = Array.from({ length: 120 }, (_, days) => new Date(now.getTime() - days * DAY_MS).toISOString())
  const taken = new Map<string, number>()

  for (let id = 1; id <= people; id++) {
    const companyIndex = company.draw(chance)
    const employer = companies[companyIndex]!
    const choice = byLanguage.get(employer.language)!
    const titleIndex = employer.employees <= 20 && chance.is(0.45) ? chance.of(choice.leaders) : choice.ids[choice.draw.draw(chance)]!
    const first = chance.of(FIRST_NAMES[employer.language] ?? FIRST_NAMES.en!)
    const last = chance.of(LAST_NAMES[employer.language] ?? LAST_NAMES.en!)
    const type = pick(chance, EMAIL_TYPES)
    const status = pick(chance, EMAIL_STATUSES)
    const local = type === 'role' ? 'info' : `${plain(first)}.${plain(last)}`
    const host = type === 'personal' ? 'freemail.example' : employer.domain
    const wanted = `${local}@${host}`
    const twins = taken.get(wanted) ?? 0
    taken.set(wanted, twins + 1)
    const email = twins === 0 ? wanted : `${local}${twins + 1}@${host}`
    const isMissing = status === 'missing'
    const home = pick(chance, HOMES)
    const place = home === 'elsewhere' ? chance.of(citiesOf.get(employer.country)!).id : home === 'unknown' ? null : employer.cityId
    const verifiedAt = status === 'verified' ? chance.of(daysAgo) : null
    yield [
      id,
      isMissing ? `#${id}` : email,
      isMissing ? null : email,
      status,
      isMissing ? null : type,
      verifiedAt,
      first,
      last,
      `${first} ${last}`,
      titleIndex + 1,
      ranks[titleIndex]!.seniority,
      ranks[titleIndex]!.department,
      companyIndex + 1,
      place,
      chance.is(0.6) ? `https://profiles.example/${local.replace('.', '-')}-${id}` : null,
      'demo',
      importedAt,
      version,
    ]
  }
}

const plainNames = new Map<string, string>()

function plain(name: string): string {
  let known = plainNames.get(name)
  if (known === undefined) {
    known = name
      .replace(/ß/g, 'ss')
      .replace(/ø/g, 'o')
      .replace(/ł/g, 'l')
      .normalize('NFKD')
      .replace(/[^a-zA-Z]/g, '')
      .toLowerCase()
    plainNames.set(name, known)
  }
  return known
}

/** A repeatable source of chance, so that the directory is the same on every machine. */
class Chance {
  #state = 1

  /** From 0 up to, not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  is(share: number): boolean {
    return this.next() < share
  }

  of<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!
  }
}

class Weighted {
  readonly #sums: Float64Array

  constructor(weights: ArrayLike<number>) {
    this.#sums = new Float64Array(weights.length)
    let sum = 0
    for (let index = 0; index < weights.length; index++) {
      sum += weights[index]!
      this.#sums[index] = sum
    }
  }

  draw(chance: Chance): number {
    const target = chance.next() * this.#sums[this.#sums.length - 1]!
    // The first sum above the target.
    let [low, high] = [0, this.#sums.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#sums[middle]! > target) high = middle
      else low = middle + 1
    }
    return low
  }
}

/** Weights that fall with the rank, as sizes of companies and popularity of names do. */
const zipf = (count: number, exponent: number): Float64Array => Float64Array.from({ length: count }, (_, rank) => (rank + 1) ** -exponent)
