import {
  AREA_NAMES,
  CURRENCIES,
  DEPARTMENTS,
  EMAIL_STATUSES,
  EMAIL_TYPES,
  FUNDING_STAGES,
  INDUSTRIES,
  SENIORITIES,
  SUPPRESSIONS,
  TECHNOLOGIES,
  TITLE_MATCHES,
} from '#lead-terms'
import type { Static } from '../../lib/type.ts'
import type { LeadFilters } from './schema.ts'

type FilterField = Static<typeof LeadFilters>['fields'][number]
type FilterValue = NonNullable<FilterField['values']>[number]

const ABBREVIATIONS = new Set('vp it hr us uk eu dach cee gcc mena emea apac latam'.split(' '))
const capital = (word: string): string =>
  ABBREVIATIONS.has(word) ? word.toUpperCase() : word.replace(/^./, letter => letter.toUpperCase())
const NAMES: Readonly<Record<string, string>> = { c_suite: 'C-suite', owned: 'Already in workspace' }
const labelOf = (slug: string): string =>
  NAMES[slug] ??
  slug
    .split(/[_-]+/)
    .map((word, index) => (index === 0 || ABBREVIATIONS.has(word) ? capital(word) : word))
    .join(' ')
const plain = (values: Iterable<string>): FilterValue[] => Array.from(values, value => ({ value, label: labelOf(value), parent: null }))
/** Areas are names: Western Europe, DACH. */
const areas: FilterValue[] = Array.from(AREA_NAMES, value => ({ value, label: value.split('_').map(capital).join(' '), parent: null }))

const NOTHING = { values: null, isOpen: false, maxItems: null, maxLength: null, minimum: null, maximum: null, default: null }

const field = (name: string, form: FilterField['form'], type: FilterField['type'], about: string, rest: Partial<FilterField> = {}) => ({
  name,
  form,
  type,
  about,
  ...NOTHING,
  ...rest,
})

const places = { values: areas, isOpen: true, maxItems: 100 }
const currencies: FilterValue[] = CURRENCIES.map(value => ({ value, label: value, parent: null }))
const money = { values: currencies, maxItems: 10, minimum: 0, maximum: 1e13, default: 'USD' }
const EXCLUDE_WINS = 'Any value of `include` is enough to match. Any value of `exclude` excludes.'

/** Every field of the filter document, in the order in which people think of them. */
export const FILTER_FIELDS: readonly FilterField[] = [
  field('jobTitles', 'includeExclude', 'text', `Titles. ${EXCLUDE_WINS}`, { isOpen: true, maxItems: 100, maxLength: 100 }),
  field('jobTitleMatch', 'value', 'enum', 'How titles are compared: with synonyms, by words, or exactly.', {
    values: plain(TITLE_MATCHES),
    default: 'similar',
  }),
  field('seniorities', 'includeExclude', 'enum', 'Level, from the lowest to the highest.', { values: plain(SENIORITIES) }),
  field('departments', 'includeExclude', 'enum', 'The function of the person.', { values: plain(DEPARTMENTS) }),
  field(
    'locations',
    'includeExclude',
    'place',
    'The location of the person, or the headquarters of the company when that is unknown. `{area}`, or `{country, region?, city?, radiusKm? 1 to 500 with a city}`, or a name. The listed values are the areas.',
    places,
  ),
  field('companyLocations', 'includeExclude', 'place', 'The location of the headquarters of the company.', places),
  field('industries', 'includeExclude', 'slug', 'A group matches its children; a child does not match its group.', {
    values: Array.from(INDUSTRIES.values(), ({ slug, label, parent }) => ({ value: slug, label, parent })),
  }),
  field('keywords', 'includeExclude', 'text', 'Words in the name, tags, description or industry of the company.', {
    isOpen: true,
    maxItems: 50,
    maxLength: 60,
  }),
  field('companies', 'includeExclude', 'text', 'Names or domains of companies.', { isOpen: true, maxItems: 1000, maxLength: 253 }),
  field('technologies', 'includeExclude', 'slug', 'Technologies that the company uses.', {
    values: plain(TECHNOLOGIES),
    isOpen: true,
    maxItems: 50,
    maxLength: 50,
  }),
  field('employees', 'ranges', 'integer', 'Size of the company: `{min?, max?}`, or text like `50-200` and `1000+`.', {
    maxItems: 10,
    minimum: 1,
    maximum: 10_000_000,
  }),
  field(
    'revenue',
    'ranges',
    'money',
    'Yearly revenue: `{min?, max?, currency?}`, or text like `1M-10M EUR`. The listed values are the currencies.',
    money,
  ),
  field('fundingTotal', 'ranges', 'money', 'Total funding. The listed values are the currencies.', money),
  field('founded', 'ranges', 'integer', 'Year in which the company was founded.', { maxItems: 10, minimum: 1800, maximum: 2100 }),
  field('fundingStages', 'includeExclude', 'enum', 'The latest stage.', { values: plain(FUNDING_STAGES) }),
  field('fundedWithinMonths', 'number', 'integer', 'The latest round is not older than this.', { minimum: 1, maximum: 120 }),
  field(
    'emailStatus',
    'values',
    'enum',
    'The verification status of the address. An export delivers only `verified` addresses, regardless of who imported the person. `invalid`: an import says that the address is bad.',
    {
      values: plain(EMAIL_STATUSES),
    },
  ),
  field('emailTypes', 'values', 'enum', 'The kind of address.', { values: plain(EMAIL_TYPES) }),
  field(
    'suppress',
    'values',
    'enum',
    'Excludes people that the workspace owns, has contacted, has in a campaign, or has a reply from. People who unsubscribed, bounced or are suppressed are always excluded.',
    {
      values: plain(SUPPRESSIONS),
    },
  ),
  field('contactedWithinDays', 'number', 'integer', 'Excludes people who were contacted in this many days.', {
    minimum: 1,
    maximum: 3650,
  }),
  field('maxPerCompany', 'number', 'integer', 'The maximum number of people of one company.', { minimum: 1, maximum: 100 }),
]
