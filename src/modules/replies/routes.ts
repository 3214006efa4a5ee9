import { listReply, readPage } from '../../http/paging.ts'
import { type Route, route } from '../../http/route.ts'
import { listOf, PageQuery, strict, Uuid } from '../../http/schema.ts'
import { getProvider } from '../mailboxes/mailboxes.ts'
import { UnreadMessage } from './schema.ts'
import { presentUnread } from './unread.ts'
import { listUnread } from './unread-queries.ts'

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
]
