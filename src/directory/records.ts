import type { Currency, EmployeeBucket, FilterDocument, FundingStage } from '#lead-terms'

/** The records of the directory, as the engine gets them. Ids are dense whole numbers from 1; 0 means unknown. */

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
  /** Set when the exact number is known, and sometimes without it. */
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
  /** The owner of the record, as for people; absent for the operator. */
  owner?: number
  /** For a company that a workspace imported: the operator's record of the same company; 0 or absent when there is none. */
  twinId?: number
}

/**
 * One person as numbers, so that millions of them need no object each: the codes of `columns.ts`, and ids. The owner is the number of the
 * workspace that imported the person, 0 for the operator. The company has the same owner.
 */
export type PersonRow = [
  id: number,
  mail: number,
  seniority: number,
  department: number,
  title: number,
  company: number,
  place: number,
  owner: number,
]

/** A version of the directory. The id is needed because another directory may have the same version number. */
export interface DirectoryVersion {
  version: number
  id: string
}

/** All changes of one or more versions. Each record is complete and replaces an earlier record with the same id. */
export interface DirectoryChanges {
  titles: TitleRecord[]
  places: PlaceRecord[]
  companies: CompanyRecord[]
  people: Iterable<PersonRow>
  deleted: number[]
}

// The requests to the engine, and its results.

export interface SearchOptions {
  /**
   * Ids of people to exclude, computed from `suppress`, `contactedWithinDays` and the block lists. The engine knows no workspaces, so it
   * does not read these fields itself.
   */
  excludeIds?: Iterable<number>
  /**
   * The owner number of a workspace: its own people are searched together with the operator's. Without it, only the operator's people are.
   */
  owner?: number
  /**
   * `verified`: only people with a verified address, regardless of the importer. `usable`: also the workspace's own people with any other address,
   * except one that is known to be bad and that the filter does not ask for. With `maxPerCompany`, the others do not use up the limit of a
   * company.
   */
  addresses?: 'verified' | 'usable' | undefined
}

export interface Question extends SearchOptions {
  filter: FilterDocument
  now: Date
}

export interface LeadCount {
  matchCount: number
  verifiedCount: number
  version: number
}

export interface FacetCount {
  value: string
  count: number
}

/** The distribution of the matching people, largest count first. People with an unknown value are not counted. */
export interface LeadFacets {
  industry: FacetCount[]
  country: FacetCount[]
  size: FacetCount[]
  seniority: FacetCount[]
}

export interface LeadPreview extends LeadCount {
  facets: LeadFacets
}

export interface ExportedIds {
  /** `people.id`, ascending. */
  ids: number[]
  version: number
}
