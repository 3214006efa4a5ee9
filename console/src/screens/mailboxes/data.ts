import type { Campaign, Overture, Provider, UnreadMessage } from '@overture/sdk'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useWorkspace } from '@/data/session.ts'
import { type Pages, usePages } from '@/data/use-pages.ts'

export function useMailboxes(): Pages<Provider> {
  const { api, id } = useWorkspace()
  return usePages<Provider>(['providers', id, 'list'], (cursor, options) => api.providers.list({ limit: 50, ...cursor }, options))
}

const mailboxQuery = (api: Overture, providerId: string) =>
  queryOptions({ queryKey: ['providers', 'one', providerId], queryFn: ({ signal }) => api.providers.get(providerId, { signal }) })

export const useMailbox = (providerId: string) => useQuery(mailboxQuery(useWorkspace().api, providerId))

/** Asks how the mailbox is at this moment; who looks at it sees the answer, too. */
export function useLatestMailbox(providerId: string): () => Promise<Provider> {
  const { api } = useWorkspace()
  const queries = useQueryClient()
  return () => queries.fetchQuery({ ...mailboxQuery(api, providerId), staleTime: 0 })
}

/** What the last check of its domain has found. */
export function useHealth(providerId: string) {
  const { api } = useWorkspace()
  return useQuery({
    queryKey: ['providers', 'health', providerId],
    queryFn: ({ signal }) => api.providers.getHealth(providerId, { signal }),
  })
}

export function useTrackingHost() {
  const { api, id } = useWorkspace()
  return useQuery({ queryKey: ['tracking-host', id], queryFn: ({ signal }) => api.trackingHost.get({ signal }) })
}

export function useUnread(providerId: string): Pages<UnreadMessage> {
  const { api } = useWorkspace()
  return usePages<UnreadMessage>(['providers', 'unread', providerId], (cursor, options) =>
    api.providers.listUnreadMessages(providerId, { limit: 20, ...cursor }, options),
  )
}

/** The campaigns that send from it: what a change of it, or its end, is felt by. */
export function useCampaignsOf(providerId: string) {
  const { api, id } = useWorkspace()
  return useQuery({
    queryKey: ['campaigns', id, 'of-mailbox', providerId],
    queryFn: async ({ signal }): Promise<Campaign[]> => {
      const found: Campaign[] = []
      for await (const page of api.campaigns.list({ limit: 100 }, { signal }).pages()) found.push(...page.data)
      return found.filter(campaign => campaign.providerId === providerId || campaign.rotationProviderIds.includes(providerId))
    },
  })
}

/** How many may leave on each day from the first, until the cap is reached; at most 60 days are shown. */
export function rampDays(dailyCap: number, ramp: Provider['ramp']): number[] {
  if (!ramp || ramp.startPerDay >= dailyCap) return [dailyCap]
  if (ramp.increasePerDay === 0) return Array.from({ length: 14 }, () => ramp.startPerDay)
  const days: number[] = []
  for (let limit = ramp.startPerDay; days.length < 60; limit += ramp.increasePerDay) {
    days.push(Math.min(dailyCap, limit))
    if (limit >= dailyCap) break
  }
  return days
}
