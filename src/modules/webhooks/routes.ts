import type { Context } from '../../context/context.ts'
import type { Tx } from '../../db/sql.ts'
import { seesDownloads } from '../../http/access.ts'
import { newestFirstReply } from '../../http/paging.ts'
import { type ApiReply, created, createdReplies, ok, route, tagged } from '../../http/route.ts'
import { dataOf, IdResult, listOf, oneOf, PageQuery, strict } from '../../http/schema.ts'
import { AppError, invalid } from '../../lib/errors.ts'
import { checkTarget, TargetRefused } from '../../lib/safe-fetch.ts'
import { parseDateTime } from '../../lib/time.ts'
import { Type } from '../../lib/type.ts'
import { isRepeated, perform, performRemoval, performShowing, replayOf, syncRoute } from '../../operations/writes.ts'
import { type EndpointRow, findEndpoint, listDeliveries, listEndpoints } from './queries.ts'
import {
  DELIVERED,
  DELIVERY_STATUSES,
  Delivery,
  DeliveryResult,
  NewWebhookEndpoint,
  Replay,
  ReplayResult,
  SecretRotation,
  WebhookEndpoint,
  WebhookEndpointPatch,
  WebhookEndpointWithSecret,
  WebhookResult,
} from './schema.ts'
import {
  changeEndpoint,
  checkSubscription,
  createEndpoint,
  getDelivery,
  getEndpoint,
  getLockedEndpoint,
  openSecret,
  presentDelivery,
  presentEndpoint,
  removeEndpoint,
  replayEvents,
  retryDelivery,
  rotateSecret,
  sendTestEvent,
} from './webhooks.ts'

const base = '/v1/workspaces/:workspaceId/webhooks'
const one = `${base}/:webhookId` as const
const deliveries = `${one}/deliveries` as const

