import type { Lead, TimelineEntry } from '@overture/sdk'
import { useAnswer, usePages } from '@/data/use-answer.ts'
import { readableAddress } from '@/ui/address.ts'

export type LeadStatus = Lead['status']

export interface LeadFilters {
  q?: string | undefined
  status?: string | undefined
  timezone?: string | undefined
}

// Every key begins with the campaign: what happens to its leads comes as events of the campaign.

export const useLeads = (campaignId: string, filters: LeadFilters) =>
  usePages(['campaign', campaignId, 'leads', filters], (api, page, options) =>
    api.leads.list(campaignId, { ...page, ...givenOf(filters) }, options),
  )

/** What of the filters is to be asked for. */
export const givenOf = ({ q, status, timezone }: LeadFilters) => ({
  ...(q ? { q } : {}),
  ...(status ? { status: status as LeadStatus } : {}),
  ...(timezone ? { timezone } : {}),
})

export const useLead = (campaignId: string | null, leadId: string | null | undefined) =>
  useAnswer(['campaign', campaignId, 'lead', leadId], (api, options) => api.leads.get(campaignId!, leadId!, options), {
    enabled: Boolean(campaignId && leadId),
  })

export const useThread = (campaignId: string, leadId: string) =>
  usePages(
    ['campaign', campaignId, 'lead', leadId, 'thread'],
    (api, page, options) => api.leads.listThread(campaignId, leadId, page, options),
    { limit: 20 },
  )

/** The newest first: what is in the way now is the first of them. A lead has tens of entries, not thousands. */
export const useTimeline = (campaignId: string, leadId: string) =>
  useAnswer(['campaign', campaignId, 'lead', leadId, 'timeline'], async (api, options) => {
    const entries: TimelineEntry[] = []
    for await (const entry of api.leads.listTimeline(campaignId, leadId, { limit: 100, order: 'desc' }, options)) {
      entries.push(entry)
      if (entries.length >= 500) break
    }
    return entries
  })

/** The display name of a lead. */
export const nameOf = ({ fullName, firstName, lastName, email }: Pick<Lead, 'fullName' | 'firstName' | 'lastName' | 'email'>): string =>
  fullName || [firstName, lastName].filter(Boolean).join(' ') || readableAddress(email)
