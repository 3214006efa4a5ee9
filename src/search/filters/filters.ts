import { gazetteer } from '../terms/gazetteer.ts'
import { cityOf, type NamedPlace, type Place, placeKey, placeLabel, regionWithin, resolvePlace } from '../terms/places.ts'
import { mergeRanges } from '../terms/ranges.ts'
import { foldText, nearestWord } from '../terms/text.ts'
import {
  AREA_NAMES,
  CURRENCIES,
  DEPARTMENTS,
  EMAIL_STATUSES,
  EMAIL_TYPES,
  FUNDING_STAGES,
  INDUSTRY_SLUGS,
  SENIORITIES,
  SUPPRESSIONS,
  TECHNOLOGIES,
  TITLE_MATCHES,
} from '../terms/vocabulary.ts'
import { FILTER_LIMITS, type FilterDocument, FilterDocumentSchema, IN_OUT_FIELDS, type InOutField } from './filter-schema.ts'
import { documentBytes, industryByName, readRangeText, tooLarge } from './shorthand.ts'

export { type FilterDocument, FilterDocumentSchema }

interface FilterIssue {
  /** JSON pointer into the input. */
  path: string
  /** A stable word for the rule that was broken. */
  rule: string
  message: string
  candidates?: unknown[]
}

type ParsedFilters = { ok: true; filters: FilterDocument; warnings: string[] } | { ok: false; issues: FilterIssue[] }

const RANGE_FIELDS = ['employees', 'founded'] as const
const MONEY_FIELDS = ['revenue', 'fundingTotal'] as const
const LIST_FIELDS = { emailStatus: EMAIL_STATUSES, emailTypes: EMAIL_TYPES, suppress: SUPPRESSIONS } as const
const NUMBER_FIELDS = { fundedWithinMonths: [1, 120], contactedWithinDays: [1, 3650], maxPerCompany: [1, 100] } as const

/** All fields, in the order in which the canonical form writes them. */
export const FILTER_FIELDS = [
  'jobTitles',
  'jobTitleMatch',
  'seniorities',
  'departments',
  'locations',
  'companyLocations',
  'industries',
  'keywords',
  'companies',
  'technologies',
  'employees',
  'revenue',
  'fundingTotal',
  'founded',
  'fundingStages',
  'fundedWithinMonths',
  'emailStatus',
  'emailTypes',
  'suppress',
  'contactedWithinDays',
  'maxPerCompany',
] as const

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Reads a filter document, canonical or in the shorthand people type, into its canonical form. Nothing is dropped in
 * silence: what is not understood is an issue, because a filter that is ignored spends money on the wrong people.
 */
export function parseFilters(input: unknown): ParsedFilters {
  const reader = new FilterReader()
  if (!isRecord(input)) return { ok: false, issues: [{ path: '', rule: 'type', message: 'a filter document is an object' }] }
  if (tooLarge(input)) {
    const message = `the document has ${documentBytes(input)} bytes; at most ${FILTER_LIMITS.bytes} are accepted`
    return { ok: false, issues: [{ path: '', rule: 'size', message }] }
  }
  const filters = reader.read(input)
  if (reader.issues.length > 0) return { ok: false, issues: reader.issues }
  return { ok: true, filters, warnings: reader.warnings }
}

interface ValueReader {
  most: number
  read: (value: unknown, path: string) => unknown
  key: (value: unknown) => string
}

class FilterReader {
  readonly issues: FilterIssue[] = []
  readonly warnings: string[] = []

