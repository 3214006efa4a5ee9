import type { Lead, Preview } from '@overture/sdk'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useWorkspace, type WorkspaceAccess } from '@/data/session.ts'
import { useAnswer } from '@/data/use-answer.ts'
import { type DraftStep, draftOf, toNewSequence } from './steps.ts'

/**
 * The sequence, with the version of the campaign for `if-match`. The campaign is read first: if another person saves in between, its version
 * is the older one, so a later save fails instead of overwriting unseen changes.
 */
export const sequenceQuery = (api: WorkspaceAccess['api'], campaignId: string) =>
  queryOptions({
    queryKey: ['campaign', campaignId, 'sequence'],
    queryFn: async ({ signal }) => {
      const { updatedAt } = await api.campaigns.get(campaignId, { signal })
      const { steps, version } = await api.sequences.get(campaignId, { signal })
      return { version: updatedAt, number: version, saved: steps, steps: draftOf(steps) }
    },
  })

export function useSequence(campaignId: string) {
  const { api } = useWorkspace()
  return useQuery(sequenceQuery(api, campaignId))
}

/** The first leads, for the preview and for the list of variables. */
export const useFirstLeads = (campaignId: string) =>
  useAnswer(
    ['campaign', campaignId, 'leads', 'first'],
    async (api, options): Promise<Lead[]> => (await api.leads.list(campaignId, { limit: 50 }, options)).data,
    { scope: 'leads:read' },
  )

export type PreviewAsked = { steps: readonly DraftStep[]; step: number; variant: number; leadId: string | undefined }

/** A step as the lead would receive it, even before it is saved. Of this step, the request contains only this variant. */
export function usePreview(campaignId: string, asked: PreviewAsked) {
  const { steps, step, variant, leadId } = asked
  const shown = steps[step]?.variants[variant]
  const canBeWritten = Boolean(shown?.body.trim() && (step > 0 || shown.subject.trim()))
  const tried = steps.slice(0, step + 1).map((each, index) => ({
    ...each,
    variants: (index === step ? [each.variants[variant]!] : each.variants).map(one => ({ ...one, body: one.body.trim() ? one.body : '-' })),
  }))
  const query = useAnswer(
    ['preview', campaignId, tried, step, leadId],
    (api, options): Promise<Preview> =>
      api.campaigns.preview(campaignId, { step, ...toNewSequence(tried), ...(leadId ? { leadId } : {}) }, options),
    { enabled: canBeWritten, placeholderData: keepPreviousData, retry: false, staleTime: 10_000 },
  )
  return { ...query, canBeWritten }
}
