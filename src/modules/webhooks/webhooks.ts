import type { HasLink } from '../../context/context.ts'
import type { Db, Deferred, Tx } from '../../db/sql.ts'
import { type Caller, hasScope } from '../../http/access.ts'
import { jittered } from '../../lib/backoff.ts'
import { AppError, checkLimit, existing, invalid, notFound, wrongState } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { pick } from '../../lib/pick.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../lib/time.ts'
import { newWebhookSecret } from '../../lib/webhook-signature.ts'
import { checkKept, checkKeptSince, recordEvent } from '../events/events.ts'
import type { DeliveryJob, DeliveryRow, EndpointRow } from './queries.ts'
import * as queries from './queries.ts'
import { ALL_EVENTS, type NewWebhookEndpoint, type WebhookEndpointPatch } from './schema.ts'

const OVERLAP_SECONDS = 24 * 60 * 60

export const getEndpoint = async (db: Db, workspaceId: string, id: string): Promise<EndpointRow> =>
  existing(await queries.findEndpoint(db, workspaceId, id), 'webhook endpoint')

export const getLockedEndpoint = async (tx: Tx, workspaceId: string, id: string): Promise<EndpointRow> =>
  existing(await queries.lockEndpoint(tx, workspaceId, id), 'webhook endpoint')

export function checkSubscription(events: readonly string[] | undefined): void {
  if (events && events.length > 1 && events.includes(ALL_EVENTS)) {
    throw invalid('body', '/events', 'all_events', '"*" means every type and must be the only entry')
  }
}

export async function createEndpoint(
  tx: Tx,
  secrets: SecretBox,
  workspaceId: string,
  input: NewWebhookEndpoint,
  by: EndpointAuthor & { maxEndpoints: number },
  now: Date,
): Promise<{ endpoint: EndpointRow; secret: string }> {
  checkLimit('webhook endpoints in this workspace', by.maxEndpoints, await queries.countEndpointsLocked(tx, workspaceId))
  const id = newId()
  const secret = newWebhookSecret()
  const endpoint = await queries.insertEndpoint(tx, {
    id,
    workspaceId,
    url: input.url,
    events: input.events,
    description: input.description ?? null,
    secret: sealSecret(secrets, id, secret),
    createdAt: now,
  })
  await queries.setSeesDownloads(tx, endpoint.id, by.seesDownloads)
  return { endpoint, secret }
}

/** The caller that sets the URL of an endpoint. Data that this caller may not see is not sent there. */
interface EndpointAuthor {
  seesDownloads: boolean
}

/**
 * Events until now belong to the endpoint as it was, so they are turned into deliveries first; events while an endpoint
 * is not active are not delivered to it.
 */
export async function changeEndpoint(tx: Tx, workspaceId: string, id: string, patch: WebhookEndpointPatch, by: EndpointAuthor, now: Date) {
  const current = await getLockedEndpoint(tx, workspaceId, id)
  if (current.status === 'active') await queries.fanOutTo(tx, id)
  tx.wake('deliveries')
  if (patch.url !== undefined && patch.url !== current.url) await queries.setSeesDownloads(tx, id, by.seesDownloads)
  return queries.updateEndpoint(tx, { ...current, ...patch, updatedAt: now })
}

export async function removeEndpoint(tx: Tx, workspaceId: string, id: string): Promise<void> {
  if (!(await queries.deleteEndpoint(tx, workspaceId, id))) throw notFound('webhook endpoint')
}

export async function rotateSecret(
  tx: Tx,
  secrets: SecretBox,
  workspaceId: string,
  id: string,
  now: Date,
  overlapSeconds = OVERLAP_SECONDS,
) {
  await getLockedEndpoint(tx, workspaceId, id)
  const secret = newWebhookSecret()
  const endpoint = await queries.rotateEndpointSecret(tx, id, sealSecret(secrets, id, secret), overlapSeconds, now)
  return { endpoint, secret }
}

/** The previous secret was the current one before, so both are sealed for the same place. */
const placeOf = (endpointId: string): string => `webhook_endpoints/${endpointId}/secret`

