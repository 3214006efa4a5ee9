import {
  CURRENCIES,
  DEPARTMENTS,
  EMAIL_STATUSES,
  EMAIL_TYPES,
  EMPLOYEE_BUCKETS,
  type EmployeeBucket,
  type FilterDocument,
  FUNDING_STAGES,
  INDUSTRY_SLUGS,
  SENIORITIES,
} from '#lead-terms'
import { byCount } from '../../src/directory/column-index.ts'
import { bucketOf, departmentCodes, IMPORTED, MAIL_CODES, seniorityCodes } from '../../src/directory/columns.ts'
import type { CompanyRecord, DirectoryChanges, LeadFacets, PersonRow, PlaceRecord, TitleRecord } from '../../src/directory/records.ts'
import { DAY_MS } from '../../src/lib/time.ts'
import { type LeadRecord, leadMatcher, type PersonRecord } from './match-lead.ts'

/** A small directory in which every optional value is sometimes missing, and a brute-force result for any filter. */

export const NOW = new Date('2026-03-31T12:00:00Z')

const TITLES = [
  'CEO',
  'Chief Executive Officer',
  'CTO',
  'Head of Marketing',
  'Marketing Manager',
  'VP Sales',
  'Vice President of Sales',
  'Sales Director',
  'Director of Engineering',
  'Software Engineer',
  'Senior Software Engineer',
  'Geschäftsführer',
  'Leiter Vertrieb',
  'Head of Sales',
  'Founder & CEO',
  'Owner',
  'Data Scientist',
  'HR Manager',
  'Directeur Marketing',
  'Account Executive',
  'Engineers',
  'of the',
  '???',
]

const PLACES: Omit<PlaceRecord, 'id'>[] = [
  { country: 'DE', region: null, city: null, lat: null, lon: null },
  { country: 'DE', region: 'DE-BY', city: 'Munich', lat: 48.137, lon: 11.575 },
  { country: 'DE', region: 'DE-BY', city: 'Augsburg', lat: 48.37, lon: 10.9 },
  { country: 'DE', region: 'DE-BE', city: 'Berlin', lat: 52.52, lon: 13.405 },
  { country: 'AT', region: 'AT-9', city: 'Vienna', lat: 48.21, lon: 16.37 },
  { country: 'AT', region: 'AT-5', city: 'Salzburg', lat: 47.8, lon: 13.04 },
  { country: 'US', region: 'US-CA', city: 'San Francisco', lat: 37.77, lon: -122.42 },
  { country: 'US', region: 'US-CA', city: 'Oakland', lat: 37.8, lon: -122.27 },
  { country: 'US', region: 'US-CA', city: null, lat: null, lon: null },
  { country: 'US', region: 'US-TX', city: 'Austin', lat: 30.27, lon: -97.74 },
  { country: 'US', region: null, city: null, lat: null, lon: null },
  { country: 'GB', region: 'GB-ENG', city: 'London', lat: 51.51, lon: -0.13 },
  { country: 'SG', region: null, city: 'Singapore', lat: 1.29, lon: 103.85 },
]

const NAMES = [
  'Acme GmbH',
  'Acme Inc',
  'Blue River',
  'Blue Rivers AG',
  'Nordwind Ltd',
  'Data Works',
  'Works of Data',
  'Société Générique SA',
  'Fox & Oak LLC',
  'Solar Fields',
]
const WORDS = ['cloud', 'payments', 'solar panels', 'machine learning', 'b2b', 'green energy', 'software for dentists', 'logistics']
export const TECHNOLOGIES = ['salesforce', 'hubspot', 'aws', 'sap', 'shopify']

export interface TestDirectory {
  changes: DirectoryChanges
  leads: LeadRecord[]
}

