import type { AuditEntry, Credits, Delivery, Event, LedgerEntry, Operation, Session, Token, WebhookEndpoint } from '@overture/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { onEvent } from '@/data/live-state.ts'
import { useWorkspace } from '@/data/session.ts'
import { type Pages, usePages } from '@/data/use-pages.ts'

/** Filters of the address, which checks none of their values: the service does. */
type Chosen = Record<string, string | undefined>

export function useOperations(filters: Chosen): Pages<Operation> {
  const { api, id } = useWorkspace()
  return usePages<Operation>(['operations', id, filters], (cursor, options) =>
    api.operations.list({ limit: 50, ...(filters as object), ...cursor }, options),
  )
}

/** One operation, followed to its end while one looks at it. */
export function useOperationById(operationId: string) {
  const { api, id } = useWorkspace()
  const queries = useQueryClient()
  const found = useQuery({
    queryKey: ['operations', id, 'one', operationId],
    queryFn: ({ signal }) => api.operations.get(operationId, { signal }),
  })
  const isUnderWay = found.data?.status === 'queued' || found.data?.status === 'running'
  useEffect(() => {
    if (!isUnderWay) return
    const left = new AbortController()
    const queryKey = ['operations', id, 'one', operationId]
    const onProgress = (operation: Operation) => queries.setQueryData(queryKey, operation)
    // Whether it succeeds or fails, the query says it.
    const ask = () => void (left.signal.aborted || queries.invalidateQueries({ queryKey }))
    api.wait(operationId, { signal: left.signal, timeoutMs: Number.POSITIVE_INFINITY, onProgress }).then(ask, ask)
    return () => left.abort()
  }, [api, id, operationId, isUnderWay, queries])
  return found
}

const KEPT = 200

/** The log, newest first. What happens while one looks comes in by the stream; nothing is asked for twice. */
export function useEventTail(
  filters: { type?: string | undefined; campaignId?: string | undefined; leadId?: string | undefined; providerId?: string | undefined },
  isFollowing: boolean,
) {
  const { api, id } = useWorkspace()
  const key = JSON.stringify(filters)
  const pages = usePages<Event>(['event-log', id, filters], (cursor, options) =>
    api.events.list({ limit: 50, order: 'desc', ...(filters as object), ...cursor }, options),
  )
  const [fresh, setFresh] = useState<{ key: string; events: readonly Event[] }>({ key, events: [] })
  useEffect(() => {
    if (!isFollowing) return
    const wanted = JSON.parse(key) as typeof filters
    return onEvent(event => {
      const { campaignId, leadId, providerId } = event.data as { campaignId?: string; leadId?: string; providerId?: string }
      if (wanted.type && wanted.type !== event.type) return
      if (wanted.campaignId && wanted.campaignId !== campaignId) return
      if (wanted.leadId && wanted.leadId !== leadId) return
      // What happens to a message after it was sent does not name its mailbox: that is seen when the list is opened again.
      if (wanted.providerId && wanted.providerId !== providerId) return
      setFresh(before => ({ key, events: [event, ...(before.key === key ? before.events : [])].slice(0, KEPT) }))
    })
  }, [key, isFollowing])
  const newest = pages.rows[0]?.seq ?? 0
  const added = fresh.key === key ? fresh.events.filter(event => event.seq > newest) : []
  return { ...pages, rows: [...added, ...pages.rows], addedCount: added.length }
}

export function useWebhooks(): Pages<WebhookEndpoint> {
  const { api, id } = useWorkspace()
  return usePages<WebhookEndpoint>(['webhooks', id, 'list'], (cursor, options) => api.webhooks.list({ limit: 50, ...cursor }, options))
}

export function useWebhook(webhookId: string) {
  const { api, id } = useWorkspace()
  return useQuery({ queryKey: ['webhooks', id, 'one', webhookId], queryFn: ({ signal }) => api.webhooks.get(webhookId, { signal }) })
}

export function useDeliveries(webhookId: string, status: string | undefined): Pages<Delivery> {
  const { api, id } = useWorkspace()
  return usePages<Delivery>(['webhooks', id, 'deliveries', webhookId, status], (cursor, options) =>
    api.webhooks.listDeliveries(webhookId, { limit: 50, ...({ status } as object), ...cursor }, options),
  )
}

/** What comes of an attempt is no event: so it is looked for a few times after each thing that leads to one. */
const LOOKS_MS = [400, 1200, 3000, 7000]

export function useDeliveryLooks(webhookId: string): () => void {
  const { id } = useWorkspace()
  const queries = useQueryClient()
  const [asked, setAsked] = useState(0)
  useEffect(() => onEvent(() => setAsked(count => count + 1)), [])
  useEffect(() => {
    if (asked === 0) return
    const look = () => void queries.invalidateQueries({ queryKey: ['webhooks', id, 'deliveries', webhookId] })
    const timers = LOOKS_MS.map(delayMs => setTimeout(look, delayMs))
    return () => timers.forEach(clearTimeout)
  }, [asked, id, webhookId, queries])
  return useCallback(() => setAsked(count => count + 1), [])
}

export function useDelivery(webhookId: string, deliveryId: string) {
  const { api, id } = useWorkspace()
  return useQuery({
    queryKey: ['webhooks', id, 'deliveries', webhookId, 'one', deliveryId],
    queryFn: ({ signal }) => api.webhooks.getDelivery(webhookId, deliveryId, { signal }),
  })
}

export function useEventById(eventId: string | undefined) {
  const { api, id } = useWorkspace()
  return useQuery({
    queryKey: ['event', id, eventId],
    queryFn: ({ signal }) => api.events.get(eventId!, { signal }),
    enabled: Boolean(eventId),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export function useTokens(): Pages<Token> {
  const { api, mayOwn } = useWorkspace()
  return usePages<Token>(['tokens'], (cursor, options) => api.tokens.list({ limit: 50, ...cursor }, options), mayOwn('tokens:read'))
}

export function useApiKeys(): Pages<Token> {
  const { api, id, may } = useWorkspace()
  return usePages<Token>(['api-keys', id], (cursor, options) => api.apiKeys.list({ limit: 50, ...cursor }, options), may('tokens:read'))
}

export function useSessions(): Pages<Session> {
  const { api, mayOwn } = useWorkspace()
  return usePages<Session>(['sessions'], (cursor, options) => api.sessions.list({ limit: 50, ...cursor }, options), mayOwn('tokens:read'))
}

export function useCredits() {
  const { api, id } = useWorkspace()
  return useQuery<Credits>({ queryKey: ['credits', id], queryFn: ({ signal }) => api.credits.get({ signal }) })
}

export function useLedger(): Pages<LedgerEntry> {
  const { api, id } = useWorkspace()
  return usePages<LedgerEntry>(['credits', id, 'ledger'], (cursor, options) => api.credits.listLedger({ limit: 50, ...cursor }, options))
}

export function useAudit(filters: Chosen): Pages<AuditEntry> {
  const { api, id, may } = useWorkspace()
  return usePages<AuditEntry>(
    ['operations', id, 'audit', filters],
    (cursor, options) => api.audit.list({ limit: 50, ...(filters as object), ...cursor }, options),
    may('audit:read'),
  )
}
