import type { Context } from '../../context/context.ts'
import { newestFirst } from '../../http/paging.ts'
import { ok, route, tagged } from '../../http/route.ts'
import { dataOf, listOf, PageQuery, strict } from '../../http/schema.ts'
import { existing } from '../../lib/errors.ts'
import { getProvider } from '../mailboxes/mailboxes.ts'
import { findSandboxMessage, listSandboxMessages, type SandboxMessageRow } from './queries.ts'
import { SandboxMessage } from './schema.ts'

export const sandboxRoutes = tagged('Providers', [
  route('GET', '/v1/workspaces/:workspaceId/providers/:providerId/sandbox-messages', {
    id: 'providers.listSandboxMessages',
    summary: 'Read the mail of a sandbox mailbox',
    about: 'Lists the messages that would have been sent, and the replies of the simulated recipients.',
    scope: 'providers:read',
    query: strict(PageQuery),
    replies: { 200: { about: 'A page of messages, newest first.', schema: listOf(SandboxMessage) } },
    async handle(request) {
      const { ctx, params } = request
      await getProvider(ctx.db, params.workspaceId, params.providerId)
      return newestFirst(request, page => listSandboxMessages(ctx.db, params.workspaceId, params.providerId, page), presentSandboxMessage)
    },
  }),

  route('GET', '/v1/workspaces/:workspaceId/providers/:providerId/sandbox-messages/:messageId', {
    id: 'providers.getSandboxMessage',
    summary: 'Get a message of a sandbox mailbox',
    scope: 'providers:read',
    replies: { 200: { about: 'The message.', schema: dataOf(SandboxMessage) } },
    async handle({ ctx, params }) {
      const row = existing(await findSandboxMessage(ctx.db, params.workspaceId, params.providerId, params.messageId), 'message')
      return ok({ data: presentSandboxMessage(row, ctx) })
    },
  }),
])

function presentSandboxMessage(row: SandboxMessageRow, ctx: Pick<Context, 'link'>) {
  const { id, providerId, campaignId, leadId, direction, fromAddress, toAddress, subject, text, html, raw } = row
  const content = { from: fromAddress, to: toAddress, subject, text, html, raw }
  const links = { self: ctx.link(`/v1/workspaces/${row.workspaceId}/providers/${providerId}/sandbox-messages/${id}`) }
  return { id, providerId, campaignId, leadId, direction, ...content, createdAt: row.createdAt.toISOString(), links }
}
