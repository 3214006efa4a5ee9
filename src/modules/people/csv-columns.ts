import { foldText, nearestWord } from '#lead-terms'
import { wrongUsage } from '../../lib/command-failure.ts'
import { PERSON_HEADERS } from '../../lib/person-headers.ts'
import { PERSON_FIELDS, type PersonField } from './person-input.ts'

const HELP = 'overture help server'

// The names of the fields in files. The field's own name always matches.
const HEADERS: Partial<Record<PersonField, string>> = {
  ...PERSON_HEADERS,
  lastName: `${PERSON_HEADERS.lastName}, nom`,
  fullName: `${PERSON_HEADERS.fullName}, name`,
  jobTitle: `${PERSON_HEADERS.jobTitle}, titel`,
  emailStatus: 'email status, status, verification status, email verification, verification, deliverability',
  lastVerifiedAt: 'last verified, last verified at, verified at, email verified at',
  seniority: 'seniority, level, seniority level, management level',
  department: 'department, departments, function, job function, abteilung',
  location: 'location, person location, contact location, address, standort',
  city: 'city, person city, contact city, town, stadt, ort, ville, ciudad',
  region: 'state, region, province, person state, contact state, bundesland, county',
  country: 'country, person country, contact country, land, pays, pais',
  linkedinUrl: 'linkedin, linkedin url, person linkedin url, linkedin profile, profile url',
  phone: 'phone, phone number, telephone, mobile, mobile phone, direct phone, telefon, telephone number',
  companyDomain: 'website, company website, company domain, domain, web, url, company url, homepage, webseite, organization website',
  industry: 'industry, company industry, sector, branche, secteur',
  employees:
    'employees, company size, size, number of employees, employee count, headcount, company headcount, employees count, num employees, company employees, mitarbeiter, mitarbeiterzahl, effectif, empleados',
  companyLocation: 'company location, headquarters, hq, hq location, company address, company headquarters, hauptsitz',
  companyCity: 'company city, hq city',
  companyRegion: 'company state, company region, hq state',
  companyCountry: 'company country, hq country',
  founded: 'founded, founded year, year founded, founding year, grundungsjahr',
  revenue: 'revenue, annual revenue, company revenue, umsatz, turnover',
  fundingStage: 'funding stage, latest funding, last funding type, latest funding stage, last round',
  fundingTotal: 'total funding, funding total, funding, total funding amount',
  fundedAt: 'last funded at, latest funding date, last raised at, last funding date, funded at',
  technologies: 'technologies, tech stack, technology, tools',
  tags: 'keywords, tags, company keywords, specialties, specialities',
  companyDescription: 'company description, description, about, short description, company about',
}

const fieldByHeader = new Map<string, PersonField>()
for (const field of PERSON_FIELDS) {
  fieldByHeader.set(plain(field.replace(/[A-Z]/g, letter => ` ${letter}`)), field)
  for (const name of HEADERS[field]?.split(', ') ?? []) if (!fieldByHeader.has(plain(name))) fieldByHeader.set(plain(name), field)
}

function plain(header: string): string {
  return foldText(header.replace(/([a-z])([A-Z])/g, '$1 $2')).replaceAll(' ', '')
}

export interface ColumnMapping {
  /** For each field, the position of its column. */
  columns: Partial<Record<PersonField, number>>
  /** Headers that match no field. */
  unused: string[]
}

/** Guesses which column is what; `overrides` (`email=Mail`) win over the guess, and `email=` leaves a field out. */
export function mapColumns(headers: readonly string[], overrides: readonly string[] = []): ColumnMapping {
  const columns: Partial<Record<PersonField, number>> = {}
  headers.forEach((header, position) => {
    const field = fieldByHeader.get(plain(header))
    if (field !== undefined && columns[field] === undefined) columns[field] = position
  })
  for (const override of overrides) {
    const equals = override.indexOf('=')
    const name = override.slice(0, equals)
    const header = override.slice(equals + 1)
    if (equals < 1) throw wrongUsage(`--map needs field=Header, as in --map email=Mail; got ${JSON.stringify(override)}`, HELP)
    const field = PERSON_FIELDS.find(known => known.toLowerCase() === name.toLowerCase())
    if (!field) throw wrongUsage(`There is no field ${JSON.stringify(name)}${suggest(name)}. Fields: ${PERSON_FIELDS.join(', ')}`, HELP)
    if (header === '') {
      delete columns[field]
      continue
    }
    const position = headers.findIndex(known => known === header || plain(known) === plain(header))
    if (position === -1) throw wrongUsage(`The file has no column ${JSON.stringify(header)}. Columns: ${headers.join(', ')}`, HELP)
    for (const other of PERSON_FIELDS) if (columns[other] === position) delete columns[other]
    columns[field] = position
  }
  const isNamed = columns.fullName !== undefined || columns.firstName !== undefined || columns.lastName !== undefined
  if (columns.email === undefined && !(isNamed && (columns.company !== undefined || columns.companyDomain !== undefined))) {
    throw wrongUsage(
      `No column looks like an e-mail address. Name it: --map email="${headers[0] ?? 'Mail'}". Columns: ${headers.join(', ')}`,
      HELP,
    )
  }
  const used = new Set(Object.values(columns))
  return { columns, unused: headers.filter((_, position) => !used.has(position)) }
}

function suggest(name: string): string {
  const near = nearestWord(name, PERSON_FIELDS)
  return near ? ` (did you mean ${near}?)` : ''
}

/** The mapping as text for people. */
export function describeMapping(headers: readonly string[], { columns, unused }: ColumnMapping): string {
  const width = Math.max(...headers.map(header => header.length), 6)
  const lines = (Object.entries(columns) as [PersonField, number][])
    .sort((a, b) => a[1] - b[1])
    .map(([field, position]) => `  ${headers[position]!.padEnd(width)}  ->  ${field}`)
  if (unused.length > 0) lines.push(`  left out: ${unused.join(', ')}`)
  return lines.join('\n')
}
