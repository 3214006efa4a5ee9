import { readWordFile } from './phrase-file.ts'

/** The closed vocabularies of the filter document. Slugs are part of the API: a published one is never renamed. */

/** From the lowest rank to the highest: "director and above" uses this order. */
export const SENIORITIES = [
  'intern',
  'entry',
  'senior',
  'manager',
  'director',
  'head',
  'vp',
  'partner',
  'c_suite',
  'founder',
  'owner',
] as const
export type Seniority = (typeof SENIORITIES)[number]

export const DEPARTMENTS = [
  'engineering',
  'it',
  'security',
  'data',
  'product',
  'design',
  'research',
  'marketing',
  'sales',
  'business_development',
  'customer_success',
  'support',
  'operations',
  'supply_chain',
  'procurement',
  'manufacturing',
  'finance',
  'legal',
  'hr',
  'administration',
  'medical',
  'education',
] as const
export type Department = (typeof DEPARTMENTS)[number]

/** From the earliest stage to the latest; the last three are not part of this order. */
export const FUNDING_STAGES = [
  'bootstrapped',
  'angel',
  'pre_seed',
  'seed',
  'series_a',
  'series_b',
  'series_c',
  'series_d',
  'series_e_plus',
  'private_equity',
  'public',
  'acquired',
] as const
export type FundingStage = (typeof FUNDING_STAGES)[number]

export const EMAIL_STATUSES = ['verified', 'accept_all', 'unverified', 'invalid', 'missing'] as const
export type EmailStatus = (typeof EMAIL_STATUSES)[number]

export const EMAIL_TYPES = ['work', 'personal', 'role'] as const
export type EmailType = (typeof EMAIL_TYPES)[number]

export const SUPPRESSIONS = ['owned', 'contacted', 'in_campaign', 'replied'] as const
export type Suppression = (typeof SUPPRESSIONS)[number]

export const TITLE_MATCHES = ['similar', 'words', 'exact'] as const
export type TitleMatch = (typeof TITLE_MATCHES)[number]

export const CURRENCIES = [
  'USD',
  'EUR',
  'GBP',
  'CHF',
  'CAD',
  'AUD',
  'NZD',
  'SEK',
  'NOK',
  'DKK',
  'PLN',
  'CZK',
  'HUF',
  'RON',
  'TRY',
  'ILS',
  'AED',
  'SAR',
  'INR',
  'CNY',
  'JPY',
  'KRW',
  'SGD',
  'HKD',
  'BRL',
  'MXN',
  'ZAR',
] as const
export type Currency = (typeof CURRENCIES)[number]

/** Size buckets for companies with an unknown exact head count, with a typical number for each. */
export const EMPLOYEE_BUCKETS = {
  '1-10': 5.5,
  '11-50': 30.5,
  '51-200': 125.5,
  '201-500': 350.5,
  '501-1000': 750.5,
  '1001-5000': 3000.5,
  '5001-10000': 7500.5,
  '10001+': 20000,
} as const
export type EmployeeBucket = keyof typeof EMPLOYEE_BUCKETS

const readLines = (file: string): string[] =>
  readWordFile(new URL(`../data/${file}`, import.meta.url))
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'))

interface Industry {
  slug: string
  label: string
  parent: string | null
}

function readIndustries(): Map<string, Industry> {
  const industries = new Map<string, Industry>()
  let group: string | null = null
  for (const line of readLines('industry-tree.txt')) {
    const [slug, label] = line.trim().split(': ') as [string, string]
    const isGroup = !line.startsWith(' ')
    industries.set(slug, { slug, label, parent: isGroup ? null : group })
    if (isGroup) group = slug
  }
  return industries
}

export const INDUSTRIES: ReadonlyMap<string, Industry> = readIndustries()
export const INDUSTRY_SLUGS: readonly string[] = [...INDUSTRIES.keys()]

/** The industries that satisfy these values: the values themselves, and the children of groups. */
export function industrySlugs(values: Iterable<string>): Set<string> {
  const slugs = new Set<string>()
  for (const value of values) {
    slugs.add(value)
    for (const industry of INDUSTRIES.values()) if (industry.parent === value) slugs.add(industry.slug)
  }
  return slugs
}

