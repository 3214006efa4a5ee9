import type { Currency, Department, EmailStatus, EmailType, EmployeeBucket, Seniority } from '#lead-terms'

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
  /** The fingerprint of all other values. It is made when the record is read, while PostgreSQL stores earlier ones. */
  print: number
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
