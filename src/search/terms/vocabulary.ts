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

export const EMAIL_STATUSES = ['verified', 'accept_all', 'unverified', 'missing'] as const
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

interface Industry {
  slug: string
  label: string
  parent: string | null
}

// Groups at the margin, their children indented. A filter for a group matches its children; a filter for a child does not match the group.
const INDUSTRY_TREE = `
technology: Technology
  software: Software
  saas: SaaS
  it-services: IT services
  managed-service-providers: Managed service providers
  cybersecurity: Cybersecurity
  artificial-intelligence: Artificial intelligence
  data-analytics: Data & analytics
  cloud-infrastructure: Cloud & hosting
  developer-tools: Developer tools
  computer-hardware: Computer hardware
  semiconductors: Semiconductors
  consumer-electronics: Consumer electronics
  telecommunications: Telecommunications
  robotics: Robotics
  iot: Internet of things
  blockchain: Blockchain & crypto
  video-games: Video games
  martech: Marketing technology
  adtech: Advertising technology
  hrtech: HR technology
  legaltech: Legal technology
  internet-platforms: Internet platforms & marketplaces
financial-services: Financial services
  banking: Banking
  fintech: Fintech
  payments: Payments
  lending: Lending & mortgages
  insurance: Insurance
  insurtech: Insurtech
  investment-management: Investment & wealth management
  venture-capital: Venture capital
  private-equity: Private equity
  accounting: Accounting & audit
  capital-markets: Capital markets
professional-services: Professional services
  legal-services: Law firms & legal services
  management-consulting: Management consulting
  staffing-recruiting: Staffing & recruiting
  hr-services: HR & payroll services
  engineering-services: Engineering services
  architecture: Architecture & planning
  market-research: Market research
  translation: Translation & localisation
  outsourcing: Outsourcing & call centres
  training-coaching: Training & coaching
  event-services: Event services
  security-services: Security & investigations
  facilities-services: Facilities & cleaning services
  research-development: Research & laboratories
agencies: Agencies
  marketing-agencies: Marketing agencies
  advertising-agencies: Advertising agencies
  digital-agencies: Digital & web agencies
  seo-agencies: SEO & performance agencies
  pr-agencies: PR & communications agencies
  design-agencies: Design & branding agencies
healthcare: Healthcare
  hospitals: Hospitals & clinics
  medical-practices: Medical practices
  dental-practices: Dental practices
  physiotherapy: Physiotherapy & chiropractic
  mental-health: Mental health
  veterinary: Veterinary
  senior-care: Senior & home care
  pharmacies: Pharmacies
  pharmaceuticals: Pharmaceuticals
  biotechnology: Biotechnology
  medical-devices: Medical devices
  healthtech: Health technology
  diagnostics-laboratories: Diagnostics laboratories
manufacturing: Manufacturing
  industrial-machinery: Machinery & equipment
  industrial-automation: Industrial automation
  automotive: Automotive
  aerospace: Aerospace
  defense: Defence
  chemicals: Chemicals
  plastics: Plastics & rubber
  metals: Metals & steel
  electronics-manufacturing: Electronics & electrical equipment
  packaging: Packaging
  paper-forest-products: Paper & forest products
  textiles: Textiles
  furniture: Furniture
  building-materials: Building materials
  glass-ceramics: Glass & ceramics
  shipbuilding: Shipbuilding
  printing: Printing
  toys: Toys
consumer-goods: Consumer goods
  food-production: Food production
  beverages: Beverages
  wine-spirits: Wine, beer & spirits
  cosmetics: Cosmetics & personal care
  apparel-fashion: Apparel & fashion
  luxury-jewelry: Luxury goods & jewellery
  sporting-goods: Sporting goods
  pet-products: Pet products
  tobacco: Tobacco
  cannabis: Cannabis
  household-goods: Household goods
retail: Retail
  ecommerce: E-commerce
  grocery: Grocery & supermarkets
  fashion-retail: Fashion retail
  car-dealerships: Car dealerships
  home-improvement-retail: Home improvement & furniture retail
  wholesale: Wholesale & distribution
construction-trades: Construction & trades
  construction: Construction
  home-builders: Home builders
  civil-engineering: Civil engineering
  roofing: Roofing
  hvac-plumbing: HVAC & plumbing
  electrical-contractors: Electrical contractors
  landscaping: Landscaping
  interior-design: Interior design
real-estate: Real estate
  real-estate-agencies: Real estate agencies
  commercial-real-estate: Commercial real estate
  property-management: Property management
  real-estate-development: Real estate development
  proptech: Property technology
  coworking: Coworking spaces
energy-environment: Energy & environment
  oil-gas: Oil & gas
  renewable-energy: Renewable energy
  solar: Solar
  utilities: Utilities
  mining: Mining
  waste-recycling: Waste & recycling
  environmental-services: Environmental services
  cleantech: Cleantech
  water: Water
transport-logistics: Transport & logistics
  logistics: Logistics & supply chain
  freight-forwarding: Freight forwarding
  trucking: Trucking
  warehousing: Warehousing
  courier-delivery: Courier & delivery
  maritime: Maritime & shipping
  airlines: Airlines & aviation
  rail: Rail
  mobility: Mobility & public transport
travel-hospitality: Travel & hospitality
  hotels: Hotels
  restaurants: Restaurants
  catering: Catering
  cafes: Cafés & bakeries
  bars-nightlife: Bars & nightlife
  travel-tourism: Travel & tourism
  gambling-casinos: Gambling & casinos
  leisure-recreation: Leisure & recreation
media: Media & entertainment
  publishing: Publishing
  news-media: News media
  broadcasting: Broadcasting
  film-tv: Film & television
  music: Music
  animation: Animation
  photography: Photography
  sports: Sports
  performing-arts: Performing arts
education: Education
  schools: Schools
  higher-education: Higher education
  edtech: Education technology
  childcare: Childcare & early education
  language-schools: Language schools
public-nonprofit: Public sector & non-profit
  government: Government
  nonprofits: Non-profits
  associations: Associations
  religious-organizations: Religious organisations
  museums-culture: Museums & culture
  law-enforcement-military: Law enforcement & military
  think-tanks: Think tanks & policy
agriculture: Agriculture
  farming: Farming
  forestry: Forestry
  fishing: Fishing & aquaculture
  agtech: Agricultural technology
personal-services: Personal & local services
  beauty-salons: Beauty & hair salons
  fitness-gyms: Gyms & fitness
  wellness: Wellness & spas
  auto-repair: Car repair
  home-services: Home services
  funeral-services: Funeral services
  moving-companies: Moving & storage
`

