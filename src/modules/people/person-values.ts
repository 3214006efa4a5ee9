import {
  CURRENCIES,
  type Currency,
  cityOf,
  DEPARTMENTS,
  EMAIL_STATUSES,
  EMAIL_TYPES,
  EMPLOYEE_BUCKETS,
  type EmailStatus,
  type EmployeeBucket,
  FUNDING_STAGES,
  foldText,
  gazetteer,
  INDUSTRIES,
  industryPhrases,
  type NamedPlace,
  registrableDomain,
  resolvePlace,
  SENIORITIES,
} from '#lead-terms'
import { bucketOf } from '../../directory/columns.ts'
import type { NewPlace } from './schema.ts'
import statusWords from './status-words.data.json' with { type: 'json' }

const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu

/** A single line without control characters; null when it is empty. */
export function tidy(value: string | undefined, limit: number): string | null {
  if (value === undefined || value === '') return null
  if (value.length <= limit && isTidy(value)) return value
  const clean = value.replace(CONTROL, ' ').trim()
  return clean === '' ? null : clean.slice(0, limit)
}

const SPACE = 32

/** Nearly every value is, and this takes a third of the time of a pattern. */
function isTidy(value: string): boolean {
  let before = SPACE
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at)
    if (code === SPACE ? before === SPACE : code < SPACE || code > 0x24f || (code > 0x7e && code < 0xc0)) return false
    before = code
  }
  return before !== SPACE
}

const slugOf = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\s_/]+/g, '-')

export function splitList(text: string | null): string[] {
  if (text === null) return []
  if (!/[,;|]/.test(text)) return [text]
  return [...new Set(text.split(/\s*[,;|]\s*/).filter(part => part !== ''))]
}

export const readTechnologies = (text: string | null): string[] =>
  text === null
    ? []
    : splitList(text)
        .map(slugOf)
        .filter(slug => /^[a-z0-9][a-z0-9+.#-]{0,49}$/.test(slug))
export const inRange = (value: number, min: number, max: number): number | null =>
  Number.isInteger(value) && value >= min && value <= max ? value : null

const REMEMBERED_LIMIT = 50_000

/** Remembers the result for each value, for columns in which values come again. */
export function memoized<T>(reader: (value: string) => T): (value: string) => T {
  const known = new Map<string, T>()
  return value => {
    const before = known.get(value)
    if (before !== undefined) return before
    const result = reader(value)
    if (known.size >= REMEMBERED_LIMIT) known.clear()
    known.set(copyOf(value), result)
    return result
  }
}

/** A slice of a text keeps the whole text in memory; a copy does not. */
const copyOf = (text: string): string => Buffer.from(text).toString()

function oneOf<T extends string>(values: readonly T[]): (value: string) => T | null {
  const bySlug = new Map(values.map(value => [value.replaceAll('_', ''), value]))
  return memoized(value => bySlug.get(foldText(value).replaceAll(' ', '')) ?? null)
}

/** How other tools write each status. "invalid" is also an address that must not be written to. */
const statusByWord = new Map(
  Object.entries(statusWords).flatMap(([status, words]) => words.map(word => [word, status as EmailStatus] as const)),
)
const readSlug = oneOf(EMAIL_STATUSES)
export const readType = oneOf(EMAIL_TYPES)
export const readSeniority = oneOf(SENIORITIES)
export const readDepartment = oneOf(DEPARTMENTS)
export const readStage = oneOf(FUNDING_STAGES)
export const readStatus = memoized(value => readSlug(value) ?? statusByWord.get(foldText(value)) ?? null)

const INSTANT = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/

export function readInstant(value: string): string | null {
  if (!INSTANT.test(value)) return null
  const time = Date.parse(value.length === 10 ? `${value}T00:00:00Z` : value)
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}

export function readDomain(value: string): string | null {
  const host = value
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, '')
    .replace(/[/?#:].*$/, '')
  return registrableDomain(host) ?? null
}

/** "51-200", "1,001 to 5,000", "10,001+", "120". */
export const readEmployees = memoized((value: string): { employees: number | null; size: EmployeeBucket } | null => {
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
export function readMoney(value: string): { amount: number; currency: Currency } | null {
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

export const readIndustry = memoized((value: string): string | null => {
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

/** Expects the parts from the narrowest to the widest. A place that cannot be found as a whole is looked up without its narrowest part. */
export const findPlace = (parts: readonly string[]): NewPlace | null => findWritten(parts.join('\n'))

const findWritten = memoized((written: string): NewPlace | null => {
  const parts = written.split('\n')
  const find = (some: readonly string[]): NewPlace | null => {
    const resolution = resolvePlace(some.join(', '))
    return resolution.ok && !('area' in resolution.place) ? newPlace(resolution.place) : null
  }
  for (let from = 0; from < parts.length; from++) {
    const found = find(parts.slice(from)) ?? (from === 0 && parts.length === 3 ? find([parts[0]!, parts[2]!]) : null)
    if (found) return found
  }
  return null
})

/** The form that the directory stores: the gazetteer's name, with region and coordinates, so that a search needs no lookup. */
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
