import type { Event, Operation } from '@overture/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { onEvent } from '@/data/live-state.ts'
import { useWorkspace } from '@/data/session.ts'
import { useAnswer, usePages } from '@/data/use-answer.ts'
import { actionWords } from '@/data/words.ts'
import type { Option } from '@/ui/select.tsx'

/** Filters from the URL. Their values are checked by the service. */
type Chosen = Record<string, string | undefined>

export const useOperations = (filters: Chosen) =>
  usePages(['operations', 'list', filters], (api, page, options) => api.operations.list({ ...page, ...(filters as object) }, options))

/** One operation, followed to its end while it is shown. */
export function useOperationById(operationId: string) {
  const { api, id } = useWorkspace()
  const queries = useQueryClient()
  const found = useAnswer(['operations', 'one', operationId], (_, options) => api.operations.get(operationId, options))
  const isUnderWay = found.data?.status === 'queued' || found.data?.status === 'running'
  useEffect(() => {
    if (!isUnderWay) return
    const left = new AbortController()
    const queryKey = ['operations', 'one', operationId, id]
    const onProgress = (operation: Operation) => queries.setQueryData(queryKey, operation)
    // The query shows the outcome, a failure included.
    const ask = () => void (left.signal.aborted || queries.invalidateQueries({ queryKey }))
    api.wait(operationId, { signal: left.signal, timeoutMs: Number.POSITIVE_INFINITY, onProgress }).then(ask, ask)
    return () => left.abort()
  }, [api, id, operationId, isUnderWay, queries])
  return found
}

const KEPT = 200

/** The event log, newest first. New events arrive through the stream, without another request. */
export function useEventTail(
  filters: { [Name in 'type' | 'campaignId' | 'leadId' | 'providerId']?: string | undefined },
  isFollowing: boolean,
) {
  const key = JSON.stringify(filters)
  const pages = usePages(['event-log', filters], (api, page, options) =>
    api.events.list({ ...page, order: 'desc', ...(filters as object) }, options),
  )
  const [fresh, setFresh] = useState<{ key: string; events: readonly Event[] }>({ key, events: [] })
  useEffect(() => {
    if (!isFollowing) return
    const wanted = JSON.parse(key) as typeof filters
    return onEvent(event => {
      const about: Chosen = { ...(event.data as object), type: event.type }
      // Later events of an email do not name its mailbox, so with that filter they only show after the list is opened again.
      if (Object.entries(wanted).some(([name, value]) => value && about[name] !== value)) return
      setFresh(before => ({ key, events: [event, ...(before.key === key ? before.events : [])].slice(0, KEPT) }))
    })
  }, [key, isFollowing])
  const newest = pages.rows[0]?.seq ?? 0
  const added = fresh.key === key ? fresh.events.filter(event => event.seq > newest) : []
  return { ...pages, rows: [...added, ...pages.rows], addedCount: added.length }
}

export const useWebhooks = () => usePages(['webhooks', 'list'], (api, page, options) => api.webhooks.list(page, options))

export const useWebhook = (webhookId: string) =>
  useAnswer(['webhooks', 'one', webhookId], (api, options) => api.webhooks.get(webhookId, options))

export const useDeliveries = (webhookId: string, status: string | undefined) =>
  usePages(['webhooks', 'deliveries', webhookId, status], (api, page, options) =>
    api.webhooks.listDeliveries(webhookId, { ...page, ...({ status } as object) }, options),
  )

/** Attempts have no events. After each cause of an attempt, deliveries are therefore loaded again a few times. */
const LOOKS_MS = [400, 1200, 3000, 7000]

export function useDeliveryLooks(webhookId: string): () => void {
  const queries = useQueryClient()
  const [asked, setAsked] = useState(0)
  useEffect(() => onEvent(() => setAsked(count => count + 1)), [])
  useEffect(() => {
    if (asked === 0) return
    const look = () => void queries.invalidateQueries({ queryKey: ['webhooks', 'deliveries', webhookId] })
    const timers = LOOKS_MS.map(delayMs => setTimeout(look, delayMs))
    return () => timers.forEach(clearTimeout)
  }, [asked, webhookId, queries])
  return useCallback(() => setAsked(count => count + 1), [])
}

export const useDelivery = (webhookId: string, deliveryId: string) =>
  useAnswer(['webhooks', 'deliveries', webhookId, 'one', deliveryId], (api, options) =>
    api.webhooks.getDelivery(webhookId, deliveryId, options),
  )

export const useEventById = (eventId: string | undefined) =>
  useAnswer(['event', eventId], (api, options) => api.events.get(eventId!, options), {
    enabled: Boolean(eventId),
    staleTime: Number.POSITIVE_INFINITY,
  })

export const useTokens = () =>
  usePages(['tokens'], (api, page, options) => api.tokens.list(page, options), { scope: 'tokens:read', isOwn: true })

export const useApiKeys = () => usePages(['api-keys'], (api, page, options) => api.apiKeys.list(page, options), { scope: 'tokens:read' })

export const useSessions = () =>
  usePages(['sessions'], (api, page, options) => api.sessions.list(page, options), { scope: 'tokens:read', isOwn: true })

export const useLedger = () => usePages(['credits', 'ledger'], (api, page, options) => api.credits.listLedger(page, options))

export const useAudit = (filters: Chosen) =>
  usePages(['operations', 'audit', filters], (api, page, options) => api.audit.list({ ...page, ...(filters as object) }, options), {
    scope: 'audit:read',
  })

/** The options of an action filter: all actions seen since the screen was opened, because the API has no list of them. */
export function useSeenActions({ rows }: { rows: readonly { action: string }[] }, chosen: string | undefined): Option<string>[] {
  const seen = useRef(new Set<string>())
  for (const { action } of rows) seen.current.add(action)
  if (chosen) seen.current.add(chosen)
  return [...seen.current].sort().map(value => ({ value, label: actionWords(value) }))
}
