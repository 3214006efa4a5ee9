import type { Reply, ThreadMessage } from '@overture/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useAnswer, usePages } from '@/data/use-answer.ts'

export type ReplyKind = Reply['kind']
/** What a person may say that a reply means. That no person wrote it can only be seen when it comes in. */
export type CorrectableKind = Exclude<ReplyKind, 'auto_reply'>

/** In the order of their keys, from 1. */
export const KINDS: readonly CorrectableKind[] = ['positive', 'neutral', 'negative', 'opt_out']

export const VIEWS = ['todo', 'look', 'handled', 'all'] as const
export type View = (typeof VIEWS)[number]

export interface InboxFilters {
  q?: string | undefined
  view: View
  campaign?: string | undefined
  kind?: string | undefined
}

const ASKED: Record<View, { handled?: boolean; needsLook?: boolean }> = {
  todo: { handled: false },
  look: { needsLook: true, handled: false },
  handled: { handled: true },
  all: {},
}

/** The address says nothing for what is to be done: that is what one comes for. */
export const viewOf = (said: string | undefined): View => VIEWS.find(view => view === said) ?? 'todo'

/** The same filters in the words of the API, for the list and for the copied call. */
export const asQuery = ({ q, view, campaign, kind }: InboxFilters) => ({
  ...ASKED[view],
  ...(q ? { q } : {}),
  ...(campaign ? { campaignId: campaign } : {}),
  ...(kind ? { kind: kind as ReplyKind } : {}),
})

export const useReplies = (filters: InboxFilters) =>
  usePages(['replies', 'list', filters], (api, page, options) => api.replies.list({ ...page, ...asQuery(filters) }, options))

/** One reply, also when it is not in the list any more: it may just have been handled. */
export function useReply(replyId: string | undefined) {
  const queries = useQueryClient()
  return useAnswer(['replies', 'one', replyId], (api, options) => api.replies.get(replyId!, options), {
    enabled: replyId !== undefined,
    placeholderData: () =>
      queries
        .getQueriesData<{ pages: { data: Reply[] }[] }>({ queryKey: ['replies', 'list'] })
        .flatMap(([, list]) => list?.pages.flatMap(page => page.data) ?? [])
        .find(reply => reply.id === replyId),
  })
}

/** Everything that went to and fro, oldest first. What the campaign does makes it out of date. */
export const useThread = ({ campaignId, leadId }: Pick<Reply, 'campaignId' | 'leadId'>) =>
  useAnswer(
    ['campaign', campaignId, 'thread', leadId],
    async (api, options): Promise<ThreadMessage[]> => (await api.leads.listThread(campaignId!, leadId!, {}, options)).data,
    { enabled: Boolean(campaignId && leadId) },
  )

/** For the filter and for the name behind an id. What else changes in a campaign draws nothing again. */
export const useCampaignNames = () =>
  useAnswer(['campaigns', 'names'], async (api, options) =>
    (await api.campaigns.list({ limit: 100 }, options)).data.map(({ id, name }) => ({ id, name })),
  )