/** The same seed gives the same directory. */
export function makeTestDirectory(people: number, seed: number): TestDirectory {
  let state = seed
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 0x1_0000_0000
  }
  const below = (limit: number): number => Math.floor(random() * limit)
  const of = <T>(values: readonly T[]): T => values[below(values.length)]!
  const maybe = <T>(share: number, make: () => T): T | null => (random() < share ? make() : null)

  const titles: TitleRecord[] = TITLES.map((title, index) => ({ id: index + 1, title }))
  const places: PlaceRecord[] = PLACES.map((place, index) => ({ id: index + 1, ...place }))
  const companies: CompanyRecord[] = Array.from({ length: Math.ceil(people / 12) }, (_, index) => {
    const employees = maybe(0.5, () => Math.ceil(10 ** (random() * 5)))
    const bucket = maybe(0.6, () => of(Object.keys(EMPLOYEE_BUCKETS) as EmployeeBucket[]))
    return {
      id: index + 1,
      name: random() < 0.3 ? of(NAMES) : `${of(NAMES)} ${index}`,
      domains: random() < 0.8 ? [`company${index}.com`, ...(random() < 0.2 ? [`company${index}.co.uk`] : [])] : [],
      industry: maybe(0.85, () => of(INDUSTRY_SLUGS.slice(0, 40))),
      employees,
      size: employees === null ? bucket : bucketOf(employees),
      placeId: random() < 0.8 ? 1 + below(PLACES.length) : 0,
      founded: maybe(0.7, () => 1950 + below(75)),
      revenue: maybe(0.6, () => below(50_000_000)),
      revenueCurrency: maybe(0.7, () => of(CURRENCIES.slice(0, 4))),
      fundingStage: maybe(0.5, () => of(FUNDING_STAGES)),
      fundingTotal: maybe(0.5, () => below(20_000_000)),
      fundingCurrency: maybe(0.7, () => of(CURRENCIES.slice(0, 4))),
      fundedAt: maybe(0.5, () => new Date(NOW.getTime() - below(1500) * DAY_MS).toISOString().slice(0, 10)),
      technologies: TECHNOLOGIES.filter(() => random() < 0.2),
      tags: WORDS.filter(() => random() < 0.15),
      description: maybe(0.5, () => `${of(NAMES)} makes ${of(WORDS)} and ${of(WORDS)}`),
    }
  })
  const leads: LeadRecord[] = Array.from({ length: people }, (_, index) => {
    const emailStatus = of(EMAIL_STATUSES)
    const person: PersonRecord = {
      id: index + 1,
      emailStatus,
      emailType: emailStatus === 'missing' ? null : maybe(0.9, () => of(EMAIL_TYPES)),
      seniority: maybe(0.85, () => of(SENIORITIES)),
      department: maybe(0.8, () => of(DEPARTMENTS)),
      titleId: random() < 0.9 ? 1 + below(TITLES.length) : 0,
      companyId: random() < 0.93 ? 1 + below(companies.length) : 0,
      placeId: random() < 0.75 ? 1 + below(PLACES.length) : 0,
    }
    const company = companies[person.companyId - 1] ?? null
    return {
      person,
      title: TITLES[person.titleId - 1] ?? null,
      place: places[person.placeId - 1] ?? null,
      company,
      companyPlace: company ? (places[company.placeId - 1] ?? null) : null,
    }
  })
  return { changes: { titles, places, companies, people: leads.map(({ person }) => rowOf(person)), deleted: [] }, leads }
}

/** The same, but a third of the companies and their people belong to three workspaces. Workspace 4 has no people. */
export function makeOwnedDirectory(people: number, seed: number): TestDirectory {
  const { changes, leads } = makeTestDirectory(people, seed)
  const ownerOf = (id: number): number => (id % 3 === 0 ? 1 + ((id / 3) % 3) : 0)
  for (const company of changes.companies) {
    company.owner = ownerOf(company.id)
    // Every second of them is also known to the operator, as the company with the previous number.
    if (company.owner > 0 && company.id % 2 === 0) company.twinId = company.id - 1
  }
  for (const { person } of leads) person.owner = ownerOf(person.companyId === 0 ? person.id : person.companyId)
  return { changes: { ...changes, people: leads.map(({ person }) => rowOf(person)) }, leads }
}

