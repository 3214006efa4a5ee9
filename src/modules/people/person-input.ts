import { domainOf, isEmail } from '../../lib/email.ts'
import { isFreeMail } from '../../mail/transport/free-mail.ts'
import { bucketOf } from '../../search/engine/codes.ts'
import { normalizeCompanyName, registrableDomain } from '../../search/terms/companies.ts'
import { gazetteer } from '../../search/terms/gazetteer.ts'
import { industryPhrases } from '../../search/terms/phrase-file.ts'
import { cityOf, type NamedPlace, resolvePlace } from '../../search/terms/places.ts'
import { foldText } from '../../search/terms/text.ts'
import {
  CURRENCIES,
  type Currency,
  DEPARTMENTS,
  EMAIL_STATUSES,
  EMAIL_TYPES,
  EMPLOYEE_BUCKETS,
  type EmailStatus,
  type EmailType,
  type EmployeeBucket,
  FUNDING_STAGES,
  INDUSTRIES,
  SENIORITIES,
} from '../../search/terms/vocabulary.ts'
import type { NewCompany, NewPerson, NewPlace } from './schema.ts'
import { rankTitle } from './title-rank.ts'

/** What a person can come with, whatever they come from: every value as text, the way a file has it. */
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

/** Why somebody is not taken who asked never to be known here again. */
export const ERASED = 'erased'

type ReadPerson = { person: NewPerson; unread: PersonField[] } | { rejected: string }

/** Makes a person of what a row says, or says why it cannot. An optional value that makes no sense is left out and named. */
export function readPerson(raw: RawPerson): ReadPerson {
  const unread: PersonField[] = []
  const text = (field: PersonField, limit = 300): string | null => tidy(raw[field], limit)
  /** Reads a value; one that is there and cannot be read is noted. */
  const read = <T>(field: PersonField, reader: (value: string) => T | null): T | null => {
    const value = text(field)
    if (value === null) return null
    const result = reader(value)
    if (result === null) unread.push(field)
    return result
  }

  const email = text('email', 1000)
  if (email !== null && !isEmail(email)) return { rejected: 'email is not an e-mail address' }
  const [firstName, lastName] = [text('firstName'), text('lastName')]
  const [, ...further] = text('fullName')?.split(' ') ?? []
  // Half a name must not replace a whole one that is known already, so it is left to be put together in the directory.
  const fullName = text('fullName') ?? (firstName !== null && lastName !== null ? `${firstName} ${lastName}` : null)
  const emailType = read('emailType', readType) ?? (email === null ? null : typeOfAddress(email))
  const emailHost = email !== null && emailType !== 'personal' ? domainOf(email) : null
  const emailDomain = emailHost === null ? null : (registrableDomain(emailHost) ?? null)
  // Most websites are at the host of the address, which need not be looked up twice.
  const readWebsite = (value: string): string | null => (value === emailHost ? emailDomain : readDomain(value))
  const company = readCompany(text, read, readWebsite, emailDomain)
  if (email === null && (fullName === null || company === null)) return { rejected: 'neither an e-mail address nor a name with a company' }

  const title = text('jobTitle', 200)
  const rank = title === null ? { seniority: null, department: null } : rankTitle(title)
  const person: NewPerson = {
    matchKey: email === null ? `#${foldText(fullName!)}@${company!.matchKey}` : email.toLowerCase(),
    email,
    emailStatus: email === null ? 'missing' : (read('emailStatus', readStatus) ?? null),
    emailType,
    lastVerifiedAt: read('lastVerifiedAt', readInstant),
    firstName: firstName ?? (lastName === null ? (fullName?.split(' ')[0] ?? null) : null),
    lastName: lastName ?? (firstName === null ? further.join(' ') || null : null),
    fullName,
    title,
    seniority: read('seniority', readSeniority) ?? rank.seniority,
    department: read('department', readDepartment) ?? rank.department,
    place: readPlaceFields(text, read, 'location', ['city', 'region', 'country']),
    linkedinUrl: text('linkedinUrl'),
    phone: text('phone', 50),
    company,
    extraDomain: emailDomain !== null && company?.domain != null && emailDomain !== company.domain ? emailDomain : null,
  }
  if (person.emailStatus === 'missing' && email !== null) person.emailStatus = 'unverified'
  return { person, unread }
}

type Text = (field: PersonField, limit?: number) => string | null
type Read = <T>(field: PersonField, reader: (value: string) => T | null) => T | null

