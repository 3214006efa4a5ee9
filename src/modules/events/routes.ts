import Type from 'typebox'
import type { Context } from '../../context/context.ts'
import { type Caller, withDownload } from '../../http/access.ts'
import { listReply, readPage } from '../../http/paging.ts'
import { ok, type Route, route } from '../../http/route.ts'
import { dataOf, listOf, oneOf, PageQuery, strict, Uuid } from '../../http/schema.ts'
import { notFound } from '../../lib/errors.ts'
import { EVENT_TYPES } from './events.ts'
import { type EventRow, findEvent, listEvents } from './queries.ts'
import { Event } from './schema.ts'

export const eventRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/v1/workspaces/:workspaceId/events',
    id: 'listEvents',
    summary: 'Read the event log',
    about:
      'Oldest first, the same events that webhooks get. To follow the log, keep the last `seq` that you have seen and ask for what comes `after` it. ' +
      'A `downloadUrl` is null for a token that has neither `leads:read` nor `leads:export`.',
    tag: 'Events',
    scope: 'events:read',
    params: strict({ workspaceId: Uuid }),
    query: strict({
      ...PageQuery,
      after: Type.Optional(Type.Integer({ minimum: 0, description: 'Only events with a higher `seq`.' })),
      type: Type.Optional(oneOf(EVENT_TYPES)),
    }),
    replies: { 200: { about: 'A page of events, oldest first.', schema: listOf(Event) } },
    errors: ['invalid_cursor'],
    async handle(request) {
      const { ctx, params, query, caller } = request
      const page = readPage(request, { after: query.after ?? 0 })
      const after = page.after ? Number(page.after.id) : (query.after ?? 0)
      const rows = await listEvents(ctx.db, params.workspaceId, after, query.type ? [query.type] : null, page.limit + 1)
      return listReply(
        request,
        page,
        rows,
        row => ({ at: row.timestamp, id: String(row.seq) }),
        row => presentEvent(row, ctx, caller),
      )
    },
  }),

  route({
    method: 'GET',
    path: '/v1/workspaces/:workspaceId/events/:eventId',
    id: 'getEvent',
    summary: 'Get an event',
    tag: 'Events',
    scope: 'events:read',
    params: strict({ workspaceId: Uuid, eventId: Uuid }),
    replies: { 200: { about: 'The event.', schema: dataOf(Event) } },
    async handle({ ctx, params, caller }) {
      const row = await findEvent(ctx.db, params.workspaceId, params.eventId)
      if (!row) throw notFound('event')
      return ok({ data: presentEvent(row, ctx, caller) })
    },
  }),
]

function presentEvent(row: EventRow, ctx: Pick<Context, 'link'>, caller: Caller) {
  return {
    id: row.id,
    seq: row.seq,
    type: row.type,
    timestamp: row.timestamp.toISOString(),
    workspaceId: row.workspaceId,
    data: withDownload(row.data, caller),
    links: { self: ctx.link(`/v1/workspaces/${row.workspaceId}/events/${row.id}`) },
  }
}
