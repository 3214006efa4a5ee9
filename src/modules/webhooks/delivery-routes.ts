import { newestFirst } from '../../http/paging.ts'
import { created, ok, route } from '../../http/route.ts'
import { dataOf, listOf, oneOf, PageQuery, strict } from '../../http/schema.ts'
import { Type } from '../../lib/type.ts'
import { perform, replayOf } from '../../operations/writes.ts'
import { getDelivery, presentDelivery, retryDelivery } from './deliveries.ts'
import { listDeliveries } from './queries.ts'
import { DELIVERED, DELIVERY_STATUSES, Delivery, DeliveryResult } from './schema.ts'
import { getEndpoint, getLockedEndpoint } from './webhooks.ts'

const base = '/v1/workspaces/:workspaceId/webhooks/:webhookId/deliveries'

export const deliveryRoutes = [
  route('GET', base, {
    id: 'webhooks.listDeliveries',
    summary: 'List the deliveries of a webhook endpoint',
    about: 'Each attempt is a separate entry.',
    scope: 'webhooks:read',
    query: strict({ ...PageQuery, status: Type.Optional(oneOf(DELIVERY_STATUSES)) }),
    replies: { 200: { about: 'A page of deliveries, newest first.', schema: listOf(Delivery) } },
    async handle(request) {
      const { ctx, params, query } = request
      const endpoint = await getEndpoint(ctx.db, params.workspaceId, params.webhookId)
      return newestFirst(request, page => listDeliveries(ctx.db, endpoint.id, query.status, page), presentDelivery)
    },
  }),

  route('GET', `${base}/:deliveryId`, {
    id: 'webhooks.getDelivery',
    summary: 'Get a delivery',
    scope: 'webhooks:read',
    replies: { 200: { about: 'The delivery.', schema: dataOf(Delivery) } },
    async handle({ ctx, params }) {
      const endpoint = await getEndpoint(ctx.db, params.workspaceId, params.webhookId)
      return ok({ data: presentDelivery(await getDelivery(ctx.db, endpoint, params.deliveryId), ctx) })
    },
  }),

  route('POST', `${base}/:deliveryId/retry`, {
    id: 'webhooks.retryDelivery',
    summary: 'Send a delivery again',
    about:
      'Sends the delivery at once. A pending attempt is made now (200); otherwise a new attempt is created (201). The endpoint must be active.',
    scope: 'webhooks:write',
    write: 'sync',
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
]