function readCompany(text: Text, read: Read, readWebsite: (value: string) => string | null, emailDomain: string | null): NewCompany | null {
  const name = text('company', 200)
  const website = read('companyDomain', readWebsite)
  const domain = website ?? emailDomain
  // Names are compared only where there is no domain to go by.
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
    place: readPlaceFields(text, read, 'companyLocation', ['companyCity', 'companyRegion', 'companyCountry']),
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

const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu

const TIDY = /^[\x21-\x7e\u00c0-\u024f]+(?: [\x21-\x7e\u00c0-\u024f]+)*$/

/** One line, no control characters, null when nothing is left. */
function tidy(value: string | undefined, limit: number): string | null {
  if (value === undefined || value === '') return null
  if (value.length <= limit && TIDY.test(value)) return value
  const clean = value.replace(CONTROL, ' ').trim()
  return clean === '' ? null : clean.slice(0, limit)
}

const slugOf = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\s_/]+/g, '-')

function splitList(text: string | null): string[] {
  if (text === null) return []
  if (!/[,;|]/.test(text)) return [text]
  return [...new Set(text.split(/\s*[,;|]\s*/).filter(part => part !== ''))]
}

const readTechnologies = (text: string | null): string[] =>
  text === null
    ? []
    : splitList(text)
        .map(slugOf)
        .filter(slug => /^[a-z0-9][a-z0-9+.#-]{0,49}$/.test(slug))
const inRange = (value: number, min: number, max: number): number | null =>
  Number.isInteger(value) && value >= min && value <= max ? value : null

const REMEMBERED_LIMIT = 1000

/** A column of few different values is read once for each of them. */
function remembering<T>(reader: (value: string) => T | null): (value: string) => T | null {
  const known = new Map<string, T | null>()
  return value => {
    const before = known.get(value)
    if (before !== undefined) return before
    const result = reader(value)
    if (known.size < REMEMBERED_LIMIT) known.set(copyOf(value), result)
    return result
  }
}

/** A part of what was read from a file keeps all of that in memory; a copy does not. */
export const copyOf = (text: string): string => Buffer.from(text).toString()

function oneOf<T extends string>(values: readonly T[]): (value: string) => T | null {
  const bySlug = new Map(values.map(value => [value.replaceAll('_', ''), value]))
  return remembering(value => bySlug.get(foldText(value).replaceAll(' ', '')) ?? null)
}

const STATUS_WORDS: Record<string, EmailStatus> = {
  valid: 'verified',
  deliverable: 'verified',
  ok: 'verified',
  'catch all': 'accept_all',
  catchall: 'accept_all',
  risky: 'accept_all',
  unknown: 'unverified',
  guessed: 'unverified',
  unavailable: 'missing',
  none: 'missing',
}
const readSlug = oneOf(EMAIL_STATUSES)
const readType = oneOf(EMAIL_TYPES)
const readSeniority = oneOf(SENIORITIES)
const readDepartment = oneOf(DEPARTMENTS)
const readStage = oneOf(FUNDING_STAGES)
const readStatus = remembering(value => readSlug(value) ?? STATUS_WORDS[foldText(value)] ?? null)

const ROLE_NAMES = new Set(
  'abuse accounting admin billing careers contact hello help hr info invoices jobs kontakt legal mail marketing news newsletter noreply no-reply office orders postmaster press privacy sales security service support team vertrieb webmaster welcome'.split(
    ' ',
  ),
)

function typeOfAddress(email: string): EmailType {
  const local = email.slice(0, email.lastIndexOf('@')).toLowerCase().replace(/\+.*$/, '')
  if (ROLE_NAMES.has(local)) return 'role'
  return isFreeMail(domainOf(email)) ? 'personal' : 'work'
}

const INSTANT = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/

function readInstant(value: string): string | null {
  if (!INSTANT.test(value)) return null
  const time = Date.parse(value.length === 10 ? `${value}T00:00:00Z` : value)
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}

function readDomain(value: string): string | null {
  const host = value
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, '')
    .replace(/[/?#:].*$/, '')
  return registrableDomain(host) ?? null
}

/** "51-200", "1,001 to 5,000", "10,001+", "120". */
const readEmployees = remembering((value: string): { employees: number | null; size: EmployeeBucket } | null => {
  const plain = value.replace(/(?<=\d)[.,' ](?=\d{3}\b)/g, '')
  const numbers = plain.match(/\d+/g)?.map(Number)
  if (!numbers || numbers.length > 2 || numbers[0]! < 1 || numbers[0]! > 10_000_000) return null
  const [low, high] = numbers as [number, number?]
  const bucket = (Object.keys(EMPLOYEE_BUCKETS) as EmployeeBucket[]).find(name => name === `${low}-${high}` || name === `${low}+`)
  if (bucket && (high !== undefined || /\d\s*\+/.test(plain))) return { employees: null, size: bucket }
  if (high !== undefined) return { employees: null, size: bucketOf(Math.max(1, Math.round((low + high) / 2))) }
  return /\+/.test(plain) ? { employees: null, size: bucketOf(low) } : { employees: low, size: bucketOf(low) }
})

const SCALES: Record<string, number> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  mio: 1e6,
  mm: 1e6,
  mn: 1e6,
  million: 1e6,
  millions: 1e6,
  b: 1e9,
  bn: 1e9,
  billion: 1e9,
  mrd: 1e9,
}
const SYMBOLS: Record<string, Currency> = { $: 'USD', '€': 'EUR', '£': 'GBP', '¥': 'JPY', '₹': 'INR' }

/** "12.5M EUR", "$3 million", "1000000". */
function readMoney(value: string): { amount: number; currency: Currency } | null {
  const match = /(\d[\d.,']*)\s*([a-z]*)/i.exec(value)
  if (!match) return null
  const digits = match[1]!.replace(/[,'](?=\d{3}(\D|$))/g, '').replace(',', '.')
  const scale = match[2] ? (SCALES[match[2].toLowerCase()] ?? 1) : 1
  const amount = Math.round(Number(digits) * scale)
  if (!Number.isFinite(amount) || amount < 0 || amount > 1e13) return null
  const symbol = Object.keys(SYMBOLS).find(sign => value.includes(sign))
  const code = CURRENCIES.find(currency => new RegExp(`\\b${currency}\\b`, 'i').test(value))
  return { amount, currency: code ?? (symbol ? SYMBOLS[symbol]! : 'USD') }
}

let industryByName: Map<string, string> | undefined

const readIndustry = remembering((value: string): string | null => {
  if (!industryByName) {
    industryByName = new Map()
    for (const [slug, names] of industryPhrases()) {
      for (const name of names) if (!name.endsWith('?')) industryByName.set(foldText(name), slug)
    }
    for (const { slug, label } of INDUSTRIES.values()) {
      industryByName.set(foldText(slug), slug)
      industryByName.set(foldText(label), slug)
    }
  }
  return industryByName.get(foldText(value)) ?? null
})

const PLACE_CACHE_LIMIT = 50_000
const placeCache = new Map<string, NewPlace | null>()

function readPlaceFields(text: Text, read: Read, whole: PersonField, parts: PersonField[]): NewPlace | null {
  const joined = parts.map(part => text(part)).filter(part => part !== null)
  const place = joined.length > 0 ? findPlace(joined) : null
  if (place) return place
  return read(whole, value => findPlace(value.split(/\s*,\s*/)))
}

/** From the narrowest to the widest; what cannot be placed as a whole is placed by what is left without its narrowest part. */
function findPlace(parts: string[]): NewPlace | null {
  const key = parts.join(', ')
  const known = placeCache.get(key)
  if (known !== undefined) return known
  let found: NewPlace | null = null
  for (let from = 0; from < parts.length && !found; from++) {
    const resolution = resolvePlace(parts.slice(from).join(', '))
    if (resolution.ok && !('area' in resolution.place)) found = newPlace(resolution.place)
    else if (from === 0 && parts.length === 3) {
      const short = resolvePlace(`${parts[0]}, ${parts[2]}`)
      if (short.ok && !('area' in short.place)) found = newPlace(short.place)
    }
  }
  if (placeCache.size >= PLACE_CACHE_LIMIT) placeCache.clear()
  placeCache.set(copyOf(key), found)
  return found
}

/** As the directory keeps it: the gazetteer's own name, with region and point, so that a search need not look again. */
export function newPlace(place: NamedPlace): NewPlace {
  const city = place.city === undefined ? undefined : cityOf(place)
  const region = city?.region ?? place.region ?? null
  const name = city?.name ?? place.city ?? null
  const code = gazetteer().countries.get(place.country)?.code ?? place.country
  return {
    key: `${code}|${region ?? ''}|${name ?? ''}`,
    country: code,
    region,
    city: name,
    lat: city?.lat ?? null,
    lon: city?.lon ?? null,
  }
}
