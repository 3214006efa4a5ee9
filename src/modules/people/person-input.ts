import {
  DEPARTMENTS,
  type Department,
  foldText,
  functionPhrases,
  normalizeCompanyName,
  registrableDomain,
  type Seniority,
  singularToken,
} from '#lead-terms'
import { domainOf, isEmail } from '../../lib/email.ts'
import { typeOfAddress } from '../../mail/transport/hosters.ts'
import * as personValues from './person-values.ts'
import type { NewCompany, NewPerson, NewPlace } from './schema.ts'
import titleWords from './title-words.data.json' with { type: 'json' }

/** The fields of a person in any source. Every value is text, as in a file. */
export const PERSON_FIELDS = [
  ...(['email', 'emailStatus', 'emailType', 'lastVerifiedAt', 'firstName', 'lastName', 'fullName'] as const),
  ...(['jobTitle', 'seniority', 'department', 'location', 'city', 'region', 'country', 'linkedinUrl', 'phone'] as const),
  ...(['company', 'companyDomain', 'industry', 'employees', 'companyLocation', 'companyCity', 'companyRegion', 'companyCountry'] as const),
  ...(['founded', 'revenue', 'fundingStage', 'fundingTotal', 'fundedAt', 'technologies', 'tags', 'companyDescription'] as const),
] as const
export type PersonField = (typeof PERSON_FIELDS)[number]
export type RawPerson = Partial<Record<PersonField, string>>

const PLACE_PARTS = ['city', 'region', 'country'] as const
const COMPANY_PLACE_PARTS = ['companyCity', 'companyRegion', 'companyCountry'] as const

/** The reason for leaving out a person who was erased. */
export const ERASED = 'erased'

type ReadPerson = { person: NewPerson; unread: PersonField[] } | { rejected: string }

/**
 * Reads a person from a row, or returns the reason why that is not possible. An optional value that cannot be read is left out and listed.
 */
export function readPerson(raw: RawPerson): ReadPerson {
  const unread: PersonField[] = []
  const text = (field: PersonField, limit = 300): string | null => personValues.tidy(raw[field], limit)
  /** Reads a value, and notes one that cannot be read. */
  const read = <T>(field: PersonField, reader: (value: string) => T | null): T | null => {
    const value = text(field)
    if (value === null) return null
    const result = reader(value)
    if (result === null) unread.push(field)
    return result
  }

  const email = text('email', 1000)
  if (email !== null && !isEmail(email)) return { rejected: 'not a valid email address' }
  const names = readNames(text)
  const host = email === null ? null : domainOf(email)
  const emailType = read('emailType', personValues.readType) ?? (email === null ? null : typeOfAddress(email, host!))
  const emailHost = emailType === 'personal' ? null : host
  const emailDomain = emailHost === null ? null : (registrableDomain(emailHost) ?? null)
  // Most websites have the host of the address, so it is not looked up twice.
  const readWebsite = (value: string): string | null => (value === emailHost ? emailDomain : personValues.readDomain(value))
  const company = readCompany(text, read, readWebsite, emailDomain)
  if (email === null && (names.fullName === null || company === null))
    return { rejected: 'has neither an email address nor a name with a company' }

  const title = text('jobTitle', 200)
  const rank = title === null ? { seniority: null, department: null } : rankTitle(title)
  const person: NewPerson = {
    matchKey: email === null ? `#${foldText(names.fullName!)}@${company!.matchKey}` : email.toLowerCase(),
    email,
    emailStatus: email === null ? 'missing' : statusOfAddress(read),
    emailType,
    lastVerifiedAt: read('lastVerifiedAt', personValues.readInstant),
    ...names,
    title,
    seniority: read('seniority', personValues.readSeniority) ?? rank.seniority,
    department: read('department', personValues.readDepartment) ?? rank.department,
    place: readPlaceFields(text, read, 'location', PLACE_PARTS),
    linkedinUrl: text('linkedinUrl'),
    phone: text('phone', 50),
    company,
    extraDomain: emailDomain !== null && company?.domain != null && emailDomain !== company.domain ? emailDomain : null,
  }
  return { person, unread }
}

type Text = (field: PersonField, limit?: number) => string | null
type Read = <T>(field: PersonField, reader: (value: string) => T | null) => T | null

function readNames(text: Text): Pick<NewPerson, 'firstName' | 'lastName' | 'fullName'> {
  const [firstName, lastName, written] = [text('firstName'), text('lastName'), text('fullName')]
  const [first = null, ...further] = written?.split(' ') ?? []
  return {
    firstName: firstName ?? (lastName === null ? first : null),
    lastName: lastName ?? (firstName === null ? further.join(' ') || null : null),
    // A part of a name must not replace a known full name, so the directory combines the parts.
    fullName: written ?? (firstName !== null && lastName !== null ? `${firstName} ${lastName}` : null),
  }
}

