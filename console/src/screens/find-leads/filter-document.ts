import type { LeadFilters } from '@overture/sdk'
import { formatCount, formatNoun, formatShort } from '@/ui/format.ts'
import { isRecord } from '@/ui/json.ts'

/** A filter document, canonical or in shorthand. Only the service knows all of its rules. The console splits it into chips. */
export type Filters = Record<string, unknown>
export type FilterField = LeadFilters['fields'][number]
export type Side = 'include' | 'exclude'

/** One value of a filter document, which can be changed or removed on its own. */
export interface Chip {
  field: string
  side: Side | null
  /** The position in the list. Null if the field has a single value. */
  index: number | null
  value: unknown
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : value === undefined ? [] : [value])

export function chipsOf(filters: Filters, fields: readonly FilterField[]): Chip[] {
  return fields.flatMap(({ name, form }): Chip[] => {
    const held = filters[name]
    if (held === undefined) return []
    if (form === 'includeExclude') {
      const sides = isRecord(held) && !('area' in held) && !('country' in held) ? held : { include: held }
      return (['include', 'exclude'] as const).flatMap(side =>
        listOf(sides[side]).map((value, index): Chip => ({ field: name, side, index, value })),
      )
    }
    if (form === 'ranges' || form === 'values') return listOf(held).map((value, index): Chip => ({ field: name, side: null, index, value }))
    return [{ field: name, side: null, index: null, value: held }]
  })
}

const fromChips = (chips: readonly Chip[]): Filters => {
  const filters: Filters = {}
  for (const { field, side, index, value } of chips) {
    if (index === null) filters[field] = value
    else if (side === null) filters[field] = [...listOf(filters[field]), value]
    else {
      const held = (filters[field] ?? {}) as Record<string, unknown[]>
      filters[field] = { ...held, [side]: [...(held[side] ?? []), value] }
    }
  }
  return filters
}

const isSame = (a: Chip, b: Chip): boolean => a.field === b.field && a.side === b.side && a.index === b.index

export const withoutChip = (filters: Filters, fields: readonly FilterField[], chip: Chip): Filters =>
  fromChips(chipsOf(filters, fields).filter(other => !isSame(other, chip)))

export const withChanged = (filters: Filters, fields: readonly FilterField[], chip: Chip, changed: Pick<Chip, 'side' | 'value'>): Filters =>
  fromChips(chipsOf(filters, fields).map(other => (isSame(other, chip) ? { ...chip, ...changed } : other)))

export function withAdded(
  filters: Filters,
  fields: readonly FilterField[],
  { name, form }: FilterField,
  side: Side,
  value: unknown,
): Filters {
  const isSingle = form === 'value' || form === 'number'
  const others = chipsOf(filters, fields).filter(chip => !(isSingle && chip.field === name))
  const text = JSON.stringify(value)
  const isThere = others.some(chip => chip.field === name && JSON.stringify(chip.value) === text)
  if (isThere) return filters
  return fromChips([...others, { field: name, side: form === 'includeExclude' ? side : null, index: isSingle ? null : 0, value }])
}

/** Replaces the included values of a field: a click on a facet narrows the search. */
export const withOnly = (filters: Filters, fields: readonly FilterField[], field: FilterField, value: unknown): Filters =>
  withAdded(
    fromChips(chipsOf(filters, fields).filter(chip => chip.field !== field.name || chip.side === 'exclude')),
    fields,
    field,
    'include',
    value,
  )

export const chipKey = ({ field, side, value }: Chip): string => `${field} ${side} ${JSON.stringify(value)}`

/** The name of each field and its help. The service describes fields for programs. */
const FIELDS: Record<string, readonly [name: string, help: string]> = {
  jobTitles: ['Job titles', 'One matching title is enough. Excluded titles never match.'],
  jobTitleMatch: ['Job title matching', 'Similar includes synonyms. Words: all words must occur. Exact: the whole title.'],
  seniorities: ['Seniority', 'The level of the person.'],
  departments: ['Department', 'The department of the person.'],
  locations: ['Location', 'The location of the person. If unknown, the headquarters of the company counts.'],
  companyLocations: ['Headquarters', 'The location of the company headquarters.'],
  industries: ['Industry', 'A broad industry includes its specialties.'],
  keywords: ['Company keywords', 'Words in the name, tags, description or industry of the company.'],
  companies: ['Companies', 'Company names or website domains.'],
  technologies: ['Technologies', 'Technologies that the company uses.'],
  employees: ['Employees', 'Number of employees.'],
  revenue: ['Annual revenue', 'Annual revenue of the company.'],
  fundingTotal: ['Total funding', 'All funding that the company has raised.'],
  founded: ['Founded', 'Year in which the company was founded.'],
  fundingStages: ['Funding stage', 'The latest funding stage of the company.'],
  fundedWithinMonths: ['Last funding round', 'Maximum age of the last round in months.'],
  emailStatus: ['Email status', 'Exports contain only verified addresses. Accept all: the server accepts every address.'],
  emailTypes: ['Email type', 'Role addresses belong to a function, such as info@.'],
  suppress: [
    'Exclude',
    'Already in workspace: leaves out people that you already bought or imported. Suppressed people are always left out.',
  ],
  contactedWithinDays: ['Exclude recently contacted', 'Excludes people you contacted in this many days.'],
  maxPerCompany: ['Per company', 'Maximum number of people per company.'],
}

