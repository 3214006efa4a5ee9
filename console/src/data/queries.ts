import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { isSignedOut } from '@/api/errors.ts'

/** The first query that finds the session over makes all others look: the shell then shows the sign-in. */
function lookAtSession(error: unknown): void {
  if (isSignedOut(error)) queries.setQueryData(['session'], null)
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
