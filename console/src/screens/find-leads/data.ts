import { type Campaign, type Credits, type Export, type LeadSearchPreviewResult, OvertureError, type ProposedFilters } from '@overture/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useWorkspace } from '@/data/session.ts'
import { type Pages, usePages } from '@/data/use-pages.ts'
import type { FilterField, Filters } from './filter-document.ts'

/** The filters that a brief was turned into, as a document that can be taken apart. */
export type Proposal = Omit<ProposedFilters, 'filters'> & { filters: Filters }

export type FacetName = keyof LeadSearchPreviewResult['facets']

/** Who fits, and how they spread. */
export type Audience = Omit<LeadSearchPreviewResult, 'filters'> & { filters: Filters }

const FOREVER = Number.POSITIVE_INFINITY
const BUILDING_MS = 1500

/** The same words are read once: going back and forth asks nothing. */
export function useProposal(brief: string | undefined) {
  const { api, id } = useWorkspace()
  return useQuery({
    queryKey: ['proposal', id, brief],
    queryFn: async ({ signal }): Promise<Proposal> => {
      const found = await api.leadSearches.generateFilters({ brief: brief! }, { signal }).wait({ signal })
      return { ...found, filters: { ...found.filters } }
    },
    enabled: Boolean(brief),
    staleTime: FOREVER,
    placeholderData: keepPreviousData,
    retry: false,
  })
}

/** Counts and facets. What was counted before stays until the new counts are there. */
export function useAudience(filters: Filters | null) {
  const { api, id } = useWorkspace()
  return useQuery({
    queryKey: ['audience', id, filters],
    queryFn: async ({ signal }): Promise<Audience> => {
      const found = await api.leadSearches.explore({ filters: filters! }, { signal }).wait({ signal })
      return { ...found, filters: { ...found.filters } }
    },
    enabled: filters !== null,
    placeholderData: keepPreviousData,
    // Right after a start the search is still being built.
    retry: (failures, error) => failures < 5 && error instanceof OvertureError && error.code === 'upstream_unavailable',
    retryDelay: BUILDING_MS,
  })
}

export function useFilterFields(): readonly FilterField[] | undefined {
  const { api, id } = useWorkspace()
  const { data } = useQuery({
    queryKey: ['lead-filters', id],
    queryFn: ({ signal }) => api.leadSearches.getFilters({ signal }),
    staleTime: FOREVER,
  })
  return data?.fields
}

export function useCredits() {
  const { api, id, may } = useWorkspace()
  return useQuery<Credits>({
    queryKey: ['credits', id],
    queryFn: ({ signal }) => api.credits.get({ signal }),
    enabled: may('credits:read'),
  })
}

export function useExports(): Pages<Export> {
  const { api, id } = useWorkspace()
  return usePages<Export>(['exports', id], (cursor, options) => api.exports.list({ limit: 10, ...cursor }, options))
}

/** Campaigns that people can be bought into: all but the archived. */
export function useOpenCampaigns(): readonly Campaign[] {
  const { api, id } = useWorkspace()
  const { data } = useQuery({
    queryKey: ['campaigns', id, 'open'],
    queryFn: async ({ signal }) => (await api.campaigns.list({ limit: 100 }, { signal })).data,
  })
  return data ?? []
}
