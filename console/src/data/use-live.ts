import { type Event, OvertureError } from '@overture/sdk'
import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { isSignedOut } from '@/api/errors.ts'
import { announce, noteStream } from './live-state.ts'
import { followOtherTabs } from './queries.ts'
import { useWorkspace } from './session.ts'

/** While much happens, lists are asked for again this often and not for every event. */
const FIRST_MS = 150
const AGAIN_MS = 2000

/** Collects what is out of date and says so at once for the first event, and then at most every other second. */
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
 * Follows the event log of the workspace for as long as the app is open: one stream, from which every screen is kept up to
 * date. It begins where the log was before the first list was asked for, and goes on after its last event when the connection was lost:
 * so nothing is missed and no list is polled.
 */
export function useLive(): void {
  const { api, id, lastEventSeq, may } = useWorkspace()
  const isAllowed = may('events:read')
  const queries = useQueryClient()
  const [connection, setConnection] = useState(0)
  // A line that is cut says nothing for a while; the browser knows it at once. This holds also where there is no stream.
  useEffect(() => {
    const lose = () => noteStream('offline')
    const find = () => {
      setConnection(count => count + 1)
      // Also for what could not be loaded meanwhile, and for writes that have no event of their own.
      void queries.invalidateQueries()
    }
    const comeBack = () => {
      if (!document.hidden) for (const queryKey of WITHOUT_EVENTS) void queries.invalidateQueries({ queryKey })
    }
    const unfollow = followOtherTabs(queries)
    addEventListener('offline', lose)
    addEventListener('online', find)
    document.addEventListener('visibilitychange', comeBack)
    return () => {
      unfollow()
      document.removeEventListener('visibilitychange', comeBack)
      removeEventListener('offline', lose)
      removeEventListener('online', find)
    }
  }, [queries])
  const seen = useRef({ id, seq: lastEventSeq })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another workspace is another stream, and so is another connection
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
        // The page was away for so long that the log is no longer kept from there on.
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
 * What an event makes out of date: keys of queries, from the left. `['campaigns']` is every list and every campaign,
 * `['campaign', id]` all that is known of one. One list for all screens, so that none has to think of it.
 */
function touchedBy({ type, data }: Pick<Event, 'type' | 'data'>): QueryKey[] {
  const { campaignId, action } = data as { campaignId?: string; action?: string }
  const campaign: QueryKey[] = campaignId ? [['campaigns'], ['campaign', campaignId], ['series']] : [['campaigns'], ['series']]
  const [family] = type.split('.')
  switch (family) {
    case 'campaign':
      return campaign
    case 'email':
      return /replied|answered/.test(type) ? [...campaign, ['replies'], ['providers']] : [...campaign, ['providers']]
    case 'ai_sdr':
    case 'reply':
      return [...campaign, ['replies']]
    case 'lead':
      return type === 'lead.unsubscribed' ? [...campaign, ['suppressions']] : campaign
    case 'lead_search':
      return [...campaign, ['exports'], ['credits']]
    case 'provider':
      // Whether a campaign sends depends on its mailboxes.
      return [['providers'], ['campaign']]
    case 'tracking_host':
      return [['tracking-host'], ['campaign']]
    case 'webhook':
      return [['webhooks']]
    case 'plan':
      return [['plans']]
    case 'operation':
      return [['operations'], ...touchedByAction(action ?? '', campaign)]
    default:
      return []
  }
}

/** Not every write has an event of its own; but the end of its operation has one. */
function touchedByAction(action: string, campaign: QueryKey[]): QueryKey[] {
  const [noun] = action.split('.')
  switch (noun) {
    case 'campaign':
    case 'sequence':
    case 'lead':
    case 'leads':
      return campaign
    case 'lead_search':
      return [...campaign, ['exports'], ['credits']]
    case 'provider':
      return [['providers']]
    case 'tracking_host':
      return [['tracking-host']]
    case 'webhook':
      return [['webhooks']]
    case 'workspace':
      return [['settings'], ['campaign']]
    case 'suppression':
      return [['suppressions']]
    case 'reply':
      return [...campaign, ['replies']]
    case 'sandbox':
      return [['clock'], ['series'], ['providers']]
    default:
      return []
  }
}

/** What changes without any event: who comes back to the page is shown how it is now. */
const WITHOUT_EVENTS: readonly QueryKey[] = [
  ['api-keys'],
  ['campaigns'],
  ['invitations'],
  ['session'],
  ['sessions'],
  ['settings'],
  ['suppressions'],
  ['team'],
  ['tokens'],
  ['webhooks'],
]