const sealSecret = (secrets: SecretBox, endpointId: string, secret: string): Buffer => secrets.seal('webhook', secret, placeOf(endpointId))

export const openSecret = (secrets: SecretBox, endpointId: string, sealed: Buffer): string =>
  secrets.open('webhook', sealed, placeOf(endpointId))

const endpointLink = (ctx: HasLink, endpoint: { workspaceId: string; id: string }): string =>
  ctx.link(`/v1/workspaces/${endpoint.workspaceId}/webhooks/${endpoint.id}`)

/** Secrets of receivers stand in the user info, in the query or, most often, in the path. */
function maskedUrl(text: string): string {
  const { protocol, host, pathname, search } = new URL(text)
  return `${protocol}//${host}/${pathname + search === '/' ? '' : '***'}`
}

/** Callers who cannot change an endpoint do not see what its URL may hold back. */
export function presentEndpoint(row: EndpointRow, ctx: HasLink, caller: Pick<Caller, 'scopes'>) {
  return {
    url: hasScope(caller, 'webhooks:write') ? row.url : maskedUrl(row.url),
    ...pick(row, 'id', 'workspaceId', 'events', 'description', 'status', 'disabledReason', 'createdAt', 'updatedAt'),
    links: { self: endpointLink(ctx, row) },
  }
}

/** The delay after the n-th failure; after the last of these, there is one more attempt. */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
]
const MAX_RETRY_AFTER_MS = 24 * HOUR_MS

/** The failure of an attempt whose event was deleted: nothing was sent, and nothing will be. */
export const EVENT_EXPIRED = 'event_expired'

/** The outcome of one attempt: a response, or the reason why there was none. */
export type Attempt = { responseStatus: number; retryAfter: string | null } | { failure: string }

interface Conclusion {
  status: 'succeeded' | 'failed'
  responseStatus: number | null
  error: string | null
  /** Null: there is no next attempt. */
  retryInMs: number | null
  /** The receiver answered that it is permanently gone. */
  gone: boolean
}

export function concludeAttempt(
  attempt: number,
  outcome: Attempt,
  now: Date,
  delaysMs: readonly number[] = RETRY_DELAYS_MS,
  random: () => number = Math.random,
): Conclusion {
  const responseStatus = 'failure' in outcome ? null : outcome.responseStatus
  if (responseStatus !== null && responseStatus >= 200 && responseStatus < 300) {
    return { status: 'succeeded', responseStatus, error: null, retryInMs: null, gone: false }
  }
  const gone = responseStatus === 410
  const error = 'failure' in outcome ? outcome.failure : errorOfStatus(outcome.responseStatus)
  const delayMs = delaysMs[attempt - 1]
  if (gone || delayMs === undefined || error === EVENT_EXPIRED) return { status: 'failed', responseStatus, error, retryInMs: null, gone }
  // A receiver can request a longer delay, never a shorter one: an overloaded one that always requests "in a second" would
  // otherwise use up all attempts within seconds and lose the event.
  const askedMs = 'failure' in outcome ? 0 : parseRetryAfter(outcome.retryAfter, now)
  return { status: 'failed', responseStatus, error, retryInMs: Math.max(jittered(delayMs, random), askedMs), gone }
}

function errorOfStatus(status: number): string {
  if (status === 410) return 'gone'
  return status >= 300 && status < 400 ? 'redirect' : 'status'
}

/** Seconds or a date, as HTTP defines it; anything else is ignored. */
export function parseRetryAfter(value: string | null, now: Date): number {
  if (value === null) return 0
  const text = value.trim()
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * SECOND_MS : /[a-z]{3}/i.test(text) ? Date.parse(text) - now.getTime() : 0
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS) : 0
}

/** The same bytes in every attempt, because they are made of nothing but the event. `overture listen` writes them in the same way. */
export function bodyOf(job: Pick<DeliveryJob, 'eventId' | 'eventType' | 'workspaceId' | 'eventSeq' | 'data'> & { timestamp: Date }) {
  const { eventId, eventType, timestamp, workspaceId, eventSeq, data } = job
  return JSON.stringify({
    id: eventId,
    type: eventType,
    timestamp: timestamp.toISOString(),
    workspaceId,
    seq: eventSeq,
    data,
  })
}

