import { normalizeCompanyName, registrableDomain } from '../../search/terms/companies.ts'
import { fingerprintOf } from './merge-memory.ts'
import { UNIT } from './merge-queries.ts'
import { FieldReader, type PersonField, type RawPerson } from './person-fields.ts'
import {
  inRange,
  readDomain,
  readEmployees,
  readIndustry,
  readInstant,
  readMoney,
  readStage,
  readTechnologies,
  splitList,
} from './person-values.ts'
import type { NewCompany } from './schema.ts'

const PLACE_PARTS = ['companyCity', 'companyRegion', 'companyCountry'] as const

/** All fields that say something about the company. */
export const COMPANY_FIELDS: ReadonlySet<PersonField> = new Set([
  'company',
  'companyDomain',
  'industry',
  'employees',
  'companyLocation',
  ...PLACE_PARTS,
  'founded',
  'revenue',
  'fundingStage',
  'fundingTotal',
  'fundedAt',
  'technologies',
  'tags',
  'companyDescription',
])

export interface CompanyRead {
  company: NewCompany | null
  /** The registrable domain of the person's address, when it is one of a company. */
  emailDomain: string | null
  unread: readonly PersonField[]
}

/** `emailHost` names the company of a person whose row has no website. It is null when the address is a personal one. */
export function readCompany(raw: RawPerson, emailHost: string | null): CompanyRead {
  const fields = new FieldReader(raw)
  const emailDomain = emailHost === null ? null : (registrableDomain(emailHost) ?? null)
  const name = fields.text('company', 200)
  // Most websites have the host of the address, so it is not looked up twice.
  const website = fields.read('companyDomain', value => (value === emailHost ? emailDomain : readDomain(value)))
  const domain = website ?? emailDomain
  // Names are compared only when there is no domain.
  const nameKey = domain !== null || name === null ? '' : normalizeCompanyName(name)
  if (domain === null && nameKey === '') return { company: null, emailDomain, unread: fields.unread }
  const size = fields.read('employees', readEmployees)
  const revenue = fields.read('revenue', readMoney)
  const funding = fields.read('fundingTotal', readMoney)
  const company: NewCompany = {
    matchKey: domain === null ? `n:${nameKey}` : `d:${domain}`,
    name,
    domain,
    isDomainOfWebsite: website !== null,
    industry: fields.read('industry', readIndustry),
    employees: size?.employees ?? null,
    size: size?.size ?? null,
    place: fields.place('companyLocation', PLACE_PARTS),
    founded: fields.read('founded', value => inRange(Number(value.slice(0, 4)), 1800, 2100)),
    revenue: revenue?.amount ?? null,
    revenueCurrency: revenue?.currency ?? null,
    fundingStage: fields.read('fundingStage', readStage),
    fundingTotal: funding?.amount ?? null,
    fundingCurrency: funding?.currency ?? null,
    fundedAt: fields.read('fundedAt', value => readInstant(value)?.slice(0, 10) ?? null),
    technologies: readTechnologies(fields.text('technologies', 5000)),
    tags: splitList(fields.text('tags', 5000)).slice(0, 100),
    description: fields.text('companyDescription', 2000),
    print: 0,
  }
  company.print = fingerprintOf(company)
  return { company, emailDomain, unread: fields.unread }
}

/** The characters of all rows that are remembered, and the longest of them: some tens of megabytes with all that was read from them. */
const REMEMBERED_LENGTH = 10_000_000
const LONGEST_REMEMBERED = 10_000

interface Remembered {
  /** What the row says about the company. */
  cells: readonly string[]
  emailHost: string | null
  read: CompanyRead
}

/**
 * Reads the companies of a file, and remembers each: most people work where somebody else of the file does, and their rows then say the
 * same about the company. Such people share one record.
 */
export class CompanyReader {
  readonly #fields: readonly PersonField[]
  readonly #columns: readonly number[]
  /** The column by which a company is remembered. */
  readonly #name: number
  readonly #known = new Map<string, Remembered>()
  #length = 0

  constructor(columns: Partial<Record<PersonField, number>>) {
    this.#fields = [...COMPANY_FIELDS].filter(field => columns[field] !== undefined)
    this.#columns = this.#fields.map(field => columns[field]!)
    this.#name = columns.companyDomain ?? columns.company ?? -1
  }

  read(row: readonly string[], emailHost: string | null): CompanyRead {
    const known = this.#known.get(row[this.#name] || (emailHost ?? ''))
    return known && this.#isSame(known, row, emailHost) ? known.read : this.#remember(row, emailHost)
  }

  #isSame({ cells, emailHost }: Remembered, row: readonly string[], otherHost: string | null): boolean {
    if (emailHost !== otherHost) return false
    for (let at = 0; at < cells.length; at++) if (cells[at] !== (row[this.#columns[at]!] ?? '')) return false
    return true
  }

  #remember(row: readonly string[], host: string | null): CompanyRead {
    // Cut out of a text of their own: pieces of the file would keep all of the file around them in memory.
    const text = [...this.#columns.map(column => row[column] ?? ''), host ?? ''].join(UNIT)
    const cells = text.split(UNIT)
    const emailHost = cells.pop() || null
    // A cell may have the mark at which they are cut. Then the row is read as it is.
    const isCut = cells.length === this.#columns.length
    const raw: RawPerson = {}
    for (let at = 0; at < this.#fields.length; at++) raw[this.#fields[at]!] = isCut ? cells[at]! : (row[this.#columns[at]!] ?? '')
    const read = readCompany(raw, isCut ? emailHost : host)
    if (!isCut || text.length > LONGEST_REMEMBERED) return read
    this.#length += text.length
    if (this.#length > REMEMBERED_LENGTH) {
      this.#known.clear()
      this.#length = text.length
    }
    this.#known.set(cells[this.#columns.indexOf(this.#name)] || (emailHost ?? ''), { cells, emailHost, read })
    return read
  }
}
