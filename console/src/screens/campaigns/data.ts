import type { Campaign } from '@overture/sdk'
import { useMemo } from 'react'
import { campaignNow, useClockOffset } from '@/data/clock.ts'
import { useWorkspace } from '@/data/session.ts'
import { useAnswer, usePages } from '@/data/use-answer.ts'
import { type OperationPlan, useOperation } from '@/data/use-operation.ts'
import { isolate } from '@/ui/format.ts'

interface CampaignFilters {
  q?: string | undefined
  status?: string | undefined
}

/** Archived campaigns are left out unless the filter asks for them. */
export const useCampaigns = ({ q, status }: CampaignFilters) =>
  usePages(['campaigns', 'list', { q, status }], (api, page, options) =>
    api.campaigns.list({ ...page, ...(q ? { q } : {}), ...(status ? { status: status as Campaign['status'] } : {}) }, options),
  )

export const useCampaign = (campaignId: string) =>
  useAnswer(['campaign', campaignId], (api, options) => api.campaigns.get(campaignId, options))

type Verb = 'activate' | 'pause' | 'resume' | 'archive' | 'unarchive'

/** Changes the status of a campaign. `outcome` completes the toast: “Name” archived. */
export function useTransition(
  { id, name }: Campaign,
  verb: Verb,
  { outcome, toastsErrors = true }: Pick<OperationPlan<null, unknown>, 'toastsErrors'> & { outcome?: string } = {},
) {
  const { api } = useWorkspace()
  return useOperation({
    send: (_: null, options) => api.campaigns[verb](id, options),
    touches: [['campaigns'], ['campaign', id]],
    toastsErrors,
    repeats: true,
    ...(outcome ? { done: `“${isolate(name)}” ${outcome}` } : {}),
  })
}

const DAYS = 14
const DAY_MS = 86_400_000

/** The emails that each campaign has sent on each of the last days, in one request for the whole table. */
export function useSentByDay(): ReadonlyMap<string, readonly number[]> {
  const { data } = useAnswer(['series', 'sent-by-day', useClockOffset()], (api, options) => {
    const from = new Date(Math.floor(campaignNow().getTime() / DAY_MS - DAYS + 1) * DAY_MS).toISOString()
    return api.metrics.getSeries({ interval: 'day', groupBy: 'campaign', from }, options)
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