/** A field that is newer than this console is shown with its own name. */
export const fieldName = (name: string): string =>
  FIELDS[name]?.[0] ?? name.replace(/([A-Z])/g, ' $1').replace(/^./, letter => letter.toUpperCase())

export const fieldHelp = ({ name, about }: FilterField): string => FIELDS[name]?.[1] ?? about.replaceAll('`', '')

const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })

export function countryName(code: string): string {
  try {
    return countries.of(code) ?? code
  } catch {
    return code
  }
}

interface PlaceValue {
  area?: string
  country?: string
  region?: string
  city?: string
  radiusKm?: number
}

function placeWords(field: FilterField, { area, country, region, city, radiusKm }: PlaceValue): string {
  if (area) return field.values?.find(known => known.value === area)?.label ?? area.replaceAll('_', ' ')
  // Regions are codes such as `US-CA`.
  const words = [city, region?.replace(/^[A-Z]{2}-/, ''), country ? countryName(country) : undefined]
    .filter(part => part !== undefined)
    .join(', ')
  return radiusKm === undefined ? words : `${words}, within ${radiusKm} km`
}

interface RangeValue {
  min?: number
  max?: number
  currency?: string
}

function rangeWords(field: string, { min, max, currency }: RangeValue, isMoney: boolean): string {
  const unit = isMoney ? `${currency ?? 'USD'} ` : ''
  const number = (value: number) => (field === 'founded' ? String(value) : isMoney ? formatShort(value) : formatCount(value))
  if (min !== undefined && max !== undefined) return min === max ? unit + number(min) : `${unit}${number(min)}–${number(max)}`
  if (min !== undefined) return field === 'founded' ? `${min} or later` : `${unit}${number(min)} or more`
  if (max !== undefined) return field === 'founded' ? `${max} or earlier` : `${unit}${number(max)} or ${isMoney ? 'less' : 'fewer'}`
  return 'any'
}

/** A bucket of company sizes: `1001-5000` is 1,001–5,000. */
export const sizeWords = (bucket: string): string => bucket.replace(/\d+/g, digits => formatCount(Number(digits))).replace('-', '–')

/** Filters keep titles in lower case: "cto" is shown as CTO, and "vp engineering" as VP engineering. */
const titleWords = (title: string): string =>
  title.replace(/\b(?:c[a-z]{1,2}o|[ase]?vp|hr|it)\b/g, word => word.toUpperCase()).replace(/^./, letter => letter.toUpperCase())

/** A value in the words of the filter catalog. */
export function valueWords(field: FilterField, value: unknown): string {
  if (typeof value === 'number') {
    if (field.name === 'maxPerCompany') return value === 1 ? 'at most 1 person' : `at most ${value} people`
    if (field.name === 'contactedWithinDays') return `in the last ${formatNoun(value, 'day')}`
    if (field.name === 'fundedWithinMonths') return `in the last ${formatNoun(value, 'month')}`
    return formatCount(value)
  }
  if (typeof value === 'object' && value !== null)
    return field.type === 'place' ? placeWords(field, value) : rangeWords(field.name, value, field.type === 'money')
  if (field.name === 'jobTitles') return titleWords(String(value))
  return field.values?.find(known => known.value === value)?.label ?? String(value)
}

export interface Explanation {
  field: string
  value: unknown
  text: string
}

/** The words of the brief that a chip came from; null if the user set it. */
export function quoteOf(chip: Chip, explanations: readonly Explanation[]): string | null {
  const field = chip.side === null ? chip.field : `${chip.field}.${chip.side}`
  const value = JSON.stringify(chip.value)
  return explanations.find(one => one.field === field && JSON.stringify(one.value) === value)?.text ?? null
}
