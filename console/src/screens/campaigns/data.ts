import type { Campaign } from '@overture/sdk'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { type Pages, usePages } from '@/data/use-pages.ts'

export type CampaignStatus = Campaign['status']

export type CampaignFilters = { q?: string | undefined; status?: string | undefined }

/** Archived ones are left out unless they are asked for. The key begins with what events make out of date. */
export function useCampaigns({ q, status }: CampaignFilters): Pages<Campaign> {
  const { api, id } = useWorkspace()
  return usePages<Campaign>(['campaigns', id, { q, status }], (cursor, options) =>
    api.campaigns.list({ limit: 50, ...(q ? { q } : {}), ...(status ? { status: status as CampaignStatus } : {}), ...cursor }, options),
  )
}

export function useCampaign(campaignId: string) {
  const { api } = useWorkspace()
  return useQuery(queryOptions({ queryKey: ['campaign', campaignId], queryFn: ({ signal }) => api.campaigns.get(campaignId, { signal }) }))
}

const DAYS = 14
const DAY_MS = 86_400_000

/** What each campaign has sent on each of the last days: one question for the whole table. */
export function useSentByDay(): ReadonlyMap<string, readonly number[]> {
  const { api, id } = useWorkspace()
  const { data } = useQuery({
    queryKey: ['series', id, 'sent-by-day'],
    queryFn: ({ signal }) => {
      const from = new Date(Math.floor(Date.now() / DAY_MS - DAYS + 1) * DAY_MS).toISOString()
      return api.metrics.getSeries({ interval: 'day', groupBy: 'campaign', from }, { signal })
    },
  })
  return useMemo(() => {
    if (!data) return new Map<string, number[]>()
    const firstDay = Math.floor(Date.parse(data.from) / DAY_MS)
    return new Map(
      data.series.map(({ key, points }) => {
        const sent = Array.from({ length: DAYS }, () => 0)
        for (const point of points) {
          const day = Math.floor(Date.parse(point.at) / DAY_MS) - firstDay
          if (day >= 0 && day < DAYS) sent[day]! += point.sent
        }
        return [key ?? '', sent] as const
      }),
    )
  }, [data])
}
