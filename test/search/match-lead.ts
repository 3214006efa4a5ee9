import {
  type Department,
  type EmailStatus,
  type EmailType,
  employeesInRange,
  type FilterDocument,
  foldTokens,
  INDUSTRIES,
  industrySlugs,
  type LeadPlace,
  moneyInRange,
  normalizeCompanyName,
  numberInRange,
  type Place,
  placeMatcher,
  readCompanyValue,
  type Seniority,
  singularToken,
  titleMatcher,
} from '#lead-terms'
import type { CompanyRecord, PlaceRecord } from '../../src/directory/records.ts'
import { monthsBefore } from '../../src/directory/resolve.ts'

/** A person of the directory with the labels behind the codes. */
export interface PersonRecord {
  id: number
  emailStatus: EmailStatus
  emailType: EmailType | null
  seniority: Seniority | null
  department: Department | null
  titleId: number
  companyId: number
  placeId: number
  owner?: number
}

/** One person with all that belongs to them. */
export interface LeadRecord {
  person: PersonRecord
  title: string | null
  place: PlaceRecord | null
  company: CompanyRecord | null
  companyPlace: PlaceRecord | null
}

interface Choice<T> {
  include?: readonly T[]
  exclude?: readonly T[]
}

type Test = (lead: LeadRecord) => boolean

/**
 * Decides whether one person satisfies a filter by reading the document directly, without tables or columns. The tests compare the engines
 * with it.
 */
export function leadMatcher(filter: FilterDocument, now: Date): Test {
  const tests: Test[] = []

  /** `testOf(value)` says whether the lead has the value; for an unknown value it says no. */
  const choose = <T>(choice: Choice<T> | undefined, testOf: (value: T) => Test): void => {
    if (choice?.include) {
      const any = choice.include.map(value => testOf(value))
      tests.push(lead => any.some(test => test(lead)))
    }
    if (choice?.exclude) {
      const any = choice.exclude.map(value => testOf(value))
      tests.push(lead => !any.some(test => test(lead)))
    }
  }
  const company =
    (test: (company: CompanyRecord) => boolean): Test =>
    lead =>
      lead.company !== null && test(lead.company)

  choose(filter.jobTitles, value => {
    const matches = titleMatcher([value], filter.jobTitleMatch ?? 'similar')
    return lead => lead.title !== null && foldTokens(lead.title).length > 0 && matches(foldTokens(lead.title))
  })
  choose(filter.seniorities, value => lead => lead.person.seniority === value)
  choose(filter.departments, value => lead => lead.person.department === value)
  choose(filter.locations, (value: Place) => {
    const matches = placeMatcher(value)
    return lead => matches(leadPlace(lead.place ?? lead.companyPlace))
  })
  choose(filter.companyLocations, (value: Place) => {
    const matches = placeMatcher(value)
    return lead => matches(leadPlace(lead.companyPlace))
  })
  choose(filter.industries, value => {
    const slugs = industrySlugs([value])
    return company(({ industry }) => industry !== null && slugs.has(industry))
  })
  choose(filter.keywords, value => {
    const matches = keywordMatcher(value)
    return company(record => matches(textsOf(record)))
  })
  choose(filter.companies, value => {
    const wanted = readCompanyValue(value)
    return company(({ name, domains }) =>
      wanted.kind === 'domain' ? domains.includes(wanted.domain) : wanted.name !== '' && normalizeCompanyName(name) === wanted.name,
    )
  })
  choose(filter.technologies, value => company(({ technologies }) => technologies.includes(value)))
  choose(filter.fundingStages, value => company(({ fundingStage }) => fundingStage === value))

  const { employees, revenue, fundingTotal, founded, fundedWithinMonths, emailStatus, emailTypes } = filter
  if (employees) tests.push(company(record => employeesInRange(record.employees ?? record.size ?? undefined, employees)))
  if (revenue)
    tests.push(company(record => record.revenue !== null && moneyInRange(record.revenue, record.revenueCurrency ?? 'USD', revenue)))
  if (fundingTotal) {
    tests.push(
      company(record => record.fundingTotal !== null && moneyInRange(record.fundingTotal, record.fundingCurrency ?? 'USD', fundingTotal)),
    )
  }
  if (founded) tests.push(company(record => record.founded !== null && numberInRange(record.founded, founded)))
  if (fundedWithinMonths) {
    const since = monthsBefore(now, fundedWithinMonths)
    tests.push(company(({ fundedAt }) => fundedAt !== null && fundedAt >= since))
  }
  if (emailStatus) tests.push(({ person }) => emailStatus.includes(person.emailStatus))
  if (emailTypes) tests.push(({ person }) => person.emailType !== null && emailTypes.includes(person.emailType))

  return lead => tests.every(test => test(lead))
}

function leadPlace(place: PlaceRecord | null): LeadPlace {
  if (!place) return {}
  const { country, region, city, lat, lon } = place
  return {
    country,
    region: region ?? undefined,
    city: city ?? undefined,
    point: lat === null || lon === null ? undefined : { lat, lon },
  }
}

function textsOf(company: CompanyRecord): string[][] {
  const label = company.industry === null ? null : (INDUSTRIES.get(company.industry)?.label ?? null)
  return [company.name, ...company.tags, company.description, label].filter(text => text !== null).map(foldTokens)
}

/** keywords: a contiguous token run in one of the company's texts (name, tags, description, industry label). */
export function keywordMatcher(value: string): (texts: readonly (readonly string[])[]) => boolean {
  const needle = foldTokens(value)
  return texts => texts.some(text => containsTokenRun(text, needle))
}

/** Whether `needle` occurs in `haystack` as a contiguous run, plural -s ignored on both sides. */
export function containsTokenRun(haystack: readonly string[], needle: readonly string[]): boolean {
  if (needle.length === 0 || needle.length > haystack.length) return false
  const last = haystack.length - needle.length
  for (let start = 0; start <= last; start++) {
    let same = true
    for (let offset = 0; offset < needle.length && same; offset++) {
      same = singularToken(haystack[start + offset]!) === singularToken(needle[offset]!)
    }
    if (same) return true
  }
  return false
}
