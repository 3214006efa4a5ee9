import { type Event, OvertureError } from '@overture/sdk'
import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { isSignedOut } from '@/api/errors.ts'
import { announce, noteStream, onReopened } from './live-state.ts'
import { followOtherTabs } from './queries.ts'
import { useWorkspace } from './session.ts'

/** While there are many events, lists are loaded again at this interval and not for every event. */
const FIRST_MS = 150
const AGAIN_MS = 2000

/** Collects outdated queries, and invalidates them almost immediately for the first event, then at most every other second. */
function collector(queries: QueryClient) {
  const waiting = new Map<string, QueryKey>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let lastAt = 0
  const flush = () => {
    timer = undefined
    lastAt = Date.now()
    for (const queryKey of waiting.values()) void queries.invalidateQueries({ queryKey })
    waiting.clear()
  }
  return {
    add(keys: readonly QueryKey[]) {
      for (const key of keys) waiting.set(JSON.stringify(key), key)
      if (waiting.size > 0) timer ??= setTimeout(flush, Math.max(FIRST_MS, lastAt + AGAIN_MS - Date.now()))
    },
    stop: () => clearTimeout(timer),
  }
}

/**
 * Follows the event log of the workspace: one stream keeps every screen up to date. It begins before the first list was loaded. After a lost
 * connection, it continues after its last event. So no event is missed, and no list is polled.
 */
export function useLive(): void {
  const { api, id, lastEventSeq, may } = useWorkspace()
  const isAllowed = may('events:read')
  const queries = useQueryClient()
  const [connection, setConnection] = useState(0)
  // The stream notices a lost connection late, but the browser knows it immediately. This also works without a stream.
  useEffect(() => {
    const lose = () => noteStream('offline')
    const find = () => {
      setConnection(count => count + 1)
      // Also for data that could not be loaded meanwhile, and for writes without an event.
      void queries.invalidateQueries()
    }
    const comeBack = () => {
      if (!document.hidden) for (const key of WITHOUT_EVENTS) void queries.invalidateQueries({ queryKey: [key] })
    }
    const unfollow = followOtherTabs(queries)
    const unreopen = onReopened(() => void queries.invalidateQueries({ queryKey: ['session'] }))
    addEventListener('offline', lose)
    addEventListener('online', find)
    document.addEventListener('visibilitychange', comeBack)
    return () => {
      unfollow()
      unreopen()
      document.removeEventListener('visibilitychange', comeBack)
      removeEventListener('offline', lose)
      removeEventListener('online', find)
    }
  }, [queries])
  const seen = useRef({ id, seq: lastEventSeq })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another workspace needs another stream, and so does another connection
  useEffect(() => {
    if (!isAllowed) return noteStream('refused')
    if (seen.current.id !== id) seen.current = { id, seq: lastEventSeq }
    const stop = new AbortController()
    const collected = collector(queries)
    const follow = async (after: number | undefined) => {
      for await (const event of api.events.stream({ ...(after === undefined ? {} : { after }), signal: stop.signal })) {
        seen.current = { id, seq: event.seq }
        announce(event)
        collected.add(touchedBy(event))
      }
    }
    const followAll = async () => {
      try {
        await follow(seen.current.seq)
      } catch (error) {
        if (!(error instanceof OvertureError && error.code === 'events_expired')) throw error
        // The page was offline for so long that these events have expired.
        void queries.invalidateQueries()
        await follow(undefined)
      }
    }
    followAll().catch(error => {
      if (stop.signal.aborted) return
      noteStream('offline')
      if (isSignedOut(error)) void queries.invalidateQueries({ queryKey: ['session'] })
    })
    return () => {
      stop.abort()
      collected.stop()
    }
  }, [api, id, queries, connection, isAllowed])
}

/**
 * The queries that an event makes outdated, by the beginning of their keys: `['campaigns']` is every list and every campaign,
 * `['campaign', id]` all data of one campaign.
 */
function touchedBy({ type, data }: Pick<Event, 'type' | 'data'>): QueryKey[] {
  const { campaignId, action } = data as { campaignId?: string; action?: string }
  const campaign: QueryKey[] = campaignId ? [['campaigns'], ['campaign', campaignId], ['series']] : [['campaigns'], ['series']]
  const [family = ''] = type.split('.')
  const touched: Record<string, QueryKey[]> = {
    campaign,
    email: /replied|answered/.test(type) ? [...campaign, ['replies'], ['providers']] : [...campaign, ['providers']],
    ai_sdr: [...campaign, ['replies']],
    reply: [...campaign, ['replies']],
    lead: type === 'lead.unsubscribed' ? [...campaign, ['suppressions']] : campaign,
    lead_search: [...campaign, ['exports'], ['credits']],
    // Sending depends on the mailboxes of a campaign.
    provider: [['providers'], ['campaign']],
    tracking_host: [['tracking-host'], ['campaign']],
    webhook: [['webhooks']],
    plan: [['plans']],
    operation: [['operations'], ...touchedByAction(action ?? '', campaign)],
  }
  return touched[family] ?? []
}

/** Not every write has an event of its own, but the end of its operation has one. */
function touchedByAction(action: string, campaign: QueryKey[]): QueryKey[] {
  const [noun = ''] = action.split('.')
  const touched: Record<string, QueryKey[]> = {
    campaign,
    sequence: campaign,
    lead: campaign,
    leads: campaign,
    lead_search: [...campaign, ['exports'], ['credits']],
    provider: [['providers']],
    tracking_host: [['tracking-host']],
    webhook: [['webhooks']],
    workspace: [['settings'], ['campaign']],
    suppression: [['suppressions']],
    reply: [...campaign, ['replies']],
    sandbox: [['clock'], ['series'], ['providers']],
  }
  return touched[noun] ?? []
}

/** Data that changes without an event. It is loaded again when the user comes back to the page. */
const WITHOUT_EVENTS = [
  'api-keys',
  'campaigns',
  'invitations',
  'session',
  'sessions',
  'settings',
  'suppressions',
  'team',
  'tokens',
  'webhooks',
]
