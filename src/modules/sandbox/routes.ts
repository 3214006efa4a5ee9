import { listReply, readPage } from '../../http/paging.ts'
import { type Route, route } from '../../http/route.ts'
import { listOf, PageQuery, strict, Uuid } from '../../http/schema.ts'
import { getProvider } from '../mailboxes/mailboxes.ts'
import { listSandboxMessages, type SandboxMessageRow } from './queries.ts'
import { SandboxMessage } from './schema.ts'

export const sandboxRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/v1/workspaces/:workspaceId/providers/:providerId/sandbox-messages',
    id: 'listSandboxMessages',
    summary: 'Read the mail of a sandbox mailbox',
    about: 'What would have been sent, and what the made-up recipients answered.',
    tag: 'Providers',
    scope: 'providers:read',
    params: strict({ workspaceId: Uuid, providerId: Uuid }),
    query: strict(PageQuery),
    replies: { 200: { about: 'A page of messages, newest first.', schema: listOf(SandboxMessage) } },
    errors: ['invalid_cursor'],
    async handle(request) {
      const { ctx, params } = request
      await getProvider(ctx.db, params.workspaceId, params.providerId)
      const page = readPage(request)
      const rows = await listSandboxMessages(ctx.db, params.workspaceId, params.providerId, page)
      return listReply(request, page, rows, row => ({ at: row.createdAt, id: row.id }), presentSandboxMessage)
    },
  }),
]

function presentSandboxMessage(row: SandboxMessageRow) {
  const { id, providerId, campaignId, leadId, direction, fromAddress, toAddress, subject, text, html, raw } = row
  const content = { from: fromAddress, to: toAddress, subject, text, html, raw }
  return { id, providerId, campaignId, leadId, direction, ...content, createdAt: row.createdAt.toISOString() }
}
