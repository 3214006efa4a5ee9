import { MutationCache, QueryCache, QueryClient, type QueryKey } from '@tanstack/react-query'
import { isRefused, isSignedOut } from '@/api/errors.ts'

/** The first query that finds the session over makes all others look: the shell then shows the sign-in. A refusal may mean another role. */
export function lookAtSession(error: unknown): void {
  if (isSignedOut(error)) queries.setQueryData(['session'], null)
  else if (isRefused(error)) void queries.invalidateQueries({ queryKey: ['session'] })
}

export const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: lookAtSession }),
  mutationCache: new MutationCache({ onError: lookAtSession }),
  defaultOptions: {
    queries: {
      // Events say when something has changed; until then it is as it was.
      staleTime: 60_000,
      retry: (count, error) => count < 2 && (error as { status?: number }).status === 0,
    },
  },
})

/** Between the tabs of one browser. It carries keys of queries, and nothing of what was written. */
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('overture.touched')

/** A write has made this out of date: here, and in the other tabs, which learn of it by no event when the write has none. */
export function touch(queries: QueryClient, keys: readonly QueryKey[]): void {
  for (const queryKey of keys) void queries.invalidateQueries({ queryKey })
  channel?.postMessage(keys)
}

/** Follows what the other tabs have written; returns how to stop it. */
export function followOtherTabs(queries: QueryClient): () => void {
  const hear = ({ data }: MessageEvent<readonly QueryKey[]>) => {
    for (const queryKey of data) void queries.invalidateQueries({ queryKey })
  }
  channel?.addEventListener('message', hear)
  return () => channel?.removeEventListener('message', hear)
}
