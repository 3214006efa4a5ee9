import type { Lead, LeadPatch, TimelineEntry } from '@overture/sdk'
import { useAnswer, usePages } from '@/data/use-answer.ts'
import { readableAddress } from '@/ui/address.ts'
import { statusWords } from '@/ui/badge.tsx'

export interface LeadFilters {
  q?: string | undefined
  status?: string | undefined
  timezone?: string | undefined
}

// Every key begins with the campaign, because changes of its leads arrive as events of the campaign.

export const useLeads = (campaignId: string, filters: LeadFilters) =>
  usePages(['campaign', campaignId, 'leads', filters], (api, page, options) =>
    api.leads.list(campaignId, { ...page, ...givenOf(filters) }, options),
  )

/** The filters that are set. */
export const givenOf = ({ q, status, timezone }: LeadFilters) => ({
  ...(q ? { q } : {}),
  ...(status ? { status: status as Lead['status'] } : {}),
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

/** Newest first, so the current obstacle is the first entry. A lead has tens of entries, not thousands. */
export const useTimeline = (campaignId: string, leadId: string) =>
  useAnswer(['campaign', campaignId, 'lead', leadId, 'timeline'], async (api, options) => {
    const entries: TimelineEntry[] = []
    for await (const entry of api.leads.listTimeline(campaignId, leadId, { limit: 100, order: 'desc' }, options)) {
      entries.push(entry)
      if (entries.length >= 500) break
    }
    return entries
  })

export const LEAD_LABELS = {
  firstName: 'First name',
  lastName: 'Last name',
  fullName: 'Full name',
  company: 'Company',
  jobTitle: 'Job title',
  timezone: 'Time zone',
}

/** The display name of a lead. */
export const nameOf = ({ fullName, firstName, lastName, email }: Pick<Lead, 'fullName' | 'firstName' | 'lastName' | 'email'>): string =>
  fullName || [firstName, lastName].filter(Boolean).join(' ') || readableAddress(email)

export type Outcome = NonNullable<LeadPatch['status']>

const OUTCOMES: readonly Outcome[] = [
  ...(['replied', 'interested', 'not_interested', 'meeting_booked', 'meeting_completed', 'closed', 'unsubscribed', 'skipped'] as const),
]
export const OUTCOME_OPTIONS = OUTCOMES.map(value => ({ value, label: statusWords(value) }))

/** The effects of each outcome, shown before the user chooses. */
export const followsFrom = (outcome: Outcome): string =>
  outcome === 'unsubscribed'
    ? 'Overture suppresses the address. No campaign in this workspace emails it again.'
    : outcome === 'skipped'
      ? 'Overture sends no more emails until you retry the lead.'
      : 'Overture sends no more steps of the sequence.'