/** A present address is not missing, whatever the row says. */
function statusOfAddress(read: Read): NewPerson['emailStatus'] {
  const status = read('emailStatus', personValues.readStatus)
  return status === 'missing' ? 'unverified' : status
}

function readCompany(text: Text, read: Read, readWebsite: (value: string) => string | null, emailDomain: string | null): NewCompany | null {
  const name = text('company', 200)
  const website = read('companyDomain', readWebsite)
  const domain = website ?? emailDomain
  // Names are compared only when there is no domain.
  const nameKey = domain !== null || name === null ? '' : normalizeCompanyName(name)
  if (domain === null && nameKey === '') return null
  const size = read('employees', personValues.readEmployees)
  const revenue = read('revenue', personValues.readMoney)
  const funding = read('fundingTotal', personValues.readMoney)
  return {
    matchKey: domain === null ? `n:${nameKey}` : `d:${domain}`,
    name,
    domain,
    isDomainOfWebsite: website !== null,
    industry: read('industry', personValues.readIndustry),
    employees: size?.employees ?? null,
    size: size?.size ?? null,
    place: readPlaceFields(text, read, 'companyLocation', COMPANY_PLACE_PARTS),
    founded: read('founded', value => personValues.inRange(Number(value.slice(0, 4)), 1800, 2100)),
    revenue: revenue?.amount ?? null,
    revenueCurrency: revenue?.currency ?? null,
    fundingStage: read('fundingStage', personValues.readStage),
    fundingTotal: funding?.amount ?? null,
    fundingCurrency: funding?.currency ?? null,
    fundedAt: read('fundedAt', value => personValues.readInstant(value)?.slice(0, 10) ?? null),
    technologies: personValues.readTechnologies(text('technologies', 5000)),
    tags: personValues.splitList(text('tags', 5000)).slice(0, 100),
    description: text('companyDescription', 2000),
  }
}

const splitPlace = (value: string): NewPlace | null => personValues.findPlace(value.split(/\s*,\s*/))

function readPlaceFields(text: Text, read: Read, whole: PersonField, parts: readonly PersonField[]): NewPlace | null {
  let joined: string[] | null = null
  for (const part of parts) {
    const value = text(part)
    if (value === null) continue
    if (joined === null) joined = [value]
    else joined.push(value)
  }
  const place = joined === null ? null : personValues.findPlace(joined)
  return place ?? read(whole, splitPlace)
}

interface TitleRank {
  seniority: Seniority | null
  department: Department | null
}

// The first entry that matches a title decides: "vice president" before "president", and "co-founder & cto" is a founder.
const SENIORITY_WORDS = Object.entries(titleWords.seniorities) as [Seniority, string][]

// Occupations that name their department without naming a function.
const DEPARTMENT_WORDS = Object.entries(titleWords.departments) as [Department, string][]

const phrases = (text: string): string[] => text.split(', ').map(phrase => foldText(phrase))

const seniorityByPhrase = new Map(
  SENIORITY_WORDS.flatMap(([value, text], rank) => phrases(text).map(phrase => [phrase, { value, rank }] as const)),
)

const departmentByPhrase = new Map<string, Department>([
  ...departmentPhrases(),
  ...DEPARTMENT_WORDS.flatMap(([value, text]) => phrases(text).map(phrase => [phrase, value] as const)),
])

function departmentPhrases(): (readonly [string, Department])[] {
  return functionPhrases().flatMap(([, department, names]) =>
    (DEPARTMENTS as readonly string[]).includes(department) ? names.map(name => [foldText(name), department as Department] as const) : [],
  )
}

const LONGEST_PHRASE = 4

/** The level and department of a title. Null when the title does not state them: a guess would put people into wrong searches. */
export const rankTitle = personValues.memoized((title: string): TitleRank => {
  const tokens = foldText(title).split(' ')
  const singular = tokens.map(singularToken)
  let seniority: { value: Seniority; rank: number } | undefined
  let department: { value: Department; length: number } | undefined
  for (let length = Math.min(LONGEST_PHRASE, tokens.length); length > 0; length--) {
    for (let start = 0; start + length <= tokens.length; start++) {
      const phrase = tokens.slice(start, start + length).join(' ')
      const plain = singular.slice(start, start + length).join(' ')
      const level = seniorityByPhrase.get(phrase) ?? seniorityByPhrase.get(plain)
      if (level && (!seniority || level.rank < seniority.rank)) seniority = level
      const found = departmentByPhrase.get(phrase) ?? departmentByPhrase.get(plain)
      if (found && !department) department = { value: found, length }
    }
  }
  // "Managing director" and similar titles lead the company, not a department.
  return { seniority: seniority?.value ?? null, department: department?.value ?? null }
})
