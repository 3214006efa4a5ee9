import { type LeadSearchPreviewResult, OvertureError, type ProposedFilters } from '@overture/sdk'
import { keepPreviousData } from '@tanstack/react-query'
import { useAnswer } from '@/data/use-answer.ts'
import type { FilterField, Filters } from './filter-document.ts'

/** The filters created from a brief. */
export type Proposal = Omit<ProposedFilters, 'filters'> & { filters: Filters }

export type FacetName = keyof LeadSearchPreviewResult['facets']

/** The matching people and their distribution. */
export type Audience = Omit<LeadSearchPreviewResult, 'filters'> & { filters: Filters }

const FOREVER = Number.POSITIVE_INFINITY
const BUILDING_MS = 1500

/** Each brief is read once, so going back and forward sends no request. */
export const useProposal = (brief: string | undefined) =>
  useAnswer(
    ['proposal', brief],
    async (api, options): Promise<Proposal> => {
      const found = await api.leadSearches.generateFilters({ brief: brief! }, options).wait(options)
      return { ...found, filters: { ...found.filters } }
    },
    { enabled: Boolean(brief), staleTime: FOREVER, placeholderData: keepPreviousData, retry: false },
  )

/** Counts and facets. The previous counts stay until the new ones arrive. */
export const useAudience = (filters: Filters | null) =>
  useAnswer(
    ['audience', filters],
    async (api, options): Promise<Audience> => {
      const found = await api.leadSearches.explore({ filters: filters! }, options).wait(options)
      return { ...found, filters: { ...found.filters } }
    },
    {
      enabled: filters !== null,
      placeholderData: keepPreviousData,
      // The search is still being built right after the service starts.
      retry: (failures, error) => failures < 5 && error instanceof OvertureError && error.code === 'upstream_unavailable',
      retryDelay: BUILDING_MS,
    },
  )

export const useFilterFields = (): readonly FilterField[] | undefined =>
  useAnswer(['lead-filters'], (api, options) => api.leadSearches.getFilters(options), { staleTime: FOREVER }).data?.fields
