import type { Campaign, Reply, ThreadMessage } from '@overture/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useWorkspace } from '@/data/session.ts'
import { type Pages, usePages } from '@/data/use-pages.ts'

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

export function useReplies(filters: InboxFilters): Pages<Reply> {
  const { api, id } = useWorkspace()
  return usePages<Reply>(['replies', id, 'list', filters], (cursor, options) =>
    api.replies.list({ limit: 50, ...asQuery(filters), ...cursor }, options),
  )
}

/** One reply, also when it is not in the list any more: it may just have been handled. */
export function useReply(replyId: string | undefined) {
  const { api, id } = useWorkspace()
  const queries = useQueryClient()
  return useQuery({
    queryKey: ['replies', id, 'one', replyId],
    queryFn: ({ signal }) => api.replies.get(replyId!, { signal }),
    enabled: replyId !== undefined,
    placeholderData: () =>
      queries
        .getQueriesData<{ pages: { data: Reply[] }[] }>({ queryKey: ['replies', id, 'list'] })
        .flatMap(([, list]) => list?.pages.flatMap(page => page.data) ?? [])
        .find(reply => reply.id === replyId),
  })
}

/** Everything that went to and fro, oldest first. What the campaign does makes it out of date. */
export function useThread({ campaignId, leadId }: Pick<Reply, 'campaignId' | 'leadId'>) {
  const { api } = useWorkspace()
  return useQuery({
    queryKey: ['campaign', campaignId, 'thread', leadId],
    queryFn: async ({ signal }): Promise<ThreadMessage[]> => (await api.leads.listThread(campaignId!, leadId!, {}, { signal })).data,
    enabled: Boolean(campaignId && leadId),
  })
}

/** For the filter and for the name behind an id. */
export function useCampaignNames() {
  const { api, id } = useWorkspace()
  return useQuery({
    queryKey: ['campaigns', id, 'names'],
    queryFn: async ({ signal }): Promise<Pick<Campaign, 'id' | 'name'>[]> =>
      (await api.campaigns.list({ limit: 100 }, { signal })).data.map(({ id: campaignId, name }) => ({ id: campaignId, name })),
  })
}
