import { type Place, placeKey, placeLabel } from '../places.ts'
import { foldText, nearestWord } from '../text.ts'
import {
  DEPARTMENTS,
  EMAIL_STATUSES,
  EMAIL_TYPES,
  FUNDING_STAGES,
  INDUSTRY_SLUGS,
  SENIORITIES,
  SUPPRESSIONS,
  TECHNOLOGIES,
  TITLE_MATCHES,
} from '../vocabulary.ts'
import { FILTER_LIMITS, type FilterDocument, FilterDocumentSchema, IN_OUT_FIELDS, type InOutField } from './filter-schema.ts'
import { readPlace } from './place-value.ts'
import { type RangeField, readRanges } from './range-value.ts'
import { escapePointer, type FilterIssue, isRecord, Report } from './report.ts'
import { documentBytes, industryByName, tooLarge } from './shorthand.ts'

export { type FilterDocument, FilterDocumentSchema }

type ParsedFilters = { ok: true; filters: FilterDocument; warnings: string[] } | { ok: false; issues: FilterIssue[] }

const LIST_FIELDS = { emailStatus: EMAIL_STATUSES, emailTypes: EMAIL_TYPES, suppress: SUPPRESSIONS } as const
const NUMBER_FIELDS = { fundedWithinMonths: [1, 120], contactedWithinDays: [1, 3650], maxPerCompany: [1, 100] } as const

/** All fields, in the order in which the canonical form writes them: the order of the schema. */
export const FILTER_FIELDS = Object.keys(FilterDocumentSchema.properties) as (keyof FilterDocument)[]

/**
 * Reads a filter document, canonical or in shorthand, into its canonical form. Values that are not understood become issues, because an
 * ignored filter would spend money on the wrong people.
 */
export function parseFilters(input: unknown): ParsedFilters {
  const reader = new FilterReader()
  if (!isRecord(input)) return { ok: false, issues: [{ path: '', rule: 'type', message: 'a filter document is an object' }] }
  if (tooLarge(input)) {
    const message = `the document has ${documentBytes(input)} bytes; at most ${FILTER_LIMITS.bytes} are accepted`
    return { ok: false, issues: [{ path: '', rule: 'size', message }] }
  }
  const filters = reader.read(input)
  const { issues, warnings } = reader.report
  return issues.length > 0 ? { ok: false, issues } : { ok: true, filters, warnings }
}

/** Whether a document says whom it asks for. These fields only say how others are read, or how many people of a company there may be. */
export const saysWhom = (filters: FilterDocument): boolean => Object.keys(filters).some(field => !BESIDE_OTHERS.has(field))
const BESIDE_OTHERS: ReadonlySet<string> = new Set(['jobTitleMatch', 'contactedWithinDays', 'maxPerCompany'])

interface ValueReader {
  most: number
  read: (value: unknown, path: string) => unknown
  key: (value: unknown) => string
}

class FilterReader {
  readonly report = new Report()

  read(input: Record<string, unknown>): FilterDocument {
    const document: Record<string, unknown> = {}
    for (const field of Object.keys(input)) {
      if ((FILTER_FIELDS as readonly string[]).includes(field)) continue
      const nearest = nearestWord(field, FILTER_FIELDS)
      const hint = nearest ? ` (did you mean "${nearest}"?)` : ''
      this.report.issue(
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
      else if (isEmpty(value)) this.report.warnings.push(`"${field}" is empty: it restricts nothing`)
    }
    return document as FilterDocument
  }

  #field(field: keyof FilterDocument, value: unknown): unknown {
    const path = `/${field}`
    if ((IN_OUT_FIELDS as readonly string[]).includes(field)) return this.#inOut(value, path, this.#valueReader(field as InOutField))
    if (field === 'jobTitleMatch') return this.report.word(value, path, TITLE_MATCHES)
    if (field in NUMBER_FIELDS) {
      const [min, max] = NUMBER_FIELDS[field as keyof typeof NUMBER_FIELDS]
      return this.report.integer(value, path, min, max)
    }
    if (field in LIST_FIELDS) return this.#words(value, path, LIST_FIELDS[field as keyof typeof LIST_FIELDS])
    return readRanges(this.report, value, path, field as RangeField)
  }

