import type { FilterDocument } from '../filters/filter-schema.ts'
import type { DirectoryChanges } from './records.ts'

/**
 * The search over the lead directory. PostgreSQL is the store of record; an engine holds what is needed to answer
 * which people match, follows the store by version, and says with every answer which version it has seen.
 */
export interface LeadEngine {
  /** Begins to build in the background. Every question starts it by itself and waits until it can answer. */
  start(): void
  stop(): Promise<void>
  count(filter: FilterDocument, options?: ExportOptions): Promise<LeadCount>
  facets(filter: FilterDocument, options?: SearchOptions): Promise<LeadFacets & { version: number }>
  /** Count and facets out of one pass over one version: what a preview shows. */
  preview(filter: FilterDocument, options?: SearchOptions): Promise<LeadPreview>
  /** The first `limit` people that match, in ascending order of id: the same question at the same version gives the same ids. */
  exportIds(filter: FilterDocument, limit: number, options?: ExportOptions): Promise<ExportedIds>
  /** Brings the engine to `version`. Called by the code that follows the store; the changes of a version are applied completely. */
  apply(changes: DirectoryChanges, version: number): Promise<void>
  /** The version of the directory that answers are given from. */
  version(): Promise<number>
  /** Resolves once answers include everything that had been committed when this was called; gives the version. */
  caughtUp(): Promise<number>
}

export interface SearchOptions {
  /**
   * People to leave out, by id: what `suppress`, `contactedWithinDays` and the block lists mean for one workspace. The
   * engine knows no workspaces, so it does not read these fields itself.
   */
  excludeIds?: Iterable<number>
  /** The number that a workspace has as an owner of people: its own are found beside the operator's. Without it, only those are. */
  owner?: number
}

export interface ExportOptions extends SearchOptions {
  /**
   * Only people who can be delivered: whose address is verified, or whom the workspace brought itself, with any address. With
   * `maxPerCompany`, the others do not use up the places of a company.
   */
  verifiedOnly?: boolean
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

/** How the matching people spread, the largest first. People of whom the value is unknown are in none of the counts. */
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
