import type { Lead, ThreadMessage, TimelineEntry } from '@overture/sdk'
import { useQuery } from '@tanstack/react-query'
import { useWorkspace } from '@/data/session.ts'
import { type Pages, usePages } from '@/data/use-pages.ts'

export type LeadStatus = Lead['status']

export interface LeadFilters {
  q?: string | undefined
  status?: string | undefined
  timezone?: string | undefined
}

// Every key begins with the campaign: what happens to its leads comes as events of the campaign.

export function useLeads(campaignId: string, filters: LeadFilters): Pages<Lead> {
  const { api } = useWorkspace()
  return usePages<Lead>(['campaign', campaignId, 'leads', filters], (cursor, options) =>
    api.leads.list(campaignId, { limit: 50, ...givenOf(filters), ...cursor }, options),
  )
}

/** What of the filters is to be asked for. */
export const givenOf = ({ q, status, timezone }: LeadFilters) => ({
  ...(q ? { q } : {}),
  ...(status ? { status: status as LeadStatus } : {}),
  ...(timezone ? { timezone } : {}),
})

export function useLead(campaignId: string | null, leadId: string | null | undefined) {
  const { api } = useWorkspace()
  return useQuery({
    queryKey: ['campaign', campaignId, 'lead', leadId],
    queryFn: ({ signal }) => api.leads.get(campaignId!, leadId!, { signal }),
    enabled: Boolean(campaignId && leadId),
  })
}

export function useThread(campaignId: string, leadId: string): Pages<ThreadMessage> {
  const { api } = useWorkspace()
  return usePages<ThreadMessage>(['campaign', campaignId, 'lead', leadId, 'thread'], (cursor, options) =>
    api.leads.listThread(campaignId, leadId, { limit: 20, ...cursor }, options),
  )
}

/** All of it: what is in the way now stands at its end. A lead has tens of entries, not thousands. */
export function useTimeline(campaignId: string, leadId: string) {
  const { api } = useWorkspace()
  return useQuery({
    queryKey: ['campaign', campaignId, 'lead', leadId, 'timeline'],
    queryFn: async ({ signal }) => {
      const entries: TimelineEntry[] = []
      for await (const entry of api.leads.listTimeline(campaignId, leadId, { limit: 100 }, { signal })) {
        entries.push(entry)
        if (entries.length >= 500) break
      }
      return entries
    },
  })
}

/** Whom to call a lead. */
export const nameOf = ({ fullName, firstName, lastName, email }: Pick<Lead, 'fullName' | 'firstName' | 'lastName' | 'email'>): string =>
  fullName || [firstName, lastName].filter(Boolean).join(' ') || email
