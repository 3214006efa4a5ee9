import type { Campaign, Event, Lead, MetricSeries, Overture, Provider, Schedule } from '@overture/sdk'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useWorkspace } from '@/data/session.ts'
import { type Pages, usePages } from '@/data/use-pages.ts'
import { ownZone } from '@/ui/format.ts'

// What the tabs of a campaign ask. A key that begins with ['campaign', id] is asked again by itself when an event of the campaign comes.

/** Looks at every lead, so that an active campaign is not checked again for each message that leaves, only when it was changed. */
export function useReadiness({ id, status, updatedAt, totalLeads }: Campaign) {
  const { api } = useWorkspace()
  return useQuery({
    queryKey: status === 'active' ? ['readiness', id, updatedAt, totalLeads] : ['campaign', id, 'readiness', totalLeads],
    queryFn: ({ signal }) => api.campaigns.validate(id, { signal }),
    placeholderData: keepPreviousData,
  })
}

export function useSendingStatus(campaignId: string) {
  const { api } = useWorkspace()
  return useQuery({
    queryKey: ['campaign', campaignId, 'sending'],
    queryFn: ({ signal }) => api.campaigns.getSendingStatus(campaignId, { signal }),
  })
}

export type Interval = MetricSeries['interval']
export type Grouping = 'none' | 'step' | 'variant' | 'mailbox'

export function useCampaignSeries(campaignId: string, interval: Interval, grouping: Grouping) {
  const { api } = useWorkspace()
  return useQuery({
    queryKey: ['campaign', campaignId, 'series', interval, grouping],
    queryFn: ({ signal }) =>
      api.campaigns.getMetricSeries(
        campaignId,
        { interval, timezone: ownZone(), ...(grouping === 'none' ? {} : { groupBy: grouping }) },
        { signal },
      ),
    placeholderData: keepPreviousData,
  })
}

export function useSteps(campaignId: string) {
  const { api } = useWorkspace()
  return useQuery({
    queryKey: ['campaign', campaignId, 'steps'],
    queryFn: async ({ signal }) => (await api.sequences.get(campaignId, { signal })).steps,
  })
}

export function useVariantComparison(campaignId: string) {
  const { api } = useWorkspace()
  return useQuery({
    queryKey: ['campaign', campaignId, 'variants'],
    queryFn: ({ signal }) => api.campaigns.compareVariants(campaignId, { signal }),
  })
}

/** All mailboxes of the workspace: there are few. */
export function useMailboxes() {
  const { api, id, may } = useWorkspace()
  return useQuery({
    queryKey: ['providers', id, 'all'],
    enabled: may('providers:read'),
    queryFn: async ({ signal }): Promise<Provider[]> => {
      const all: Provider[] = []
      for await (const provider of api.providers.list({ limit: 100 }, { signal })) all.push(provider)
      return all
    },
  })
}

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

/** A simulation plays the whole campaign, so it is asked for by people and when the campaign was changed, not for every event. */
export function useSimulation({ id, updatedAt }: Campaign, horizonDays: number) {
  const { api } = useWorkspace()
  return useQuery({
    queryKey: ['simulation', id, updatedAt, horizonDays],
    queryFn: ({ signal }) => api.campaigns.getSimulation(id, { horizonDays }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
}

const ZONE_SAMPLE = 100

export interface ZoneSample {
  /** Leads that were looked at. */
  size: number
  hasMore: boolean
  /** By zone, the most frequent first; null: the lead has none. */
  zones: { zone: string | null; count: number }[]
}

/** Where the leads are, by the first of them. */
export function useLeadZones(campaignId: string) {
  const { api, may } = useWorkspace()
  return useQuery({
    queryKey: ['lead-zones', campaignId],
    enabled: may('leads:read'),
    queryFn: async ({ signal }): Promise<ZoneSample> => {
      const page = await api.leads.list(campaignId, { limit: ZONE_SAMPLE }, { signal })
      const byZone = Map.groupBy(page.data, (lead: Lead) => lead.timezone)
      const zones = [...byZone].map(([zone, leads]) => ({ zone, count: leads.length })).sort((a, b) => b.count - a.count)
      return { size: page.data.length, hasMore: page.meta.pagination.hasMore, zones }
    },
  })
}

interface EventFilters {
  type?: string | undefined
  lead?: string | undefined
  variant?: string | undefined
}

export function useCampaignEvents(campaignId: string, { type, lead, variant }: EventFilters): Pages<Event> {
  const { api } = useWorkspace()
  return usePages<Event>(['campaign', campaignId, 'events', { type, lead, variant }], (cursor, options) =>
    api.events.list(
      {
        campaignId,
        order: 'desc',
        limit: 50,
        ...(type ? { type: type as Event['type'] } : {}),
        ...(lead ? { leadId: lead } : {}),
        ...(variant ? { variantId: variant } : {}),
        ...cursor,
      },
      options,
    ),
  )
}