function readIndustries(tree: string): Map<string, Industry> {
  const industries = new Map<string, Industry>()
  let parent: string | null = null
  for (const line of tree.split('\n')) {
    if (line.trim() === '') continue
    const [slug, label] = line.trim().split(': ') as [string, string]
    if (!line.startsWith(' ')) parent = null
    industries.set(slug, { slug, label, parent })
    if (!line.startsWith(' ')) parent = slug
  }
  return industries
}

export const INDUSTRIES: ReadonlyMap<string, Industry> = readIndustries(INDUSTRY_TREE)
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

// Members are countries, ISO 3166-2 regions, or region:City (an underscore stands for a space).
const AREA_TABLE = `
dach: DE AT CH
benelux: BE NL LU
nordics: DK FI IS NO SE
scandinavia: DK NO SE
baltics: EE LV LT
iberia: ES PT
uk_ireland: GB IE
anz: AU NZ
visegrad: CZ HU PL SK
balkans: AL BA BG HR GR XK ME MK RO RS SI
eu: AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE
europe: AL AD AT BY BE BA BG HR CY CZ DK EE FI FR DE GR HU IS IE IT XK LV LI LT LU MT MD MC ME NL MK NO PL PT RO RU SM RS SK SI ES SE CH UA GB VA
western_europe: AT BE FR DE IE LI LU MC NL CH GB
southern_europe: AD CY GR IT MT PT SM ES VA
cee: AL BA BG HR CZ EE HU XK LV LT ME MK MD PL RO RS SK SI UA
middle_east: AE BH EG IL IQ IR JO KW LB OM PS QA SA SY TR YE
gcc: AE BH KW OM QA SA
mena: AE BH DZ EG IL IQ IR JO KW LB LY MA OM PS QA SA SY TN YE
africa: AO BF BI BJ BW CD CF CG CI CM CV DJ DZ EG ER ET GA GH GM GN GQ GW KE KM LR LS LY MA MG ML MR MU MW MZ NA NE NG RW SC SD SL SN SO SS ST SZ TD TG TN TZ UG ZA ZM ZW
apac: AU BD BN BT CN FJ HK ID IN JP KH KR LA LK MM MN MO MV MY NP NZ PG PH PK SG TH TL TW VN
asia: AF AM AZ BD BN BT CN GE HK ID IN JP KG KH KP KR KZ LA LK MM MN MO MV MY NP PH PK SG TH TJ TL TM TW UZ VN
southeast_asia: BN ID KH LA MM MY PH SG TH TL VN
latam: AR BO BR BZ CL CO CR CU DO EC GT HN HT MX NI PA PE PR PY SV UY VE
south_america: AR BO BR CL CO EC GY PE PY SR UY VE
central_america: BZ CR GT HN NI PA SV
north_america: US CA MX
us_canada: US CA
bay_area: US-CA:San_Francisco US-CA:Oakland US-CA:San_Jose US-CA:Berkeley US-CA:Palo_Alto US-CA:Mountain_View US-CA:Sunnyvale US-CA:Santa_Clara US-CA:Fremont US-CA:Redwood_City US-CA:San_Mateo US-CA:Menlo_Park US-CA:Cupertino
new_england: US-CT US-ME US-MA US-NH US-RI US-VT
us_west_coast: US-CA US-OR US-WA
us_east_coast: US-ME US-NH US-MA US-RI US-CT US-NY US-NJ US-DE US-MD US-DC US-VA US-NC US-SC US-GA US-FL
us_midwest: US-IL US-IN US-IA US-KS US-MI US-MN US-MO US-NE US-ND US-OH US-SD US-WI
us_south: US-AL US-AR US-DE US-FL US-GA US-KY US-LA US-MD US-MS US-NC US-OK US-SC US-TN US-TX US-VA US-WV US-DC
pacific_northwest: US-OR US-WA
us_tri_state: US-NY US-NJ US-CT
`

