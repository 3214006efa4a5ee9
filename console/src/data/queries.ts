import { MutationCache, QueryCache, QueryClient, type QueryKey } from '@tanstack/react-query'
import { isRefused, isSignedOut } from '@/api/errors.ts'

/** After a 401, the session has ended, and the shell shows the sign-in. A 403 may mean that the role has changed. */
export function lookAtSession(error: unknown): void {
  if (isSignedOut(error)) queries.setQueryData(['session'], null)
  else if (isRefused(error)) void queries.invalidateQueries({ queryKey: ['session'] })
}

export const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: lookAtSession }),
  mutationCache: new MutationCache({ onError: lookAtSession }),
  defaultOptions: {
    queries: {
      // Events report changes. Until then, data is fresh.
      staleTime: 60_000,
      retry: (count, error) => count < 2 && (error as { status?: number }).status === 0,
    },
  },
})

/** Between the tabs of one browser. It carries the keys of queries and no data. */
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('overture.touched')

/** A write has made these queries outdated, also in other tabs, because not every write has an event. */
export function touch(queries: QueryClient, keys: readonly QueryKey[]): void {
  for (const queryKey of keys) void queries.invalidateQueries({ queryKey })
  channel?.postMessage(keys)
}

/** Follows the writes of other tabs. Returns a function that stops it. */
export function followOtherTabs(queries: QueryClient): () => void {
  const hear = ({ data }: MessageEvent<readonly QueryKey[]>) => {
    for (const queryKey of data) void queries.invalidateQueries({ queryKey })
  }
  channel?.addEventListener('message', hear)
  return () => channel?.removeEventListener('message', hear)
}
