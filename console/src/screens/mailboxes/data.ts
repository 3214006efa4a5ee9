import type { Campaign, Overture, Provider } from '@overture/sdk'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useWorkspace } from '@/data/session.ts'
import { useAnswer, usePages } from '@/data/use-answer.ts'
import { ownZone } from '@/ui/format.ts'

export const useMailboxes = () => usePages(['providers', 'list'], (api, page, options) => api.providers.list(page, options))

const mailboxQuery = (api: Overture, providerId: string) =>
  queryOptions({ queryKey: ['providers', 'one', providerId], queryFn: ({ signal }) => api.providers.get(providerId, { signal }) })

export const useMailbox = (providerId: string) => useQuery(mailboxQuery(useWorkspace().api, providerId))

/** Loads the current mailbox, which also updates the screen. */
export function useLatestMailbox(providerId: string): () => Promise<Provider> {
  const { api } = useWorkspace()
  const queries = useQueryClient()
  return () => queries.fetchQuery({ ...mailboxQuery(api, providerId), staleTime: 0 })
}

export const useHealth = (providerId: string) =>
  useAnswer(['providers', 'health', providerId], (api, options) => api.providers.getHealth(providerId, options))

export const useTrackingHost = () => useAnswer(['tracking-host'], (api, options) => api.trackingHost.get(options))

export const useUnread = (providerId: string) =>
  usePages(['providers', 'unread', providerId], (api, page, options) => api.providers.listUnreadMessages(providerId, page, options), {
    limit: 20,
  })

/** The campaigns that send from a mailbox. */
export const useCampaignsOf = (providerId: string) =>
  useAnswer(['campaigns', 'of-mailbox', providerId], async (api, options): Promise<Campaign[]> => {
    const found: Campaign[] = []
    for await (const page of api.campaigns.list({ limit: 100 }, options).pages()) found.push(...page.data)
    return found.filter(campaign => campaign.providerId === providerId || campaign.rotationProviderIds.includes(providerId))
  })

/** The limit of each day from the first until the daily limit is reached, for at most 60 days. */
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

/** A sandbox for trying everything, with a sender, a postal address and limits like a real mailbox. */
export const createSandbox = (api: Overture, { idempotencyKey }: { idempotencyKey: string }): Promise<Provider> =>
  api.providers.create(
    {
      ...{ kind: 'sandbox', name: 'Sandbox', fromName: 'Ada', fromEmail: 'ada@sandbox.example', dailyCap: 200, minGapSeconds: 60 },
      ...{ postalAddress: '1 Example Street, 10115 Berlin', timezone: ownZone() },
    },
    { idempotencyKey },
  )
