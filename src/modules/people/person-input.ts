import { foldText, normalizeCompanyName, registrableDomain } from '#lead-terms'
import { domainOf, isEmail } from '../../lib/email.ts'
import {
  findPlace,
  inRange,
  readDepartment,
  readDomain,
  readEmployees,
  readIndustry,
  readInstant,
  readMoney,
  readSeniority,
  readStage,
  readStatus,
  readTechnologies,
  readType,
  splitList,
  tidy,
  typeOfAddress,
} from './person-values.ts'
import type { NewCompany, NewPerson, NewPlace } from './schema.ts'
import { rankTitle } from './title-rank.ts'

/** The fields of a person in any source. Every value is text, as in a file. */
export const PERSON_FIELDS = [
  'email',
  'emailStatus',
  'emailType',
  'lastVerifiedAt',
  'firstName',
  'lastName',
  'fullName',
  'jobTitle',
  'seniority',
  'department',
  'location',
  'city',
  'region',
  'country',
  'linkedinUrl',
  'phone',
  'company',
  'companyDomain',
  'industry',
  'employees',
  'companyLocation',
  'companyCity',
  'companyRegion',
  'companyCountry',
  'founded',
  'revenue',
  'fundingStage',
  'fundingTotal',
  'fundedAt',
  'technologies',
  'tags',
  'companyDescription',
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
  const text = (field: PersonField, limit = 300): string | null => tidy(raw[field], limit)
  /** Reads a value, and notes one that cannot be read. */
  const read = <T>(field: PersonField, reader: (value: string) => T | null): T | null => {
    const value = text(field)
    if (value === null) return null
    const result = reader(value)
    if (result === null) unread.push(field)
    return result
  }

  const email = text('email', 1000)
  if (email !== null && !isEmail(email)) return { rejected: 'email is not an email address' }
  const names = readNames(text)
  const host = email === null ? null : domainOf(email)
  const emailType = read('emailType', readType) ?? (email === null ? null : typeOfAddress(email, host!))
  const emailHost = emailType === 'personal' ? null : host
  const emailDomain = emailHost === null ? null : (registrableDomain(emailHost) ?? null)
  // Most websites have the host of the address, so it is not looked up twice.
  const readWebsite = (value: string): string | null => (value === emailHost ? emailDomain : readDomain(value))
  const company = readCompany(text, read, readWebsite, emailDomain)
  if (email === null && (names.fullName === null || company === null))
    return { rejected: 'neither an email address nor a name with a company' }

  const title = text('jobTitle', 200)
  const rank = title === null ? { seniority: null, department: null } : rankTitle(title)
  const person: NewPerson = {
    matchKey: email === null ? `#${foldText(names.fullName!)}@${company!.matchKey}` : email.toLowerCase(),
    email,
    emailStatus: email === null ? 'missing' : statusOfAddress(read),
    emailType,
    lastVerifiedAt: read('lastVerifiedAt', readInstant),
    ...names,
    title,
    seniority: read('seniority', readSeniority) ?? rank.seniority,
    department: read('department', readDepartment) ?? rank.department,
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

/** An address that is there is not missing, whatever the row says. */
function statusOfAddress(read: Read): NewPerson['emailStatus'] {
  const status = read('emailStatus', readStatus)
  return status === 'missing' ? 'unverified' : status
}

function readCompany(text: Text, read: Read, readWebsite: (value: string) => string | null, emailDomain: string | null): NewCompany | null {
  const name = text('company', 200)
  const website = read('companyDomain', readWebsite)
  const domain = website ?? emailDomain
  // Names are compared only when there is no domain.
  const nameKey = domain !== null || name === null ? '' : normalizeCompanyName(name)
  if (domain === null && nameKey === '') return null
  const size = read('employees', readEmployees)
  const revenue = read('revenue', readMoney)
  const funding = read('fundingTotal', readMoney)
  return {
    matchKey: domain === null ? `n:${nameKey}` : `d:${domain}`,
    name,
    domain,
    isDomainOfWebsite: website !== null,
    industry: read('industry', readIndustry),
    employees: size?.employees ?? null,
    size: size?.size ?? null,
    place: readPlaceFields(text, read, 'companyLocation', COMPANY_PLACE_PARTS),
    founded: read('founded', value => inRange(Number(value.slice(0, 4)), 1800, 2100)),
    revenue: revenue?.amount ?? null,
    revenueCurrency: revenue?.currency ?? null,
    fundingStage: read('fundingStage', readStage),
    fundingTotal: funding?.amount ?? null,
    fundingCurrency: funding?.currency ?? null,
    fundedAt: read('fundedAt', value => readInstant(value)?.slice(0, 10) ?? null),
    technologies: readTechnologies(text('technologies', 5000)),
    tags: splitList(text('tags', 5000)).slice(0, 100),
    description: text('companyDescription', 2000),
  }
}

const splitPlace = (value: string): NewPlace | null => findPlace(value.split(/\s*,\s*/))

function readPlaceFields(text: Text, read: Read, whole: PersonField, parts: readonly PersonField[]): NewPlace | null {
  let joined: string[] | null = null
  for (const part of parts) {
    const value = text(part)
    if (value === null) continue
    if (joined === null) joined = [value]
    else joined.push(value)
  }
  const place = joined === null ? null : findPlace(joined)
  return place ?? read(whole, splitPlace)
}
