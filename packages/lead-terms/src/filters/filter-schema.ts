import { type Static, type TSchema, Type } from '../json-schema.ts'
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
  TITLE_MATCHES,
} from '../vocabulary.ts'

/** The limits of the document, shared by the schema and the reader of shorthand. */
export const FILTER_LIMITS = {
  bytes: 64 * 1024,
  jobTitles: 100,
  places: 100,
  keywords: 50,
  companies: 1000,
  technologies: 50,
  ranges: 10,
  titleLength: 100,
  keywordLength: 60,
  companyLength: 253,
  technologyLength: 50,
  cityLength: 80,
  employees: 10_000_000,
  money: 10_000_000_000_000,
} as const

const strict = { additionalProperties: false } as const

/** A JSON Schema `enum` instead of a union of constants. */
const oneOf = <const T extends readonly string[]>(values: T, description?: string) =>
  Type.Unsafe<T[number]>(
    description === undefined ? { type: 'string', enum: [...values] } : { type: 'string', enum: [...values], description },
  )

const listOf = <T extends TSchema>(items: T, maxItems: number, description?: string) =>
  Type.Array(items, { minItems: 1, maxItems, uniqueItems: true, ...(description === undefined ? {} : { description }) })

const inOut = <T extends TSchema>(items: T, maxItems: number, description: string) =>
  Type.Object(
    { include: Type.Optional(listOf(items, maxItems)), exclude: Type.Optional(listOf(items, maxItems)) },
    { ...strict, minProperties: 1, description },
  )

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength })

const PlaceSchema = Type.Union([
  Type.Object({ area: oneOf(AREA_NAMES) }, { ...strict, title: 'A named area' }),
  Type.Object(
    {
      country: Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2' }),
      region: Type.Optional(Type.String({ pattern: '^[A-Z]{2}-[A-Z0-9]{1,3}$', description: 'ISO 3166-2' })),
      city: Type.Optional(Type.String({ minLength: 1, maxLength: FILTER_LIMITS.cityLength, description: 'English GeoNames name' })),
      radiusKm: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: 'Only with a city.' })),
    },
    { ...strict, title: 'A country, region or city' },
  ),
])

const range = (minimum: number, maximum: number) =>
  Type.Object(
    { min: Type.Optional(Type.Integer({ minimum, maximum })), max: Type.Optional(Type.Integer({ minimum, maximum })) },
    { ...strict, minProperties: 1, description: 'Inclusive. Without a bound, the range is open at that end.' },
  )

const MoneyRangeSchema = Type.Object(
  {
    min: Type.Optional(Type.Integer({ minimum: 0, maximum: FILTER_LIMITS.money })),
    max: Type.Optional(Type.Integer({ minimum: 0, maximum: FILTER_LIMITS.money })),
    currency: Type.Optional(oneOf(CURRENCIES, 'ISO 4217. Defaults to USD.')),
  },
  { ...strict, minProperties: 1, description: 'Whole units of the currency, inclusive.' },
)

export const FilterDocumentSchema = Type.Object(
  {
    jobTitles: Type.Optional(
      inOut(
        text(FILTER_LIMITS.titleLength),
        FILTER_LIMITS.jobTitles,
        'Titles of the current position. `jobTitleMatch` decides how they are compared.',
      ),
    ),
    jobTitleMatch: Type.Optional(oneOf(TITLE_MATCHES, 'How titles are compared. Defaults to `similar`.')),
    seniorities: Type.Optional(inOut(oneOf(SENIORITIES), SENIORITIES.length, 'Level of the current position.')),
    departments: Type.Optional(inOut(oneOf(DEPARTMENTS), DEPARTMENTS.length, 'Function of the current position.')),
    locations: Type.Optional(
      inOut(PlaceSchema, FILTER_LIMITS.places, 'The location of the person, or the headquarters of the company when that is unknown.'),
    ),
    companyLocations: Type.Optional(inOut(PlaceSchema, FILTER_LIMITS.places, 'The location of the headquarters of the company.')),
    industries: Type.Optional(
      inOut(oneOf(INDUSTRY_SLUGS), INDUSTRY_SLUGS.length, 'Industry of the company; a group matches its children.'),
    ),
    keywords: Type.Optional(
      inOut(text(FILTER_LIMITS.keywordLength), FILTER_LIMITS.keywords, 'Words in the company name, tags, description or industry.'),
    ),
    companies: Type.Optional(inOut(text(FILTER_LIMITS.companyLength), FILTER_LIMITS.companies, 'Company names or domains.')),
    technologies: Type.Optional(
      inOut(
        Type.String({ pattern: '^[a-z0-9][a-z0-9+.#-]*$', maxLength: FILTER_LIMITS.technologyLength }),
        FILTER_LIMITS.technologies,
        'Technologies that the company uses.',
      ),
    ),
    employees: Type.Optional(listOf(range(1, FILTER_LIMITS.employees), FILTER_LIMITS.ranges, 'The number of employees of the company.')),
    revenue: Type.Optional(listOf(MoneyRangeSchema, FILTER_LIMITS.ranges, 'The revenue of the company in a year.')),
    fundingTotal: Type.Optional(listOf(MoneyRangeSchema, FILTER_LIMITS.ranges, 'All funding of the company.')),
    founded: Type.Optional(listOf(range(1800, 2100), FILTER_LIMITS.ranges, 'The year in which the company was founded.')),
    fundingStages: Type.Optional(inOut(oneOf(FUNDING_STAGES), FUNDING_STAGES.length, 'Latest funding stage.')),
    fundedWithinMonths: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 120, description: 'The latest funding is at most this many months old.' }),
    ),
    emailStatus: Type.Optional(listOf(oneOf(EMAIL_STATUSES), EMAIL_STATUSES.length, 'The state of the address.')),
    emailTypes: Type.Optional(listOf(oneOf(EMAIL_TYPES), EMAIL_TYPES.length, 'The kinds of addresses.')),
    suppress: Type.Optional(
      listOf(oneOf(SUPPRESSIONS), SUPPRESSIONS.length, 'People who are left out, besides those who must not be emailed.'),
    ),
    contactedWithinDays: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 3650, description: 'Excludes leads that were contacted in this period.' }),
    ),
    maxPerCompany: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'The most people of one company.' })),
  },
  {
    ...strict,
    $id: 'FilterDocument',
    title: 'Lead filter document, version 1',
    description: 'Fields are combined with AND, the values in `include` with OR. A lead that matches any `exclude` is dropped.',
  },
)

export type FilterDocument = Static<typeof FilterDocumentSchema>

/** The fields that hold {include, exclude}. */
export const IN_OUT_FIELDS = [
  'jobTitles',
  'seniorities',
  'departments',
  'locations',
  'companyLocations',
  'industries',
  'keywords',
  'companies',
  'technologies',
  'fundingStages',
] as const
export type InOutField = (typeof IN_OUT_FIELDS)[number]