// Members are countries, ISO 3166-2 regions, region:City (an underscore stands for a space), or areas of earlier lines.
const AREA_MEMBERS = {
  dach: 'DE AT CH',
  benelux: 'BE NL LU',
  nordics: 'DK FI IS NO SE',
  scandinavia: 'DK NO SE',
  baltics: 'EE LV LT',
  iberia: 'ES PT',
  uk_ireland: 'GB IE',
  anz: 'AU NZ',
  visegrad: 'CZ HU PL SK',
  balkans: 'AL BA BG HR GR XK ME MK RO RS SI',
  eu: 'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE',
  europe:
    'AL AD AT BY BE BA BG HR CY CZ DK EE FI FR DE GR HU IS IE IT XK LV LI LT LU MT MD MC ME NL MK NO PL PT RO RU SM RS SK SI ES SE CH UA GB VA',
  western_europe: 'AT BE FR DE IE LI LU MC NL CH GB',
  southern_europe: 'AD CY GR IT MT PT SM ES VA',
  cee: 'AL BA BG HR CZ EE HU XK LV LT ME MK MD PL RO RS SK SI UA',
  middle_east: 'AE BH EG IL IQ IR JO KW LB OM PS QA SA SY TR YE',
  gcc: 'AE BH KW OM QA SA',
  mena: 'AE BH DZ EG IL IQ IR JO KW LB LY MA OM PS QA SA SY TN YE',
  africa:
    'AO BF BI BJ BW CD CF CG CI CM CV DJ DZ EG ER ET GA GH GM GN GQ GW KE KM LR LS LY MA MG ML MR MU MW MZ NA NE NG RW SC SD SL SN SO SS ST SZ TD TG TN TZ UG ZA ZM ZW',
  emea: 'europe middle_east africa',
  apac: 'AU BD BN BT CN FJ HK ID IN JP KH KR LA LK MM MN MO MV MY NP NZ PG PH PK SG TH TL TW VN',
  asia: 'AF AM AZ BD BN BT CN GE HK ID IN JP KG KH KP KR KZ LA LK MM MN MO MV MY NP PH PK SG TH TJ TL TM TW UZ VN',
  southeast_asia: 'BN ID KH LA MM MY PH SG TH TL VN',
  latam: 'AR BO BR BZ CL CO CR CU DO EC GT HN HT MX NI PA PE PR PY SV UY VE',
  south_america: 'AR BO BR CL CO EC GY PE PY SR UY VE',
  central_america: 'BZ CR GT HN NI PA SV',
  north_america: 'US CA MX',
  us_canada: 'US CA',
  bay_area:
    'US-CA:San_Francisco US-CA:Oakland US-CA:San_Jose US-CA:Berkeley US-CA:Palo_Alto US-CA:Mountain_View US-CA:Sunnyvale US-CA:Santa_Clara US-CA:Fremont US-CA:Redwood_City US-CA:San_Mateo US-CA:Menlo_Park US-CA:Cupertino',
  new_england: 'US-CT US-ME US-MA US-NH US-RI US-VT',
  us_west_coast: 'US-CA US-OR US-WA',
  us_east_coast: 'US-ME US-NH US-MA US-RI US-CT US-NY US-NJ US-DE US-MD US-DC US-VA US-NC US-SC US-GA US-FL',
  us_midwest: 'US-IL US-IN US-IA US-KS US-MI US-MN US-MO US-NE US-ND US-OH US-SD US-WI',
  us_south: 'US-AL US-AR US-DE US-FL US-GA US-KY US-LA US-MD US-MS US-NC US-OK US-SC US-TN US-TX US-VA US-WV US-DC',
  pacific_northwest: 'US-OR US-WA',
  us_tri_state: 'US-NY US-NJ US-CT',
} as const
export type Area = keyof typeof AREA_MEMBERS
export const AREA_NAMES = Object.keys(AREA_MEMBERS) as Area[]

function readAreas(): Record<Area, readonly string[]> {
  const areas: Record<string, readonly string[]> = {}
  for (const [name, members] of Object.entries(AREA_MEMBERS)) {
    areas[name] = [...new Set(members.split(' ').flatMap(member => areas[member] ?? [member.replaceAll('_', ' ')]))]
  }
  return areas as Record<Area, readonly string[]>
}

export const AREAS: Readonly<Record<Area, readonly string[]>> = readAreas()

/** An unlisted slug is accepted with a warning: the list has the technologies of the directory, not all that exist. */
export const TECHNOLOGIES: ReadonlySet<string> = new Set(readLines('technologies.txt').flatMap(line => line.split(' ')))

export const isSeniority = (value: string): value is Seniority => (SENIORITIES as readonly string[]).includes(value)

/** The rank itself and every higher one. */
export const seniorityAndAbove = (rank: Seniority): Seniority[] => SENIORITIES.slice(SENIORITIES.indexOf(rank))
