import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { isSignedOut } from '@/api/errors.ts'

/** Whoever notices that the session is over makes everybody look: the shell then leads to the sign-in. */
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
