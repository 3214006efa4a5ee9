import fc from 'fast-check'
import { DEPARTMENTS, EMAIL_STATUSES, EMAIL_TYPES, type FilterDocument, FUNDING_STAGES, INDUSTRY_SLUGS, SENIORITIES } from '#lead-terms'
import { TECHNOLOGIES } from './directory.ts'

/** Random filter documents, for properties that must hold for any of them. */

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 3 })

const choice = <T>(value: fc.Arbitrary<T>) =>
  fc
    .record({
      include: optional(fc.array(value, { minLength: 1, maxLength: 3 })),
      exclude: optional(fc.array(value, { minLength: 1, maxLength: 2 })),
    })
    .map(clean)
    .filter(made => Object.keys(made).length > 0)

const ranges = (min: number, max: number) =>
  fc.array(
    fc
      .record({ min: optional(fc.integer({ min, max })), max: optional(fc.integer({ min, max })) })
      .map(clean)
      .map(range =>
        range.min !== undefined && range.max !== undefined && range.min > range.max ? { min: range.max, max: range.min } : range,
      ),
    { minLength: 1, maxLength: 2 },
  )

const sizes = fc.array(
  fc.constantFrom(
    { min: 1, max: 10 },
    { min: 11, max: 200 },
    { min: 51 },
    { max: 500 },
    { min: 1001, max: 5000 },
    { min: 10_001 },
    { min: 100, max: 120 },
  ),
  { minLength: 1, maxLength: 2 },
)

const place = fc.oneof(
  fc.constantFrom('dach', 'bay_area', 'europe', 'us_west_coast').map(area => ({ area })),
  fc.constantFrom('DE', 'AT', 'US', 'GB', 'SG', 'FR').map(country => ({ country })),
  fc.constantFrom(
    { country: 'DE', region: 'DE-BY' },
    { country: 'US', region: 'US-CA' },
    { country: 'DE', city: 'Munich' },
    { country: 'US', region: 'US-CA', city: 'Oakland' },
    { country: 'DE', city: 'Munich', radiusKm: 80 },
    { country: 'AT', city: 'Salzburg', radiusKm: 150 },
    { country: 'US', city: 'Austin', radiusKm: 1 },
  ),
)

const money = ranges(0, 40_000_000).chain(list =>
  fc.constantFrom(undefined, 'EUR', 'GBP').map(currency => list.map(range => (currency ? { ...range, currency } : range))),
)

export const filterDocuments: fc.Arbitrary<FilterDocument> = fc
  .record({
    jobTitles: optional(
      choice(
        fc.constantFrom('ceo', 'marketing manager', 'vp sales', 'head of sales', 'engineer', 'sales', 'director', 'Geschäftsführer', 'cto'),
      ),
    ),
    jobTitleMatch: optional(fc.constantFrom('similar', 'words', 'exact')),
    seniorities: optional(choice(fc.constantFrom(...SENIORITIES))),
    departments: optional(choice(fc.constantFrom(...DEPARTMENTS))),
    locations: optional(choice(place)),
    companyLocations: optional(choice(place)),
    industries: optional(choice(fc.constantFrom(...INDUSTRY_SLUGS.slice(0, 45)))),
    keywords: optional(
      choice(fc.constantFrom('cloud', 'solar panel', 'software', 'energy', 'data works', 'payment', 'nothing like it', 'panels machine')),
    ),
    companies: optional(
      choice(
        fc.constantFrom(
          'acme',
          'Blue River',
          'blue rivers',
          'company3.com',
          'shop.company5.com',
          'company7.co.uk',
          'Nordwind',
          'Société Générique',
        ),
      ),
    ),
    technologies: optional(choice(fc.constantFrom(...TECHNOLOGIES, 'cobol'))),
    employees: optional(fc.oneof(sizes, ranges(1, 100_000))),
    revenue: optional(money),
    fundingTotal: optional(money),
    founded: optional(ranges(1950, 2025)),
    fundingStages: optional(choice(fc.constantFrom(...FUNDING_STAGES))),
    fundedWithinMonths: optional(fc.integer({ min: 1, max: 60 })),
    emailStatus: optional(fc.uniqueArray(fc.constantFrom(...EMAIL_STATUSES), { minLength: 1, maxLength: 3 })),
    emailTypes: optional(fc.uniqueArray(fc.constantFrom(...EMAIL_TYPES), { minLength: 1, maxLength: 2 })),
    maxPerCompany: optional(fc.integer({ min: 1, max: 4 })),
  })
  .chain(whole => {
    // Most documents use only a few fields: a filter over all fields would match no one and test nothing.
    const names = Object.keys(clean(whole))
    return fc
      .subarray(names, { maxLength: Math.min(5, names.length) })
      .map(kept => Object.fromEntries(Object.entries(whole).filter(([name]) => kept.includes(name))))
  })
  .map(document => clean(document) as FilterDocument)

function clean<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }
}