export const webhookRoutes = tagged('Webhooks', [
  route('GET', base, {
    id: 'webhooks.list',
    summary: 'List webhook endpoints',
    scope: 'webhooks:read',
    query: strict(PageQuery),
    replies: { 200: { about: 'A page of endpoints, newest first.', schema: listOf(WebhookEndpoint) } },
    handle: request =>
      newestFirstReply(
        request,
        page => listEndpoints(request.ctx.db, request.params.workspaceId, page),
        row => presentEndpoint(row, request.ctx, request.caller),
      ),
  }),

  syncRoute('POST', base, {
    id: 'webhooks.create',
    summary: 'Create a webhook endpoint',
    about:
      'The endpoint gets the events that happen from now on. The response contains the secret that signs deliveries. The secret is not shown again. ' +
      'The `downloadUrl` in `lead_search.completed` is null for an endpoint whose `url` was set by a token with neither `leads:read` nor `leads:export`.',
    scope: 'webhooks:write',
    action: 'webhook.create',
    cost: 'free',
    result: WebhookResult,
    body: NewWebhookEndpoint,
    replies: createdReplies('The endpoint, with its secret.', dataOf(WebhookEndpointWithSecret)),
    errors: ['url_not_allowed', 'limit_exceeded'],
    async handle(request) {
      const { ctx, params, body } = request
      checkSubscription(body.events)
      if (!(await isRepeated(request))) await checkUrl(ctx, body.url)
      const by = { seesDownloads: seesDownloads(request.caller) }
      const replay = (result: unknown) => replaySecret(ctx, params.workspaceId, result)
      return perform(request, replay, async tx => {
        const limits = { maxEndpoints: ctx.config.maxWebhooks }
        const { endpoint, secret } = await createEndpoint(tx, ctx.secrets, params.workspaceId, body, { ...by, ...limits }, ctx.clock.now())
        const webhook = presentEndpoint(endpoint, ctx, request.caller)
        return { result: { webhook }, reply: created({ ...webhook, secret }) }
      })
    },
  }),

  route('GET', one, {
    id: 'webhooks.get',
    summary: 'Get a webhook endpoint',
    scope: 'webhooks:read',
    replies: { 200: { about: 'The endpoint.', schema: dataOf(WebhookEndpoint) } },
    handle: async ({ ctx, params, caller }) =>
      ok({ data: presentEndpoint(await getEndpoint(ctx.db, params.workspaceId, params.webhookId), ctx, caller) }),
  }),

  syncRoute('PATCH', one, {
    id: 'webhooks.update',
    summary: 'Update, pause or reactivate a webhook endpoint',
    about: 'Deliveries that were pending when the endpoint was paused or disabled continue when it is active again.',
    scope: 'webhooks:write',
    action: 'webhook.update',
    cost: 'free',
    result: WebhookResult,
    body: WebhookEndpointPatch,
    replies: { 200: { about: 'The endpoint.', schema: dataOf(WebhookEndpoint) } },
    errors: ['url_not_allowed'],
    async handle(request) {
      const { ctx, params, body } = request
      const { url } = body
      checkSubscription(body.events)
      if (url !== undefined && !(await isRepeated(request))) {
        await getEndpoint(ctx.db, params.workspaceId, params.webhookId)
        await checkUrl(ctx, url)
      }
      const by = { seesDownloads: seesDownloads(request.caller) }
      return performShowing(request, 'webhook', async tx =>
        presentEndpoint(await changeEndpoint(tx, params.workspaceId, params.webhookId, body, by, ctx.clock.now()), ctx, request.caller),
      )
    },
  }),

  syncRoute('DELETE', one, {
    id: 'webhooks.delete',
    summary: 'Delete a webhook endpoint and its deliveries',
    scope: 'webhooks:write',
    action: 'webhook.delete',
    cost: 'free',
    result: IdResult,
    replies: { 204: { about: 'Deleted.' } },
    handle(request) {
      const { workspaceId, webhookId } = request.params
      return performRemoval(request, webhookId, tx => removeEndpoint(tx, workspaceId, webhookId))
    },
  }),

  syncRoute('POST', `${one}/rotate-secret`, {
    id: 'webhooks.rotateSecret',
    summary: 'Give a webhook endpoint a new secret',
    about: 'Until the overlap ends, each delivery has two signatures: one made with the new secret and one made with the old secret.',
    scope: 'webhooks:write',
    action: 'webhook.rotate_secret',
    cost: 'free',
    result: WebhookResult,
    body: SecretRotation,
    replies: { 200: { about: 'The endpoint, with its new secret.', schema: dataOf(WebhookEndpointWithSecret) } },
    handle(request) {
      const { ctx, params, body } = request
      const replay = (result: unknown) => replaySecret(ctx, params.workspaceId, result)
      return perform(request, replay, async tx => {
        const rotated = await rotateSecret(tx, ctx.secrets, params.workspaceId, params.webhookId, ctx.clock.now(), body.overlapSeconds)
        const webhook = presentEndpoint(rotated.endpoint, ctx, request.caller)
        return { result: { webhook }, reply: ok({ data: { ...webhook, secret: rotated.secret } }) }
      })
    },
  }),

  syncRoute('POST', `${one}/test`, {
    id: 'webhooks.test',
    summary: 'Send a test event',
    about:
      'Records a `webhook.test` event and delivers it only to this endpoint, even when the endpoint does not subscribe to it. The endpoint must be active.',
    scope: 'webhooks:write',
    action: 'webhook.test',
    cost: 'free',
    result: DeliveryResult,
    body: strict({}),
    replies: DELIVERED,
    errors: ['invalid_state'],
    handle(request) {
      const { ctx, params } = request
      const work = async (tx: Tx) => {
        const endpoint = await getLockedEndpoint(tx, params.workspaceId, params.webhookId)
        return presentDelivery(await sendTestEvent(tx, endpoint, ctx.clock.now()), ctx)
      }
      return performShowing(request, 'delivery', work, created)
    },
  }),

  syncRoute('POST', `${one}/replay`, {
    id: 'webhooks.replay',
    summary: 'Replay the events of a period',
    about:
      'Delivers every event from `since` to `until` (default: now) that the endpoint subscribes to, including events that were delivered before. Receivers recognize repeated events by `webhook-id`. The endpoint must be active.',
    scope: 'webhooks:write',
    action: 'webhook.replay',
    cost: 'free',
    result: ReplayResult,
    body: Replay,
    replies: { 200: { about: 'The number of events to be delivered.', schema: dataOf(ReplayResult) } },
    errors: ['invalid_state', 'limit_exceeded', 'events_expired'],
    handle(request) {
      const { ctx, params, body } = request
      const since = parseDateTime(body.since)!
      const until = body.until === undefined ? null : parseDateTime(body.until)!
      if (until && until < since) throw invalid('body', '/until', 'order', 'must not be before since')
      const replay = (result: unknown) => ok({ data: result })
      return perform(request, replay, async tx => {
        const endpoint = await getLockedEndpoint(tx, params.workspaceId, params.webhookId)
        const result = { replayedCount: await replayEvents(tx, endpoint, since, until, ctx.config.maxReplayedEvents) }
        return { result, reply: ok({ data: result }) }
      })
    },
  }),

  route('GET', deliveries, {
    id: 'webhooks.listDeliveries',
    summary: 'List the deliveries of a webhook endpoint',
    about: 'Each attempt is a separate entry.',
    scope: 'webhooks:read',
    query: strict({ ...PageQuery, status: Type.Optional(oneOf(DELIVERY_STATUSES)) }),
    replies: { 200: { about: 'A page of deliveries, newest first.', schema: listOf(Delivery) } },
    async handle(request) {
      const { ctx, params, query } = request
      const endpoint = await getEndpoint(ctx.db, params.workspaceId, params.webhookId)
      return newestFirstReply(request, page => listDeliveries(ctx.db, endpoint.id, page, { status: query.status }), presentDelivery)
    },
  }),

  route('GET', `${deliveries}/:deliveryId`, {
    id: 'webhooks.getDelivery',
    summary: 'Get a delivery',
    scope: 'webhooks:read',
    replies: { 200: { about: 'The delivery.', schema: dataOf(Delivery) } },
    async handle({ ctx, params }) {
      const endpoint = await getEndpoint(ctx.db, params.workspaceId, params.webhookId)
      return ok({ data: presentDelivery(await getDelivery(ctx.db, endpoint, params.deliveryId), ctx) })
    },
  }),

  syncRoute('POST', `${deliveries}/:deliveryId/retry`, {
    id: 'webhooks.retryDelivery',
    summary: 'Send a delivery again',
    about:
      'Sends the delivery at once. A pending attempt is made now (200); otherwise a new attempt is created (201). The endpoint must be active.',
    scope: 'webhooks:write',
    action: 'webhook.retry_delivery',
    cost: 'free',
    result: DeliveryResult,
    body: strict({}),
    replies: {
      ...DELIVERED,
      200: {
        about: 'The pending attempt, which is made now; or a replay: the delivery as the first request returned it.',
        schema: dataOf(Delivery),
      },
    },
    errors: ['invalid_state', 'events_expired'],
    handle(request) {
      const { ctx, params } = request
      return perform(request, replayOf('delivery'), async tx => {
        const endpoint = await getLockedEndpoint(tx, params.workspaceId, params.webhookId)
        const { row, isNew } = await retryDelivery(tx, endpoint, params.deliveryId)
        const delivery = presentDelivery(row, ctx)
        return { result: { delivery }, reply: isNew ? created(delivery) : ok({ data: delivery }) }
      })
    },
  }),
])

/** Asks the name servers, so it must not happen inside a transaction. */
async function checkUrl(ctx: Context, url: string): Promise<void> {
  try {
    await checkTarget(url, { allowLocal: ctx.config.allowLocalTargets })
  } catch (error) {
    if (!(error instanceof TargetRefused)) throw error
    const issue = { in: 'body', path: '/url', rule: 'url_not_allowed', message: error.message }
    throw new AppError('url_not_allowed', `Events cannot be sent to this url: ${error.message}.`, { issues: [issue] })
  }
}

/** The secret is not stored with the operation: it is read from the endpoint again, if that still exists. */
async function replaySecret(ctx: Context, workspaceId: string, result: unknown): Promise<ApiReply> {
  const { webhook } = result as { webhook: { id: string } }
  const endpoint: EndpointRow | undefined = await findEndpoint(ctx.db, workspaceId, webhook.id)
  return ok({ data: { ...webhook, secret: endpoint ? openSecret(ctx.secrets, endpoint.id, endpoint.secret) : null } })
}