function rowOf({ id, emailStatus, emailType, seniority, department, titleId, companyId, placeId, owner = 0 }: PersonRecord): PersonRow {
  const { code } = MAIL_CODES.find(({ status, type }) => status === emailStatus && type === emailType)!
  const mail = code + (owner > 0 ? IMPORTED : 0)
  return [id, mail, seniorityCodes.of(seniority), departmentCodes.of(department), titleId, companyId, placeId, owner]
}

export function personOf([id, mail, seniority, department, titleId, companyId, placeId, owner]: PersonRow): PersonRecord {
  const { status: emailStatus, type: emailType } = MAIL_CODES[(mail - 1) % IMPORTED]!
  const labels = { seniority: SENIORITIES[seniority - 1] ?? null, department: DEPARTMENTS[department - 1] ?? null }
  return { id, emailStatus, emailType, ...labels, titleId, companyId, placeId, owner }
}

/** The leads that an owner may see. */
export const visibleTo = (leads: readonly LeadRecord[], owner: number): LeadRecord[] =>
  leads.filter(({ person }) => person.owner === 0 || person.owner === owner)

interface Expected {
  matchCount: number
  verifiedCount: number
  facets: LeadFacets
}

/** The response from checking every lead. */
export function bruteForce(leads: readonly LeadRecord[], filter: FilterDocument, excluded: ReadonlySet<number> = new Set()): Expected {
  const matches = leads.filter(lead => !excluded.has(lead.person.id)).filter(leadMatcher(filter, NOW))
  const kept = atMost(matches, filter.maxPerCompany)
  const verified = atMost(
    matches.filter(({ person }) => person.emailStatus === 'verified'),
    filter.maxPerCompany,
  )
  const facet = (nameOf: (lead: LeadRecord) => string | null | undefined) => {
    const counts = new Map<string, number>()
    for (const lead of kept) {
      const value = nameOf(lead)
      if (value != null) counts.set(value, (counts.get(value) ?? 0) + 1)
    }
    return [...counts].map(([value, count]) => ({ value, count })).sort(byCount)
  }
  return {
    matchCount: kept.length,
    verifiedCount: verified.length,
    facets: {
      industry: facet(({ company }) => company?.industry),
      country: facet(({ place, companyPlace }) => (place ?? companyPlace)?.country),
      size: facet(({ company }) => company?.size),
      seniority: facet(({ person }) => person.seniority),
    },
  }
}

export function bruteForceIds(
  leads: readonly LeadRecord[],
  filter: FilterDocument,
  limit: number,
  options: { verifiedOnly: boolean; excluded: ReadonlySet<number> },
): number[] {
  const matches = leads
    .filter(({ person }) => !options.excluded.has(person.id) && (!options.verifiedOnly || person.emailStatus === 'verified'))
    .filter(leadMatcher(filter, NOW))
  return atMost(matches, filter.maxPerCompany)
    .slice(0, limit)
    .map(({ person }) => person.id)
}

function atMost(leads: readonly LeadRecord[], limit: number | undefined): LeadRecord[] {
  if (limit === undefined) return [...leads]
  const taken = new Map<number, number>()
  return leads.filter(({ person: { companyId }, company }) => {
    if (companyId === 0) return true
    const one = company?.twinId || companyId
    const count = taken.get(one) ?? 0
    taken.set(one, count + 1)
    return count < limit
  })
}

/** Whether an order into a campaign may take this person of whoever is visible. */
export const isUsable = ({ owner, emailStatus }: { owner?: number; emailStatus: string }, filter: FilterDocument): boolean =>
  emailStatus === 'verified' ||
  (owner !== 0 && emailStatus !== 'missing' && (emailStatus !== 'invalid' || filter.emailStatus !== undefined))
