import type { FilterDocument } from '#lead-terms'

/**
 * The search over the lead directory. PostgreSQL holds the data; an engine holds a copy of the searchable values, follows the directory by
 * version, and returns its version with every response.
 */
export interface LeadEngine {
  /** Starts building in the background. A search starts it too, and waits until it is built. */
  start(): void
  stop(): Promise<void>
  count(filter: FilterDocument, options?: ExportOptions): Promise<LeadCount>
  /** Counts and facets of one version, from one scan. */
  preview(filter: FilterDocument, options?: SearchOptions): Promise<LeadPreview>
  /** The first `limit` matching people, in ascending order of id: the same question at the same version returns the same ids. */
  exportIds(filter: FilterDocument, limit: number, options?: ExportOptions): Promise<ExportedIds>
  /** Resolves when answers include everything that was committed before the call. Returns the version. */
  caughtUp(): Promise<number>
}

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
}

export interface ExportOptions extends SearchOptions {
  /**
   * `verified`: only people with a verified address, whoever imported them. `usable`: also the workspace's own people with any other address,
   * except one that is known to be bad and that the filter does not ask for. With `maxPerCompany`, the others do not use up the limit of a
   * company.
   */
  addresses?: 'verified' | 'usable' | undefined
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
