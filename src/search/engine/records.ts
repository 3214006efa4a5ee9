import type { Currency, Department, EmailStatus, EmailType, EmployeeBucket, FundingStage, Seniority } from '../terms/vocabulary.ts'

/** What the directory holds, as the engine gets it. Ids are dense whole numbers from 1; 0 stands for "unknown". */

export interface TitleRecord {
  id: number
  title: string
}

export interface PlaceRecord {
  id: number
  country: string
  region: string | null
  city: string | null
  lat: number | null
  lon: number | null
}

export interface CompanyRecord {
  id: number
  name: string
  /** Registrable domains, of the website and of the addresses of its people. */
  domains: string[]
  industry: string | null
  employees: number | null
  /** Known when the exact number is, and sometimes without it. */
  size: EmployeeBucket | null
  placeId: number
  founded: number | null
  revenue: number | null
  revenueCurrency: Currency | null
  fundingStage: FundingStage | null
  fundingTotal: number | null
  fundingCurrency: Currency | null
  /** The day of the latest round, `YYYY-MM-DD`. */
  fundedAt: string | null
  technologies: string[]
  tags: string[]
  description: string | null
  /** Whose record it is, as with people. */
  owner?: number
  /** Of a company that a workspace brought: the operator's record of the same one; 0, or none, where there is none. */
  twinId?: number
}

export interface PersonRecord {
  id: number
  emailStatus: EmailStatus
  emailType: EmailType | null
  seniority: Seniority | null
  department: Department | null
  titleId: number
  companyId: number
  placeId: number
  /** The number of the workspace that brought the person; 0, or none, for the operator. Their company is of the same owner. */
  owner?: number
}

/** Takes one person as numbers, the words as codes: what the loading of millions of rows calls, without an object for each. */
export type SetRow = (
  id: number,
  mail: number,
  seniority: number,
  department: number,
  title: number,
  company: number,
  place: number,
  owner: number,
) => void

/** Everything that one or more versions changed. Records are whole: an id that is known is replaced. */
export interface DirectoryChanges {
  titles: TitleRecord[]
  places: PlaceRecord[]
  companies: CompanyRecord[]
  people: Iterable<PersonRecord>
  /** Ids of people that are gone. */
  deleted: number[]
}
