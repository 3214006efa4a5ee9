import { formatCount, formatShort } from '@/ui/format.ts'
import type { Chip, FilterField } from './filter-document.ts'

const NAMES: Record<string, string> = {
  jobTitles: 'Job titles',
  jobTitleMatch: 'How titles are compared',
  seniorities: 'Seniority',
  departments: 'Department',
  locations: 'Where they are',
  companyLocations: 'Headquarters',
  industries: 'Industry',
  keywords: 'Company keywords',
  companies: 'Companies',
  technologies: 'Technologies',
  employees: 'Employees',
  revenue: 'Yearly revenue',
  fundingTotal: 'Money raised',
  founded: 'Founded',
  fundingStages: 'Funding stage',
  fundedWithinMonths: 'Last round',
  emailStatus: 'Address known as',
  emailTypes: 'Kind of address',
  suppress: 'Leave out',
  contactedWithinDays: 'Leave out, contacted recently',
  maxPerCompany: 'Per company',
}

/** A field that is newer than this console is shown under its own name. */
export const fieldName = (name: string): string =>
  NAMES[name] ?? name.replace(/([A-Z])/g, ' $1').replace(/^./, letter => letter.toUpperCase())

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
  const words = [city, region, country ? countryName(country) : undefined].filter(part => part !== undefined).join(', ')
  return radiusKm === undefined ? words : `${words}, within ${radiusKm} km`
}

type RangeValue = { min?: number; max?: number; currency?: string }

function rangeWords(field: string, { min, max, currency }: RangeValue, isMoney: boolean): string {
  const unit = isMoney ? `${currency ?? 'USD'} ` : ''
  const number = (value: number) => (field === 'founded' ? String(value) : isMoney ? formatShort(value) : formatCount(value))
  if (min !== undefined && max !== undefined) return min === max ? unit + number(min) : `${unit}${number(min)} – ${number(max)}`
  if (min !== undefined) return field === 'founded' ? `${min} or later` : `${unit}${number(min)} or more`
  if (max !== undefined) return field === 'founded' ? `${max} or earlier` : `${unit}${number(max)} or fewer`
  return 'any'
}

/** A value in words, by the catalogue of the service. */
export function valueWords(field: FilterField, value: unknown): string {
  if (typeof value === 'number') {
    if (field.name === 'maxPerCompany') return value === 1 ? 'at most 1 person' : `at most ${value} people`
    if (field.name === 'contactedWithinDays') return `in the last ${value} days`
    if (field.name === 'fundedWithinMonths') return `in the last ${value} months`
    return formatCount(value)
  }
  if (typeof value === 'object' && value !== null)
    return field.type === 'place' ? placeWords(field, value) : rangeWords(field.name, value, field.type === 'money')
  return field.values?.find(known => known.value === value)?.label ?? String(value)
}

export type Explanation = { field: string; value: unknown; text: string }

/** The words of the brief that a chip came from; null when somebody set it by hand. */
export function quoteOf(chip: Chip, explanations: readonly Explanation[]): string | null {
  const field = chip.side === null ? chip.field : `${chip.field}.${chip.side}`
  const value = JSON.stringify(chip.value)
  return explanations.find(one => one.field === field && JSON.stringify(one.value) === value)?.text ?? null
}
