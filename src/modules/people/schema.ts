import type { Currency, Department, EmailStatus, EmailType, EmployeeBucket, Seniority } from '#lead-terms'
import { about, Count, DateTime, named, nullable, strict } from '../../http/schema.ts'
import { type Static, Type } from '../../lib/type.ts'

// A person before the merge into the directory.

export interface NewPlace {
  key: string
  country: string
  region: string | null
  city: string | null
  lat: number | null
  lon: number | null
}

export interface NewCompany {
  matchKey: string
  name: string | null
  /** Registrable domain of the website, or of the person's work address when no website is known. */
  domain: string | null
  isDomainOfWebsite: boolean
  industry: string | null
  employees: number | null
  size: EmployeeBucket | null
  place: NewPlace | null
  founded: number | null
  revenue: number | null
  revenueCurrency: Currency | null
  fundingStage: string | null
  fundingTotal: number | null
  fundingCurrency: Currency | null
  fundedAt: string | null
  technologies: string[]
  tags: string[]
  description: string | null
}

export interface NewPerson {
  matchKey: string
  email: string | null
  emailStatus: EmailStatus | null
  emailType: EmailType | null
  lastVerifiedAt: string | null
  firstName: string | null
  lastName: string | null
  fullName: string | null
  title: string | null
  seniority: Seniority | null
  department: Department | null
  place: NewPlace | null
  linkedinUrl: string | null
  phone: string | null
  company: NewCompany | null
  /** A work address with another domain than the company's website: this domain is added to the company. */
  extraDomain: string | null
}

const text = (maxLength: number, description?: string) =>
  Type.Optional(nullable(Type.String({ maxLength, ...(description ? { description } : {}) })))
/** Values of the vocabularies are judged record by record, like everything else here: one that is not known is reported and left out. */
const LISTED = 'A value that `GET /lead-filters` lists.'
const CurrencyCode = Type.Optional(nullable(Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.', examples: ['EUR'] })))
const amount = (description: string) => Type.Optional(nullable(Type.Integer({ minimum: 0, maximum: 1e13, description })))

const DirectoryCompany = named(
  'DirectoryCompany',
  strict({
    name: text(200),
    website: text(300, 'URL or domain. It distinguishes companies with the same name.'),
    industry: text(100, 'Slug or label.'),
    employees: Type.Optional(about(nullable(Type.Integer({ minimum: 1, maximum: 10_000_000 })), 'The number of employees.')),
    size: text(20, 'When the exact number is not known: `51-200`, `10001+`.'),
    location: text(200, 'Headquarters: `Munich, Germany`.'),
    founded: Type.Optional(about(nullable(Type.Integer({ minimum: 1800, maximum: 2100 })), 'The year in which it was founded.')),
    revenue: amount('The revenue in a year, in `revenueCurrency`.'),
    revenueCurrency: CurrencyCode,
    fundingStage: text(30, LISTED),
    fundingTotal: amount('All funding, in `fundingCurrency`.'),
    fundingCurrency: CurrencyCode,
    fundedAt: Type.Optional(
      about(nullable(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', examples: ['2025-06-30'] })), 'The day of the latest funding.'),
    ),
    technologies: Type.Optional(
      about(Type.Array(Type.String({ minLength: 1, maxLength: 50 }), { maxItems: 100 }), 'Technologies that it uses.'),
    ),
    tags: Type.Optional(about(Type.Array(Type.String({ minLength: 1, maxLength: 60 }), { maxItems: 100 }), 'Your own tags.')),
    description: text(2000, 'A description of the company.'),
  }),
)

export const DirectoryPerson = named(
  'DirectoryPerson',
  strict({
    // Judged row by row: one bad address is reported, the others are taken.
    email: text(1000),
    emailStatus: text(
      20,
      `${LISTED} Words such as \`bounced\` and \`do_not_mail\` count as \`invalid\`. \`verified\` is ignored when a workspace sends it: only our own check sets it.`,
    ),
    emailType: text(20, LISTED),
    lastVerifiedAt: Type.Optional(nullable({ ...DateTime, description: 'Ignored when a workspace sends it, like `verified`.' })),
    firstName: text(255),
    lastName: text(255),
    fullName: text(255),
    jobTitle: text(200),
    seniority: text(20, LISTED),
    department: text(30, LISTED),
    location: text(200, '`Munich, Germany`.'),
    linkedinUrl: text(300, 'The LinkedIn profile.'),
    phone: text(50, 'The phone number.'),
    company: Type.Optional(DirectoryCompany),
  }),
)
export type DirectoryPerson = Static<typeof DirectoryPerson>

export const DirectoryImportResult = named(
  'DirectoryImportResult',
  strict({
    insertedCount: about(Count, 'People who are new.'),
    updatedCount: Count,
    unchangedCount: about(Count, 'People who were the same before.'),
    version: Type.Integer({ minimum: 0, description: 'The version of the directory after the import.' }),
    rejectedCount: about(Count, 'Rows that were skipped.'),
    rejected: Type.Array(strict({ index: Count, reason: Type.String() }), { description: 'The first 100 rows that were skipped.' }),
    unread: Type.Array(strict({ index: Count, field: Type.String() }), {
      description: 'The first 100 fields that were ignored because their value is not known.',
    }),
  }),
)

const DIRECTORY_IMPORT_LIMIT = 1000

export const DirectoryImport = named(
  'DirectoryImport',
  strict(
    {
      people: about(Type.Array(DirectoryPerson, { minItems: 1, maxItems: DIRECTORY_IMPORT_LIMIT }), 'The people.'),
      source: Type.Optional(
        Type.String({ minLength: 1, maxLength: 100, description: 'The source of the records. It is stored with each record.' }),
      ),
    },
    {
      examples: [
        {
          people: [
            {
              email: 'ann@example.com',
              fullName: 'Ann Miller',
              jobTitle: 'Head of Sales',
              company: { name: 'Example Ltd', size: '51-200' },
            },
          ],
          source: 'Trade fair 2026',
        },
      ],
    },
  ),
)
export type DirectoryImport = Static<typeof DirectoryImport>