  #valueReader(field: InOutField): ValueReader {
    const words = (list: readonly string[]): ValueReader => ({
      most: list.length,
      read: (value, path) => this.report.word(value, path, list),
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
        return {
          most: FILTER_LIMITS.jobTitles,
          read: (value, path) => this.report.text(value, path, FILTER_LIMITS.titleLength),
          key: folded,
        }
      case 'keywords':
        return {
          most: FILTER_LIMITS.keywords,
          read: (value, path) => this.report.text(value, path, FILTER_LIMITS.keywordLength),
          key: folded,
        }
      case 'companies':
        return {
          most: FILTER_LIMITS.companies,
          read: (value, path) => this.report.text(value, path, FILTER_LIMITS.companyLength),
          key: value => String(value).toLowerCase(),
        }
      case 'technologies':
        return { most: FILTER_LIMITS.technologies, read: (value, path) => this.#technology(value, path), key: String }
      case 'locations':
      case 'companyLocations':
        return {
          most: FILTER_LIMITS.places,
          read: (value, path) => readPlace(this.report, value, path),
          key: value => placeKey(value as Place),
        }
    }
  }

  #inOut(value: unknown, path: string, reader: ValueReader): unknown {
    if (Array.isArray(value) || typeof value === 'string') {
      const include = this.#list(typeof value === 'string' ? [value] : value, path, reader)
      return include.length > 0 ? { include } : undefined
    }
    if (!isRecord(value)) return this.report.issue(path, 'type', 'expected {include, exclude} or a list')
    for (const key of Object.keys(value)) {
      if (key !== 'include' && key !== 'exclude')
        this.report.issue(
          `${path}/${escapePointer(key)}`,
          'unknownField',
          `there is no "${key.slice(0, 60)}" here, only include and exclude`,
        )
    }
    const result: { include?: unknown[]; exclude?: unknown[] } = {}
    for (const side of ['include', 'exclude'] as const) {
      const given = value[side]
      if (given === undefined) continue
      if (!Array.isArray(given)) {
        this.report.issue(`${path}/${side}`, 'type', 'expected a list')
        continue
      }
      const list = this.#list(given, `${path}/${side}`, reader)
      if (list.length > 0) result[side] = list
      else if (isEmpty(given)) this.report.warnings.push(`"${path.slice(1)}.${side}" is empty: it restricts nothing`)
    }
    const excluded = new Set(result.exclude?.map(reader.key))
    for (const item of result.include ?? []) {
      if (excluded.has(reader.key(item))) this.report.issue(path, 'contradiction', `${describe(item)} is both included and excluded`)
    }
    return result.include || result.exclude ? result : undefined
  }

  #list(given: readonly unknown[], path: string, reader: ValueReader): unknown[] {
    if (given.length > reader.most) {
      this.report.issue(path, 'tooMany', `${given.length} values; at most ${reader.most} are accepted`)
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

  #industry(value: unknown, path: string): string | undefined {
    if (typeof value !== 'string') return this.report.issue(path, 'type', 'expected an industry slug or label')
    const slug = industryByName(value)
    if (slug !== undefined) return slug
    const nearest = nearestWord(value, INDUSTRY_SLUGS)
    return this.report.issue(path, 'unknownValue', `there is no industry "${value.slice(0, 60)}"`, nearest ? [nearest] : undefined)
  }

  #technology(value: unknown, path: string): string | undefined {
    if (typeof value !== 'string') return this.report.issue(path, 'type', 'expected a technology slug')
    const slug = value.trim().toLowerCase().replace(/\s+/g, '-')
    if (slug.length > FILTER_LIMITS.technologyLength)
      return this.report.issue(path, 'tooLong', `at most ${FILTER_LIMITS.technologyLength} characters are accepted`)
    if (!/^[a-z0-9][a-z0-9+.#-]*$/.test(slug))
      return this.report.issue(path, 'format', `"${value.slice(0, 60)}" is not a technology slug such as "hubspot" or "power-bi"`)
    if (!TECHNOLOGIES.has(slug)) {
      const nearest = nearestWord(slug, TECHNOLOGIES)
      this.report.warnings.push(`technology "${slug}" is not known to the directory${nearest ? ` (did you mean "${nearest}"?)` : ''}`)
    }
    return slug
  }

  #words(value: unknown, path: string, list: readonly string[]): unknown {
    if (!Array.isArray(value)) return this.report.issue(path, 'type', 'expected a list')
    const words = this.#list(value, path, { most: list.length, read: (item, at) => this.report.word(item, at, list), key: String })
    return words.length > 0 ? words : undefined
  }
}

/** Dropped from the canonical form, but not without a word: a program whose list came out empty would buy people whom it did not ask for. */
const isEmpty = (value: unknown): boolean => typeof value === 'object' && value !== null && Object.keys(value).length === 0
const describe = (value: unknown): string => (isRecord(value) ? placeLabel(value as Place) : `"${String(value)}"`)
