import type { FilterDocument } from '#lead-terms'
import type { RawPerson } from '../person-input.ts'

export interface SourcePage {
  people: RawPerson[]
  /** Where the next page starts; null after the last. */
  cursor: string | null
}

/** Somebody else's directory. What it finds is imported into ours, with its name as provenance. */
export interface LeadSource {
  readonly name: string
  search(filters: FilterDocument, limit: number, cursor: string | null): Promise<SourcePage>
}
