import { listReply, readPage } from '../../http/paging.ts'
import { ok, route, tagged } from '../../http/route.ts'
import { dataOf, listOf, PageQuery, strict } from '../../http/schema.ts'
import { existing, wrongState } from '../../lib/errors.ts'
import { Type } from '../../lib/type.ts'
import { getLead } from '../leads/leads.ts'
import { findAttachment } from './attachment-queries.ts'
import { downloadHeaders } from './attachments.ts'
import { ThreadMessage } from './schema.ts'
import { getThreadMessage, presentThreadMessage, readThread } from './thread.ts'

const base = '/v1/workspaces/:workspaceId/campaigns/:campaignId/leads/:leadId/thread'
/** Each may have two texts of 256 kB. */
const MOST_MESSAGES = 20

export const threadRoutes = tagged('Replies', [
  route('GET', base, {
    id: 'leads.listThread',
    summary: 'Get the messages sent to a lead and its replies',
    about:
      'Lists the complete messages as they were sent and received, oldest first. HTML is untrusted data: show it in a sandboxed frame that loads nothing. Our own pixel and tracked links are removed, so that reading a thread counts no open and no click.',
    scope: 'leads:read',
    query: strict({
      ...PageQuery,
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: MOST_MESSAGES, default: MOST_MESSAGES, description: 'How many to return.' }),
      ),
    }),
    replies: { 200: { about: 'A page of messages.', schema: listOf(ThreadMessage) } },
    async handle(request) {
      const { ctx, params } = request
      const lead = await getLead(ctx.db, params.workspaceId, params.campaignId, params.leadId)
      const page = readPage({ ...request, query: { ...request.query, limit: request.query.limit ?? MOST_MESSAGES } })
      const rows = await readThread(ctx, lead, page)
      return listReply(
        request,
        page,
        rows,
        row => ({ at: row.at, id: row.id }),
        row => presentThreadMessage(row, lead, ctx),
      )
    },
  }),

  route('GET', `${base}/:messageId`, {
    id: 'leads.getThreadMessage',
    summary: 'Get a message of a thread',
    scope: 'leads:read',
    replies: { 200: { about: 'The message.', schema: dataOf(ThreadMessage) } },
    async handle({ ctx, params }) {
      const lead = await getLead(ctx.db, params.workspaceId, params.campaignId, params.leadId)
      return ok({ data: presentThreadMessage(await getThreadMessage(ctx, lead, params.messageId), lead, ctx) })
    },
  }),

  route('GET', '/v1/workspaces/:workspaceId/replies/:replyId/attachments/:attachmentId', {
    id: 'replies.downloadAttachment',
    summary: 'Download an attachment of a reply',
    about:
      'Returns the attachment unchanged, as a download. The content type is always `application/octet-stream`, regardless of the type that the sender stated, and the file name is made harmless. The service does not scan attachments for viruses.',
    scope: 'leads:read',
    replies: { 200: { about: 'The file.', contentType: 'application/octet-stream', headers: ['content-disposition'] } },
    errors: ['invalid_state'],
    async handle({ ctx, params }) {
      const found = existing(await findAttachment(ctx.db, params), 'attachment')
      const { filename, content } = found
      if (content === null)
        throw wrongState('The attachment was too large to be kept. The mailbox still has the message.', 'not_kept', 'kept')
      return { status: 200, body: content, headers: downloadHeaders(filename, content.length) }
    },
  }),
])
