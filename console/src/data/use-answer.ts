import type { Campaign, Overture } from '@overture/sdk'
import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useWorkspace } from './session.ts'

export interface AskOptions {
  signal: AbortSignal
}

interface More<Answer> extends Omit<UseQueryOptions<Answer>, 'queryKey' | 'queryFn'> {
  /** What would be refused is not asked for. */
  scope?: string
}

/** What the service answers. The key says what makes it out of date. The workspace stands behind it, so that none shows what belongs to another. */
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