export const getDelivery = async (db: Db, endpoint: EndpointRow, id: string): Promise<DeliveryRow> =>
  existing(await queries.findDelivery(db, endpoint.id, id), 'delivery')

// Events get their numbers at the end of the transaction, and a delivery needs the number, so it is written right after.
const TEST_DELIVERIES: Deferred<DeliveryRow> = {
  async flush(tx, deliveries) {
    for (const delivery of deliveries) await queries.insertDeliveryOfEvent(tx, delivery)
    tx.wake('deliveries')
  },
}

/** An endpoint that is not active is sent nothing, so a request to send something must not seem to succeed. */
function checkDelivers({ status }: EndpointRow): void {
  if (status !== 'active') throw wrongState(`The webhook endpoint is ${status}. Activate it first.`, status, 'active')
}

/** An event for this endpoint only. */
export async function sendTestEvent(tx: Tx, endpoint: EndpointRow, now: Date): Promise<DeliveryRow> {
  checkDelivers(endpoint)
  const { workspaceId, id: endpointId } = endpoint
  const eventType = 'webhook.test'
  const eventId = recordEvent(tx, { workspaceId, type: eventType, timestamp: now, data: { endpointId } })
  const createdAt = await queries.readDatabaseTime(tx)
  const delivery: DeliveryRow = {
    id: newId(),
    workspaceId,
    endpointId,
    eventSeq: 0,
    eventId,
    eventType,
    attempt: 1,
    status: 'pending',
    responseStatus: null,
    error: null,
    durationMs: null,
    dueAt: createdAt,
    nextAttemptAt: null,
    createdAt,
  }
  tx.defer(TEST_DELIVERIES, delivery)
  return delivery
}

/** Makes a waiting attempt due now; when none is waiting, adds a new attempt after the given one. */
export async function retryDelivery(tx: Tx, endpoint: EndpointRow, id: string): Promise<{ row: DeliveryRow; isNew: boolean }> {
  const delivery = await getDelivery(tx, endpoint, id)
  await checkKept(tx, delivery.workspaceId, delivery.eventSeq)
  checkDelivers(endpoint)
  tx.wake('deliveries')
  const hastened = await queries.hastenDelivery(tx, endpoint.id, delivery.eventSeq)
  if (hastened) return { row: hastened, isNew: false }
  // Still pending and not waiting: it is being sent at this moment.
  if (delivery.status === 'pending') return { row: delivery, isNew: false }
  return { row: await queries.insertDeliveryAgain(tx, newId(), id), isNew: true }
}

/** Waiting deliveries count, too: otherwise replays that are requested faster than they are delivered would pile up. */
export async function replayEvents(tx: Tx, endpoint: EndpointRow, since: Date, until: Date | null, limit: number): Promise<number> {
  await checkKeptSince(tx, endpoint.workspaceId, since)
  checkDelivers(endpoint)
  const count = await queries.countReplayed(tx, endpoint.id, since, until, limit + 1)
  if (count > limit) {
    throw new AppError('limit_exceeded', `More than ${limit} events match. Replay them in parts, with until.`, { limit })
  }
  const pending = await queries.countPending(tx, endpoint.id, limit + 1)
  if (pending + count > limit) {
    throw new AppError('limit_exceeded', `${pending} deliveries to this endpoint are still pending. Replay again when they are done.`, {
      limit,
      current: pending,
    })
  }
  tx.wake('deliveries')
  return queries.insertReplayed(tx, endpoint.id, since, until)
}

export function presentDelivery(row: DeliveryRow, ctx: HasLink) {
  return {
    ...pick(row, 'id', 'workspaceId', 'endpointId', 'eventId', 'eventType', 'attempt', 'status', 'responseStatus', 'error', 'durationMs'),
    nextAttemptAt: row.status === 'pending' ? row.dueAt : row.nextAttemptAt,
    createdAt: row.createdAt,
    links: { self: `${endpointLink(ctx, { workspaceId: row.workspaceId, id: row.endpointId })}/deliveries/${row.id}` },
  }
}
