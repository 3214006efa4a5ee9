import type { Campaign, MetricSeries, Overture, Page, PageQuery } from '@overture/sdk'
import { keepPreviousData, type QueryKey, type UseQueryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useWorkspace } from './session.ts'

type AskOptions = { signal: AbortSignal }

interface More<Answer> extends Omit<UseQueryOptions<Answer>, 'queryKey' | 'queryFn'> {
  /** Without this scope, nothing is requested. */
  scope?: string
}

/** A response of the service. The key tells which events make it outdated. The workspace is appended to it, so that workspaces never mix. */
export function useAnswer<Answer>(
  queryKey: QueryKey,
  ask: (api: Overture, options: AskOptions) => PromiseLike<Answer>,
  { scope, ...more }: More<Answer> = {},
) {
  const { api, id, may } = useWorkspace()
  const enabled = (scope === undefined || may(scope)) && (more.enabled ?? true)
  return useQuery<Answer>({ ...more, enabled, queryKey: [...queryKey, id], queryFn: async ({ signal }) => ask(api, { signal }) })
}

/** The newest campaigns that are not archived. */
export const useFirstCampaigns = () =>
  useAnswer(['campaigns', 'first'], async (api, options): Promise<Campaign[]> => (await api.campaigns.list({ limit: 100 }, options)).data)

export const useCredits = () => useAnswer(['credits'], (api, options) => api.credits.get(options), { scope: 'credits:read' })

export interface Pages<Row> {
  rows: readonly Row[]
  isLoading: boolean
  /** True while the rows of the previous filters are still shown. */
  isStale: boolean
  error: Error | null
  retry: () => void
  hasMore: boolean
  isLoadingMore: boolean
  loadMore: () => void
}

interface PagesOptions extends Pick<More<never>, 'scope'> {
  limit?: number
  /** The list belongs to the user, not to the workspace. */
  isOwn?: boolean
}

const NONE: readonly never[] = []

/** A list of the API, page by page. The key works as for `useAnswer`. */
export function usePages<Row>(
  queryKey: QueryKey,
  ask: (api: Overture, page: PageQuery, options: AskOptions) => PromiseLike<Page<Row>>,
  { limit = 50, scope, isOwn }: PagesOptions = {},
): Pages<Row> {
  const { api, id, may, mayOwn } = useWorkspace()
  const query = useInfiniteQuery({
    queryKey: [...queryKey, id],
    enabled: scope === undefined || (isOwn ? mayOwn : may)(scope),
    queryFn: async ({ pageParam, signal }) => await ask(api, { limit, ...(pageParam === null ? {} : { cursor: pageParam }) }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: page => page.meta.pagination.nextCursor,
    placeholderData: keepPreviousData,
  })
  const rows = useMemo(() => query.data?.pages.flatMap(page => page.data) ?? (NONE as readonly Row[]), [query.data])
  return {
    rows,
    isLoading: query.isPending,
    isStale: query.isPlaceholderData,
    error: query.data ? null : query.error,
    retry: () => void query.refetch(),
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
  }
}

/** The counts of a campaign, a step, a mailbox or a variant over time. */
export type SeriesGroup = MetricSeries['series'][number]
export type Totals = SeriesGroup['totals']
export type Metric = keyof Totals

export const useWorkspaceSettings = () => useAnswer(['settings'], (api, options) => api.workspaces.getSettings(options))
