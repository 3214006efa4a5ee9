import type { Reply } from '@overture/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useAnswer, usePages } from '@/data/use-answer.ts'

/** The categories that a user can choose. Auto-replies are only recognized on arrival. */
export type CorrectableKind = Exclude<Reply['kind'], 'auto_reply'>

/** In the order of their shortcuts, from 1. */
export const KINDS: readonly CorrectableKind[] = ['positive', 'neutral', 'negative', 'opt_out']

export const VIEWS = ['todo', 'look', 'handled', 'all'] as const
export type View = (typeof VIEWS)[number]

interface InboxFilters {
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

/** Without a view in the URL, the replies to handle are shown. */
export const viewOf = (name: string | undefined): View => VIEWS.find(view => view === name) ?? 'todo'

/** The filters as query parameters, for the list and for the copied call. */
export const asQuery = ({ q, view, campaign, kind }: InboxFilters) => ({
  ...ASKED[view],
  ...(q ? { q } : {}),
  ...(campaign ? { campaignId: campaign } : {}),
  ...(kind ? { kind: kind as Reply['kind'] } : {}),
})

export const useReplies = (filters: InboxFilters) =>
  usePages(['replies', 'list', filters], (api, page, options) => api.replies.list({ ...page, ...asQuery(filters) }, options))

/** One reply, even if it is no longer in the list because it was just handled. */
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

/** The names of the campaigns. Other changes of a campaign cause no rendering. */
export const useCampaignNames = () =>
  useAnswer(['campaigns', 'names'], async (api, options) =>
    (await api.campaigns.list({ limit: 100 }, options)).data.map(({ id, name }) => ({ id, name })),
  )
