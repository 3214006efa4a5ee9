import { listReply, readPage } from '../../http/paging.ts'
import { ok, type Route, route } from '../../http/route.ts'
import { dataOf, listOf, PageQuery, strict, Uuid } from '../../http/schema.ts'
import { notFound } from '../../lib/errors.ts'
import { getProvider } from '../mailboxes/mailboxes.ts'
import { UnreadMessage } from './schema.ts'
import { presentUnread } from './unread.ts'
import { findUnread, listUnread } from './unread-queries.ts'

export const replyRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/v1/workspaces/:workspaceId/providers/:providerId/unread-messages',
    id: 'listUnreadMessages',
    summary: 'List messages of an inbox that could not be read',
    about: 'Each was set aside alone, and the inbox was read on behind it. The mailbox still has the message.',
    tag: 'Providers',
    scope: 'providers:read',
    params: strict({ workspaceId: Uuid, providerId: Uuid }),
    query: strict(PageQuery),
    replies: { 200: { about: 'A page of messages, newest first.', schema: listOf(UnreadMessage) } },
    errors: ['invalid_cursor'],
    async handle(request) {
      const { ctx, params } = request
      await getProvider(ctx.db, params.workspaceId, params.providerId)
      const page = readPage(request)
      const rows = await listUnread(ctx.db, params.workspaceId, params.providerId, page)
      return listReply(request, page, rows, row => ({ at: row.createdAt, id: row.id }), presentUnread)
    },
  }),

  route({
    method: 'GET',
    path: '/v1/workspaces/:workspaceId/providers/:providerId/unread-messages/:unreadMessageId',
    id: 'getUnreadMessage',
    summary: 'Get a message of an inbox that could not be read',
    tag: 'Providers',
    scope: 'providers:read',
    params: strict({ workspaceId: Uuid, providerId: Uuid, unreadMessageId: Uuid }),
    replies: { 200: { about: 'The message.', schema: dataOf(UnreadMessage) } },
    async handle({ ctx, params }) {
      const row = await findUnread(ctx.db, params.workspaceId, params.providerId, params.unreadMessageId)
      if (!row) throw notFound('message')
      return ok({ data: presentUnread(row, ctx) })
    },
  }),
]
