import type { Page } from '@overture/sdk'
import { keepPreviousData, type QueryKey, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

export interface Pages<Row> {
  rows: readonly Row[]
  isLoading: boolean
  /** True while the rows of the filters before are still shown. */
  isStale: boolean
  error: Error | null
  retry: () => void
  hasMore: boolean
  isLoadingMore: boolean
  loadMore: () => void
}

const NONE: readonly never[] = []

/** A list of the API, page by page. `ask` gets the cursor of the next page, and a signal; it is not called for what would be refused. */
export function usePages<Row>(
  queryKey: QueryKey,
  ask: (cursor: { cursor?: string }, options: { signal: AbortSignal }) => PromiseLike<Page<Row>>,
  isAllowed = true,
): Pages<Row> {
  const query = useInfiniteQuery({
    queryKey,
    enabled: isAllowed,
    queryFn: async ({ pageParam, signal }) => await ask(pageParam === null ? {} : { cursor: pageParam }, { signal }),
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
