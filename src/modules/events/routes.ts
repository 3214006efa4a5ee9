import { listReply, readPage } from '../../http/paging.ts'
import { ok, route, tagged } from '../../http/route.ts'
import { dataOf, listOf, Order, oneOf, PageQuery, strict, Uuid } from '../../http/schema.ts'
import { existing } from '../../lib/errors.ts'
import { Type } from '../../lib/type.ts'
import { EVENT_TYPES } from './data-schema.ts'
import { checkKeptAfter, presentEvent } from './events.ts'
import { type EventFilter, findEvent, listEvents } from './queries.ts'
import { Event } from './schema.ts'
import { openStream } from './stream.ts'

const After = Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Only events with a higher `seq`.' }))
const FILTERS = {
  type: Type.Optional(oneOf(EVENT_TYPES)),
  campaignId: Type.Optional(Uuid),
  leadId: Type.Optional(Uuid),
  variantId: Type.Optional({ ...Uuid, description: 'Only what happened to messages of this variant.' }),
  providerId: Type.Optional({ ...Uuid, description: 'Only what happened to messages of this mailbox, and to the mailbox itself.' }),
}

const readFilter = ({ type, campaignId, leadId, variantId, providerId }: EventFilter): EventFilter => ({
  type,
  campaignId: campaignId?.toLowerCase(),
  leadId: leadId?.toLowerCase(),
  variantId: variantId?.toLowerCase(),
  providerId: providerId?.toLowerCase(),
})

export const eventRoutes = tagged('Events', [
  route('GET', '/v1/workspaces/:workspaceId/events', {
    id: 'events.list',
    summary: 'Read the event log',
    about:
      'Lists events oldest first, or newest first with `order=desc`. Webhooks get the same events. To follow the log, store the last `seq` that you have seen and request the events `after` it. When the events after it are no longer kept, the endpoint returns 410 and states where to continue. ' +
      'A `downloadUrl` is null for a token that has neither `leads:read` nor `leads:export`.',
    scope: 'events:read',
    query: strict({ ...PageQuery, after: After, ...FILTERS, order: Order }),
    replies: { 200: { about: 'A page of events, oldest first by default.', schema: listOf(Event) } },
    errors: ['events_expired'],
    async handle(request) {
      const { ctx, params, query, caller } = request
      const { after = 0, order = 'asc' } = query
      const page = readPage(request, { after, order })
      const reached = page.after === null ? null : Number(page.after.id)
      const bounds = reached === null ? { after } : order === 'asc' ? { after: reached } : { after, before: reached }
      const rows = await listEvents(ctx.db, params.workspaceId, readFilter(query), { ...bounds, order, limit: page.limit + 1 })
      // Checked after the read: events that were deleted in the meantime are missing in the page.
      await checkKeptAfter(ctx.db, params.workspaceId, bounds.after)
      return listReply(
        request,
        page,
        rows,
        row => ({ at: row.timestamp, id: String(row.seq) }),
        row => presentEvent(row, ctx, caller),
      )
    },
  }),

  route('GET', '/v1/workspaces/:workspaceId/events/stream', {
    id: 'events.stream',
    summary: 'Follow the event log',
    about:
      'Server-sent events: `id` is the `seq`, `event` the type, `data` the event as in the list. The stream begins with the next event, or after the `seq` in `after` ' +
      'or `Last-Event-ID`. It ends when the client disconnects, the token expires or the server stops. A client that reconnects with the last id misses no event. If later events are no longer kept, the endpoint returns 410. ' +
      'The server sends a comment every 15 seconds to show that the stream is alive. The number of open streams of a person or a workspace key is limited.',
    scope: 'events:read',
    resumes: true,
    query: strict({ after: After, ...FILTERS }),
    replies: { 200: { about: 'The stream.', contentType: 'text/event-stream' } },
    errors: ['events_expired'],
    async handle({ ctx, params, query, caller, method, lastEventId }) {
      const headers = {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store, no-transform',
        // A proxy that buffers would delay events.
        'x-accel-buffering': 'no',
      }
      if (method === 'HEAD') return { status: 200, headers }
      // A returning client sends its original `?after=` again, so the header is newer.
      const after = lastEventId ?? query.after ?? null
      const body = await openStream(ctx, { workspaceId: params.workspaceId, caller, filter: readFilter(query), after })
      return { status: 200, body, headers }
    },
  }),

  route('GET', '/v1/workspaces/:workspaceId/events/:eventId', {
    id: 'events.get',
    summary: 'Get an event',
    scope: 'events:read',
    replies: { 200: { about: 'The event.', schema: dataOf(Event) } },
    async handle({ ctx, params, caller }) {
      const row = existing(await findEvent(ctx.db, params.workspaceId, params.eventId), 'event')
      return ok({ data: presentEvent(row, ctx, caller) })
    },
  }),
])
