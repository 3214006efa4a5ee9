import type { Campaign, Event, Lead, MetricSeries, Overture, Provider, Schedule } from '@overture/sdk'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { createContext, use } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { useAnswer, usePages } from '@/data/use-answer.ts'
import { ownZone } from '@/ui/format.ts'

// The queries of the campaign tabs. A query whose key begins with ['campaign', id] is refetched automatically on each event of the campaign.

/** The check reads every lead, so for an active campaign it is not repeated after each email, only after a change. */
export const useReadiness = ({ id, status, updatedAt, totalLeads }: Campaign) =>
  useAnswer(
    status === 'active' ? ['readiness', id, updatedAt, totalLeads] : ['campaign', id, 'readiness', totalLeads],
    (api, options) => api.campaigns.validate(id, options),
    { placeholderData: keepPreviousData },
  )

export const useSendingStatus = (campaignId: string) =>
  useAnswer(['campaign', campaignId, 'sending'], (api, options) => api.campaigns.getSendingStatus(campaignId, options))

export type Interval = MetricSeries['interval']
export type Grouping = 'none' | 'step' | 'variant' | 'mailbox'

export const useCampaignSeries = (campaignId: string, interval: Interval, grouping: Grouping) =>
  useAnswer(
    ['campaign', campaignId, 'series', interval, grouping],
    (api, options) => {
      const by = grouping === 'none' ? {} : { groupBy: grouping }
      return api.campaigns.getMetricSeries(campaignId, { interval, timezone: ownZone(), ...by }, options)
    },
    { placeholderData: keepPreviousData },
  )

export const useSteps = (campaignId: string) =>
  useAnswer(['campaign', campaignId, 'steps'], async (api, options) => (await api.sequences.get(campaignId, options)).steps)

export const useVariantComparison = (campaignId: string) =>
  useAnswer(['campaign', campaignId, 'variants'], (api, options) => api.campaigns.compareVariants(campaignId, options))

/** All mailboxes of the workspace, because there are few. */
export const useAllMailboxes = () =>
  useAnswer(
    ['providers', 'list', 'all'],
    async (api, options): Promise<Provider[]> => {
      const all: Provider[] = []
      for await (const provider of api.providers.list({ limit: 100 }, options)) all.push(provider)
      return all
    },
    { scope: 'providers:read' },
  )

export interface VersionedSchedule {
  schedule: Schedule
  /** For `if-match`. It is read before the schedule, so it is never newer than what is shown. */
  version: string
}

const scheduleQuery = (api: Overture, campaignId: string) =>
  queryOptions({
    queryKey: ['campaign', campaignId, 'schedule'],
    queryFn: async ({ signal }): Promise<VersionedSchedule> => {
      const { updatedAt: version } = await api.campaigns.get(campaignId, { signal })
      return { schedule: await api.campaigns.getSchedule(campaignId, { signal }), version }
    },
  })

export function useVersionedSchedule(campaignId: string) {
  const { api } = useWorkspace()
  return useQuery(scheduleQuery(api, campaignId))
}

export function useSchedule(campaignId: string) {
  const { api } = useWorkspace()
  return useQuery({ ...scheduleQuery(api, campaignId), select: ({ schedule }) => schedule })
}

/** A simulation runs the whole campaign, so it is requested by users and after a change of the campaign, not after every event. */
export const useSimulation = ({ id, updatedAt }: Campaign, horizonDays: number) =>
  useAnswer(['simulation', id, updatedAt, horizonDays], (api, options) => api.campaigns.getSimulation(id, { horizonDays }, options), {
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })

const ZONE_SAMPLE = 100

interface ZoneSample {
  /** The number of leads in the sample. */
  size: number
  hasMore: boolean
  /** By time zone, the most frequent first. Null for leads without one. */
  zones: { zone: string | null; count: number }[]
}

/** The time zones of the first leads. */
export const useLeadZones = (campaignId: string) =>
  useAnswer(
    ['lead-zones', campaignId],
    async (api, options): Promise<ZoneSample> => {
      const page = await api.leads.list(campaignId, { limit: ZONE_SAMPLE }, options)
      const byZone = Map.groupBy(page.data, (lead: Lead) => lead.timezone)
      const zones = [...byZone].map(([zone, leads]) => ({ zone, count: leads.length })).sort((a, b) => b.count - a.count)
      return { size: page.data.length, hasMore: page.meta.pagination.hasMore, zones }
    },
    { scope: 'leads:read' },
  )

interface EventFilters {
  type?: string | undefined
  lead?: string | undefined
  variant?: string | undefined
}

/** The filters as query parameters, for the list and for the copied call. */
export const asQuery = (campaignId: string, { type, lead, variant }: EventFilters) => ({
  campaignId,
  order: 'desc' as const,
  ...(type ? { type: type as Event['type'] } : {}),
  ...(lead ? { leadId: lead } : {}),
  ...(variant ? { variantId: variant } : {}),
})

export const useCampaignEvents = (campaignId: string, { type, lead, variant }: EventFilters) =>
  usePages(['campaign', campaignId, 'events', { type, lead, variant }], (api, page, options) =>
    api.events.list({ ...page, ...asQuery(campaignId, { type, lead, variant }) }, options),
  )

export const CampaignContext = createContext<Campaign | null>(null)

/** The campaign of the current tab. The layout loads it, and events keep it up to date. */
export function useThisCampaign(): Campaign {
  const campaign = use(CampaignContext)
  if (!campaign) throw new Error('useThisCampaign is for the tabs of a campaign.')
  return campaign
}

/**
 * The contacted leads, and the leads they are a part of. The metrics keep leads that were removed after their first email, and the
 * list does not, so there is no exact total if more leads were contacted than are left.
 */
export function contactedOf({ totalLeads, metrics }: Pick<Campaign, 'totalLeads' | 'metrics'>) {
  const count = metrics.contactedLeadsCount
  return { count, of: count > totalLeads ? null : totalLeads }
}

export function useMayChange(campaign: Campaign): boolean {
  const { may } = useWorkspace()
  return may('campaigns:write') && campaign.status !== 'archived'
}

/** For `useDraftSave`: the query of a campaign, and what to reload after a change. */
export const savesCampaign = (id: string) => ({ reads: ['campaign', id], touches: [['campaigns'], ['campaign', id], ['readiness', id]] })
