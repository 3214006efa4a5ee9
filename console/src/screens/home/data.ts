import type { Campaign, MetricSeries, Provider, Reply } from '@overture/sdk'
import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { campaignNow, useClockOffset } from '@/data/clock.ts'
import { useWorkspace } from '@/data/session.ts'
import { type Totals, useAnswer } from '@/data/use-answer.ts'
import { ownZone } from '@/ui/format.ts'

const SHOWN = 6

/** The replies to handle: first uncertain ones, then positive ones, then the rest. */
export const useTodo = () =>
  useAnswer(['replies', 'home'], async (api, options) => {
    const ask = (query: { needsLook?: boolean; kind?: 'positive'; handled?: boolean }) =>
      api.replies.list({ limit: SHOWN, ...query }, options)
    const [unclear, positive, open, any] = await Promise.all([
      ask({ handled: false, needsLook: true }),
      ask({ handled: false, kind: 'positive' }),
      ask({ handled: false }),
      ask({}),
    ])
    const byId = new Map<string, Reply>()
    for (const reply of [...unclear.data, ...positive.data, ...open.data]) byId.set(reply.id, reply)
    return {
      replies: [...byId.values()].slice(0, SHOWN),
      hasMore: byId.size > SHOWN || open.meta.pagination.hasMore,
      hasAny: any.data.length > 0,
    }
  })

export const useMailboxList = () =>
  useAnswer(
    ['providers', 'list', 'first'],
    async (api, options): Promise<Provider[]> => (await api.providers.list({ limit: 100 }, options)).data,
  )

/** Why each of these campaigns sends or waits, as the sender reports it. */
export function useSendingOf(campaigns: readonly Campaign[]) {
  const { api } = useWorkspace()
  return useQueries({
    queries: campaigns.map(campaign => ({
      queryKey: ['campaign', campaign.id, 'sending'],
      queryFn: ({ signal }: { signal: AbortSignal }) => api.campaigns.getSendingStatus(campaign.id, { signal }),
    })),
    combine: answers => answers.map((answer, at) => ({ campaign: campaigns[at]!, sending: answer.data })),
  })
}

const DAYS = 30
const DAY_MS = 86_400_000
const dayKey = (at: Date): string => `${at.getFullYear()}-${at.getMonth()}-${at.getDate()}`

const NOTHING: Totals = { sent: 0, assumed: 0, opened: 0, clicked: 0, replied: 0, positive: 0, bounced: 0, unsubscribed: 0 }

/** The results of the last 30 days, by the clock of the campaigns. */
export function useResults() {
  useClockOffset()
  const today = dayKey(campaignNow())
  return useAnswer(
    ['series', 'home', today],
    async (api, options) =>
      fill(await api.metrics.getSeries({ interval: 'day', timezone: ownZone(), from: firstDay().toISOString() }, options)),
    { placeholderData: keepPreviousData },
  )
}

function firstDay(): Date {
  const day = new Date(campaignNow().getTime() - (DAYS - 1) * DAY_MS)
  day.setHours(0, 0, 0, 0)
  return day
}

function fill({ series, from }: MetricSeries) {
  const known = new Map((series[0]?.points ?? []).map(point => [dayKey(new Date(point.at)), point]))
  const first = new Date(from)
  // Also days on which nothing happened.
  const days = Array.from({ length: DAYS }, (_, number) => new Date(first.getFullYear(), first.getMonth(), first.getDate() + number))
  const counts = days.map(day => known.get(dayKey(day)) ?? NOTHING)
  return {
    totals: series[0]?.totals ?? NOTHING,
    times: days.map(day => day.getTime() / 1000),
    lines: [
      { label: 'Sent', color: 'accent', values: counts.map(({ sent }) => sent) },
      { label: 'Opens', color: 'info', values: counts.map(({ opened }) => opened) },
      { label: 'Replies', color: 'good', values: counts.map(({ replied }) => replied) },
    ],
  }
}