  #issue(path: string, rule: string, message: string, candidates?: unknown[]): undefined {
    // A document that is wrong everywhere needs no list of everything.
    if (this.issues.length < 50)
      this.issues.push(candidates && candidates.length > 0 ? { path, rule, message, candidates } : { path, rule, message })
    return undefined
  }

  read(input: Record<string, unknown>): FilterDocument {
    const document: Record<string, unknown> = {}
    for (const field of Object.keys(input)) {
      if ((FILTER_FIELDS as readonly string[]).includes(field)) continue
      const nearest = nearestWord(field, FILTER_FIELDS)
      const hint = nearest ? `; did you mean "${nearest}"?` : ''
      this.#issue(
        `/${escapePointer(field)}`,
        'unknownField',
        `there is no field "${field.slice(0, 60)}"${hint}`,
        nearest ? [nearest] : undefined,
      )
    }
    for (const field of FILTER_FIELDS) {
      const value = input[field]
      if (value === undefined) continue
      const read = this.#field(field, value)
      if (read !== undefined) document[field] = read
    }
    return document as FilterDocument
  }

  #field(field: (typeof FILTER_FIELDS)[number], value: unknown): unknown {
    const path = `/${field}`
    if ((IN_OUT_FIELDS as readonly string[]).includes(field)) return this.#inOut(value, path, this.#valueReader(field as InOutField))
    if (field === 'jobTitleMatch') return this.#word(value, path, TITLE_MATCHES)
    if (field in NUMBER_FIELDS) {
      const [min, max] = NUMBER_FIELDS[field as keyof typeof NUMBER_FIELDS]
      return this.#integer(value, path, min, max)
    }
    if (field in LIST_FIELDS) return this.#words(value, path, LIST_FIELDS[field as keyof typeof LIST_FIELDS])
    return this.#ranges(value, path, field as (typeof RANGE_FIELDS)[number] | (typeof MONEY_FIELDS)[number])
  }

  #valueReader(field: InOutField): ValueReader {
    const words = (list: readonly string[]): ValueReader => ({
      most: list.length,
      read: (value, path) => this.#word(value, path, list),
      key: String,
    })
    const folded = (value: unknown) => foldText(String(value))
    switch (field) {
      case 'seniorities':
        return words(SENIORITIES)
      case 'departments':
        return words(DEPARTMENTS)
      case 'fundingStages':
        return words(FUNDING_STAGES)
      case 'industries':
        return { most: INDUSTRY_SLUGS.length, read: (value, path) => this.#industry(value, path), key: String }
      case 'jobTitles':
        return { most: FILTER_LIMITS.jobTitles, read: (value, path) => this.#text(value, path, FILTER_LIMITS.titleLength), key: folded }
      case 'keywords':
        return { most: FILTER_LIMITS.keywords, read: (value, path) => this.#text(value, path, FILTER_LIMITS.keywordLength), key: folded }
      case 'companies':
        return {
          most: FILTER_LIMITS.companies,
          read: (value, path) => this.#text(value, path, FILTER_LIMITS.companyLength),
          key: value => String(value).toLowerCase(),
        }
      case 'technologies':
        return { most: FILTER_LIMITS.technologies, read: (value, path) => this.#technology(value, path), key: String }
      case 'locations':
      case 'companyLocations':
        return { most: FILTER_LIMITS.places, read: (value, path) => this.#place(value, path), key: value => placeKey(value as Place) }
    }
  }

  #inOut(value: unknown, path: string, reader: ValueReader): unknown {
    if (Array.isArray(value) || typeof value === 'string') {
      const include = this.#list(typeof value === 'string' ? [value] : value, path, reader)
      return include.length > 0 ? { include } : undefined
    }
    if (!isRecord(value)) return this.#issue(path, 'type', 'expected {include, exclude} or a list')
    for (const key of Object.keys(value)) {
      if (key !== 'include' && key !== 'exclude')
        this.#issue(`${path}/${escapePointer(key)}`, 'unknownField', `there is no "${key.slice(0, 60)}" here, only include and exclude`)
    }
    const result: { include?: unknown[]; exclude?: unknown[] } = {}
    for (const side of ['include', 'exclude'] as const) {
      const given = value[side]
      if (given === undefined) continue
      if (!Array.isArray(given)) {
        this.#issue(`${path}/${side}`, 'type', 'expected a list')
        continue
      }
      const list = this.#list(given, `${path}/${side}`, reader)
      if (list.length > 0) result[side] = list
    }
    const excluded = new Set(result.exclude?.map(reader.key))
    for (const item of result.include ?? []) {
      if (excluded.has(reader.key(item))) this.#issue(path, 'contradiction', `${describe(item)} is both included and excluded`)
    }
    return result.include || result.exclude ? result : undefined
  }

  #list(given: readonly unknown[], path: string, reader: ValueReader): unknown[] {
    if (given.length > reader.most) {
      this.#issue(path, 'tooMany', `${given.length} values; at most ${reader.most} are accepted`)
      return []
    }
    const list: unknown[] = []
    const seen = new Set<string>()
    for (const [index, item] of given.entries()) {
      const value = reader.read(item, `${path}/${index}`)
      if (value === undefined || seen.has(reader.key(value))) continue
      seen.add(reader.key(value))
      list.push(value)
    }
    return list
  }

  #text(value: unknown, path: string, most: number): string | undefined {
    if (typeof value !== 'string') return this.#issue(path, 'type', 'expected a string')
    const text = value.normalize('NFC').replace(/\s+/g, ' ').trim()
    if (text === '') return this.#issue(path, 'empty', 'the text is empty')
    if (text.length > most) return this.#issue(path, 'tooLong', `${text.length} characters; at most ${most} are accepted`)
    if (/\p{Cc}/u.test(text)) return this.#issue(path, 'characters', 'control characters are not accepted')
    return text
  }

  #word(value: unknown, path: string, list: readonly string[]): string | undefined {
    if (typeof value !== 'string') return this.#issue(path, 'type', 'expected a string')
    const key = value
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, '_')
    if (list.includes(value)) return value
    if (list.includes(key)) return key
    const nearest = nearestWord(value, list)
    return this.#issue(path, 'unknownValue', `"${value.slice(0, 60)}" is not one of ${list.join(', ')}`, nearest ? [nearest] : undefined)
  }

  #industry(value: unknown, path: string): string | undefined {
    if (typeof value !== 'string') return this.#issue(path, 'type', 'expected an industry slug or label')
    const slug = industryByName(value)
    if (slug !== undefined) return slug
    const nearest = nearestWord(value, INDUSTRY_SLUGS)
    return this.#issue(path, 'unknownValue', `there is no industry "${value.slice(0, 60)}"`, nearest ? [nearest] : undefined)
  }

  #technology(value: unknown, path: string): string | undefined {
    if (typeof value !== 'string') return this.#issue(path, 'type', 'expected a technology slug')
    const slug = value.trim().toLowerCase().replace(/\s+/g, '-')
    if (slug.length > FILTER_LIMITS.technologyLength)
      return this.#issue(path, 'tooLong', `at most ${FILTER_LIMITS.technologyLength} characters are accepted`)
    if (!/^[a-z0-9][a-z0-9+.#-]*$/.test(slug))
      return this.#issue(path, 'format', `"${value.slice(0, 60)}" is not a technology slug such as "hubspot" or "power-bi"`)
    if (!TECHNOLOGIES.has(slug)) {
      const nearest = nearestWord(slug, TECHNOLOGIES)
      this.warnings.push(`technology "${slug}" is not known to the directory${nearest ? `; did you mean "${nearest}"?` : ''}`)
    }
    return slug
  }

  #words(value: unknown, path: string, list: readonly string[]): unknown {
    if (!Array.isArray(value)) return this.#issue(path, 'type', 'expected a list')
    const words = this.#list(value, path, { most: list.length, read: (item, at) => this.#word(item, at, list), key: String })
    return words.length > 0 ? words : undefined
  }

  #integer(value: unknown, path: string, min: number, max: number): number | undefined {
    if (typeof value !== 'number' || !Number.isInteger(value)) return this.#issue(path, 'type', 'expected a whole number')
    if (value < min || value > max) return this.#issue(path, 'bounds', `expected a number from ${min} to ${max}`)
    return value
  }

  #place(value: unknown, path: string): Place | undefined {
    if (typeof value === 'string') return this.#placeText(value, path)
    if (!isRecord(value)) return this.#issue(path, 'type', 'expected a place: {area}, {country, region, city, radiusKm}, or a name')
    const allowed = 'area' in value ? ['area'] : ['country', 'region', 'city', 'radiusKm']
    for (const key of Object.keys(value)) {
      if (!allowed.includes(key))
        return this.#issue(
          `${path}/${escapePointer(key)}`,
          'unknownField',
          `a place has no "${key.slice(0, 60)}" beside ${allowed.join(', ')}`,
        )
    }
    if ('area' in value) {
      const area = this.#word(value.area, `${path}/area`, AREA_NAMES)
      return area === undefined ? undefined : ({ area } as Place)
    }
    return this.#namedPlace(value, path)
  }

  #placeText(text: string, path: string): Place | undefined {
    if (text.length > 200) return this.#issue(path, 'tooLong', 'at most 200 characters are accepted for a place')
    const resolved = resolvePlace(text)
    if (resolved.ok) return resolved.place
    const candidates = resolved.candidates.map(place => ({ ...place, label: placeLabel(place) }))
    const what = resolved.reason === 'ambiguous' ? 'could be several places' : 'is not a place we know'
    return this.#issue(
      path,
      resolved.reason === 'ambiguous' ? 'ambiguousPlace' : 'unknownPlace',
      `"${text.slice(0, 80)}" ${what}`,
      candidates,
    )
  }

  #namedPlace(value: Record<string, unknown>, path: string): Place | undefined {
    const data = gazetteer()
    const { country, region, city, radiusKm } = value
    if (typeof country !== 'string' || !data.countries.has(country))
      return this.#issue(`${path}/country`, 'unknownPlace', 'expected an ISO 3166-1 alpha-2 country code')
    const place: NamedPlace = { country }
    if (region !== undefined) {
      if (typeof region !== 'string' || !data.regions.has(region))
        return this.#issue(`${path}/region`, 'unknownPlace', 'expected an ISO 3166-2 code such as "DE-BY"')
      if (!region.startsWith(`${country}-`)) return this.#issue(`${path}/region`, 'contradiction', `${region} does not lie in ${country}`)
      place.region = region
    }
    if (city !== undefined) {
      const name = this.#text(city, `${path}/city`, FILTER_LIMITS.cityLength)
      if (name === undefined) return undefined
      place.city = this.#canonicalCity(name, place)
    }
    if (radiusKm !== undefined) {
      if (place.city === undefined) return this.#issue(`${path}/radiusKm`, 'contradiction', 'a radius needs a city')
      const radius = this.#integer(radiusKm, `${path}/radiusKm`, 1, 500)
      if (radius === undefined) return undefined
      if (!cityOf(place))
        return this.#issue(`${path}/city`, 'unknownPlace', `we have no position for ${place.city}, so no radius around it`)
      place.radiusKm = radius
    }
    return place
  }

  /** The English name where the gazetteer has the city; one that it lacks is kept as typed, with a warning. */
  #canonicalCity(name: string, place: NamedPlace): string {
    const city = cityOf({ ...place, city: name })
    if (!city) {
      this.warnings.push(`${name}, ${place.country} is not in the gazetteer: only leads with exactly this city name match`)
      return name
    }
    if (place.region === undefined && (city.country === 'US' || city.country === 'CA') && city.region) place.region = city.region
    else if (place.region !== undefined && !regionWithin(city.region, place.region)) return name
    return city.name
  }

  #ranges(value: unknown, path: string, field: (typeof RANGE_FIELDS)[number] | (typeof MONEY_FIELDS)[number]): unknown {
    const money = (MONEY_FIELDS as readonly string[]).includes(field)
    const [bottom, top] =
      field === 'employees' ? [1, FILTER_LIMITS.employees] : field === 'founded' ? [1800, 2100] : [0, FILTER_LIMITS.money]
    const given = Array.isArray(value) ? value : typeof value === 'string' || isRecord(value) ? [value] : undefined
    if (!given) return this.#issue(path, 'type', 'expected a list of ranges')
    if (given.length > FILTER_LIMITS.ranges)
      return this.#issue(path, 'tooMany', `${given.length} ranges; at most ${FILTER_LIMITS.ranges} are accepted`)
    const ranges: { min?: number; max?: number; currency?: string }[] = []
    for (const [index, item] of given.entries()) {
      const range = this.#range(item, Array.isArray(value) ? `${path}/${index}` : path, money, bottom, top)
      if (range) ranges.push(range)
    }
    if (ranges.length === 0) return undefined
    // Amounts of different currencies cannot be put in order; each currency is merged by itself.
    const byCurrency = Map.groupBy(ranges, range => range.currency ?? '')
    return [...byCurrency.values()].flatMap(list => mergeRanges(list, money ? 0 : 1, bottom))
  }

  #range(
    item: unknown,
    path: string,
    money: boolean,
    bottom: number,
    top: number,
  ): { min?: number; max?: number; currency?: string } | undefined {
    const range = typeof item === 'string' ? readRangeText(item, money) : item
    if (!isRecord(range))
      return this.#issue(
        path,
        'format',
        `expected a range such as {"min": 50, "max": 200}, "50-200" or "1000+"${money ? ', with a currency: "1M-10M EUR"' : ''}`,
      )
    const result: { min?: number; max?: number; currency?: string } = {}
    for (const key of Object.keys(range)) {
      if (key !== 'min' && key !== 'max' && !(money && key === 'currency'))
        this.#issue(`${path}/${escapePointer(key)}`, 'unknownField', `a range has no "${key.slice(0, 60)}"`)
    }
    for (const end of ['min', 'max'] as const) {
      if (range[end] === undefined) continue
      const number = this.#integer(range[end], `${path}/${end}`, bottom, top)
      if (number === undefined) return undefined
      result[end] = number
    }
    if (result.min === undefined && result.max === undefined) return this.#issue(path, 'empty', 'a range needs min or max')
    if (result.min !== undefined && result.max !== undefined && result.min > result.max)
      return this.#issue(path, 'bounds', 'min is above max')
    if (money) {
      const currency =
        range.currency === undefined
          ? 'USD'
          : this.#word(typeof range.currency === 'string' ? range.currency.toUpperCase() : range.currency, `${path}/currency`, CURRENCIES)
      if (currency === undefined) return undefined
      result.currency = currency
    }
    return result
  }
}

const escapePointer = (key: string): string => key.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1')
const describe = (value: unknown): string => (isRecord(value) ? placeLabel(value as Place) : `"${String(value)}"`)