export const AREA_NAMES = [
  'dach',
  'benelux',
  'nordics',
  'scandinavia',
  'baltics',
  'iberia',
  'uk_ireland',
  'anz',
  'visegrad',
  'balkans',
  'eu',
  'europe',
  'western_europe',
  'southern_europe',
  'cee',
  'middle_east',
  'gcc',
  'mena',
  'africa',
  'emea',
  'apac',
  'asia',
  'southeast_asia',
  'latam',
  'south_america',
  'central_america',
  'north_america',
  'us_canada',
  'bay_area',
  'new_england',
  'us_west_coast',
  'us_east_coast',
  'us_midwest',
  'us_south',
  'pacific_northwest',
  'us_tri_state',
] as const
export type Area = (typeof AREA_NAMES)[number]

function readAreas(table: string): Record<Area, readonly string[]> {
  const areas: Record<string, string[]> = {}
  for (const line of table.trim().split('\n')) {
    const [name, members] = line.split(': ') as [string, string]
    areas[name] = members.split(' ').map(member => member.replaceAll('_', ' '))
  }
  areas.emea = [...new Set([...areas.europe!, ...areas.middle_east!, ...areas.africa!])]
  return areas as Record<Area, string[]>
}

export const AREAS: Readonly<Record<Area, readonly string[]>> = readAreas(AREA_TABLE)

/** An unlisted slug is accepted with a warning: the list has the technologies of the directory, not all that exist. */
export const TECHNOLOGIES: ReadonlySet<string> = new Set(
  `
salesforce hubspot pipedrive zoho-crm microsoft-dynamics-365 sap sap-s4hana oracle
netsuite odoo workday bamboohr personio adp gusto rippling
deel greenhouse lever ashby marketo pardot mailchimp klaviyo
activecampaign braze iterable customer-io sendgrid intercom zendesk freshdesk
drift gong outreach salesloft apollo zoominfo clay shopify
shopify-plus woocommerce magento bigcommerce prestashop shopware salesforce-commerce-cloud wordpress
drupal webflow wix squarespace contentful typo3 joomla adobe-experience-manager
sitecore google-analytics google-ads google-tag-manager meta-ads linkedin-ads mixpanel amplitude
segment heap hotjar fullstory optimizely stripe adyen paypal
klarna braintree square chargebee recurly xero quickbooks sage
datev lexoffice aws azure google-cloud digitalocean cloudflare heroku
vercel netlify kubernetes docker terraform jenkins github gitlab
bitbucket jira confluence asana monday trello notion clickup
slack microsoft-teams zoom microsoft-365 google-workspace okta auth0 crowdstrike
datadog new-relic splunk pagerduty sentry snowflake databricks bigquery
redshift dbt fivetran tableau power-bi looker metabase postgresql
mysql mongodb redis elasticsearch kafka react angular vue
next-js node-js python java dotnet php ruby-on-rails django
laravel golang rust kotlin swift flutter graphql figma
canva adobe-creative-cloud autocad servicenow atlassian docusign twilio zapier
make n8n openai anthropic toast lightspeed mews opera-pms
procore shipstation gorgias yotpo attentive
`
    .trim()
    .split(/\s+/),
)

export function isSeniority(value: string): value is Seniority {
  return (SENIORITIES as readonly string[]).includes(value)
}

/** The rank itself and every higher one. */
export function seniorityAndAbove(rank: Seniority): Seniority[] {
  return SENIORITIES.slice(SENIORITIES.indexOf(rank))
}
