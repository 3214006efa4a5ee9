import type { Context } from '../../context/context.ts'
import type { Tx } from '../../db/sql.ts'
import { approvedKey } from '../../http/dispatch.ts'
import { listReply, newestFirstReply, readPage } from '../../http/paging.ts'
import { type ApiReply, noContent, ok, route, tagged } from '../../http/route.ts'
import { about, dataOf, IdResult, listOf, oneOf, PageQuery, strict, Uuid } from '../../http/schema.ts'
import { existing, wrongState } from '../../lib/errors.ts'
import { Type } from '../../lib/type.ts'
import { checkApproval } from '../../operations/registry.ts'
import { accept, acceptedRoute, perform, syncRoute } from '../../operations/writes.ts'
import { getLead } from '../leads/leads.ts'
import { getProvider } from '../mailboxes/mailboxes.ts'
import { OwnLinkRemover } from '../sending/link-tokens.ts'
import { answerCost, answerReply } from './answers.ts'
import { listComposers, noteComposer } from './composers.ts'
import { patchReply, presentReply } from './corrections.ts'
import { findReply, listReplies, type ReplyIds } from './inbox-queries.ts'
import { presentUnread } from './matching.ts'
import { findAttachment, findUnread, listUnread } from './queries.ts'
import { Composers, LISTED_KINDS, NewAnswerBody, Reply, ReplyPatchBody, ThreadMessage, UnreadMessage } from './schema.ts'
import { downloadHeaders, getThreadMessage, presentThreadMessage, readThread } from './thread.ts'

const base = '/v1/workspaces/:workspaceId/replies'

export const replyRoutes = tagged('Replies', [
  route('GET', base, {
    id: 'replies.list',
    summary: 'List replies',
    about: 'Lists the replies from the leads of all campaigns. Bounces are not included.',
    scope: 'leads:read',
    query: strict({
      ...PageQuery,
      campaignId: Type.Optional(Uuid),
      kind: Type.Optional(oneOf(LISTED_KINDS)),
      handled: Type.Optional(Type.Boolean()),
      needsLook: Type.Optional(Type.Boolean()),
      q: Type.Optional(
        Type.String({ minLength: 1, maxLength: 200, description: 'Part of the sender, the subject or the text. Case is ignored.' }),
      ),
    }),
    replies: { 200: { about: 'A page of replies, newest first.', schema: listOf(Reply) } },
    async handle(request) {
      const { ctx, params, query } = request
      const page = readPage(request)
      const rows = await listReplies(ctx.db, params.workspaceId, query, page)
      const ownLinks = new OwnLinkRemover(ctx.secrets)
      const present = (row: (typeof rows)[number]) => presentReply(row, ctx, ownLinks)
      return listReply(request, page, rows, row => ({ at: row.receivedAt, id: row.id }), present)
    },
  }),

  route('GET', `${base}/:replyId`, {
    id: 'replies.get',
    summary: 'Get a reply',
    scope: 'leads:read',
    replies: { 200: { about: 'The reply.', schema: dataOf(Reply) } },
    handle: ({ ctx, params }) => show(ctx, params),
  }),

  syncRoute('PATCH', `${base}/:replyId`, {
    id: 'replies.update',
    summary: 'Correct the kind of a reply, or mark it as handled',
    about:
      'A correction also changes the lead: `opt_out` unsubscribes the lead and suppresses the address, `positive` makes the lead interested and records `ai_sdr.positive_reply` once per lead. ' +
      'A reported meeting or deal stays, and a correction never removes a suppression. ' +
      'A correction also needs the scope `people:write`, because it is an outcome of the lead.',
    scope: 'leads:write',
    action: 'reply.update',
    cost: 'free',
    result: IdResult,
    body: ReplyPatchBody,
    alsoNeeds: ({ kind }) => (kind === undefined ? [] : ['people:write']),
    replies: { 200: { about: 'The reply.', schema: dataOf(Reply) } },
    handle(request) {
      const { ctx, params, body, caller } = request
      // The text is stored only with the message, where it can be erased; a repeated request reads it from there.
      const replay = () => show(ctx, params)
      return perform(request, replay, async tx => {
        const row = await patchReply(ctx, tx, params, body, caller.tokenId, ctx.clock.now())
        return { result: { id: row.id }, reply: ok({ data: presentReply(row, ctx) }) }
      })
    },
  }),

  route('POST', `${base}/:replyId/composing`, {
    id: 'replies.noteComposing',
    summary: 'Say that you are writing an answer',
    about:
      'Shows your team that you are writing an answer to the reply. Send it again every 15 seconds while you write. It ends automatically after 45 seconds. It is only a hint, and nothing is stored.',
    scope: 'leads:write',
    replies: { 204: { about: 'Your team can see it.' } },
    async handle({ ctx, params, caller }) {
      existing(await findReply(ctx.db, params.workspaceId, params.replyId), 'reply')
      await noteComposer(ctx, params, caller.tokenId)
      return noContent
    },
  }),

  route('GET', `${base}/:replyId/composing`, {
    id: 'replies.listComposers',
    summary: 'List who is writing an answer',
    about: 'Lists the people and keys that are writing an answer to the reply now, including yourself.',
    scope: 'leads:read',
    replies: { 200: { about: 'The people and keys.', schema: Composers } },
    async handle({ ctx, params }) {
      existing(await findReply(ctx.db, params.workspaceId, params.replyId), 'reply')
      return ok({ data: listComposers(ctx, params) })
    },
  }),

  acceptedRoute('POST', `${base}/:replyId/answer`, {
    id: 'replies.answer',
    summary: 'Answer a reply',
    about:
      'Sends an answer at once, from the mailbox of the thread to the sender of the reply, without footer or tracking. The answer counts toward the daily cap of the mailbox and waits when the cap is reached (the `hold` of the message in the thread shows this). The sending window, the gap and the state of the campaign do not delay it. ' +
      'The operation succeeds when the answer has been sent. The reply is then marked as handled. Returns 409 if the person opted out or was suppressed after the reply. Also returns 409 if the reply was answered before and `again` is not true.',
    scope: 'leads:write',
    action: 'reply.answer',
    cost: answerCost,
    body: NewAnswerBody,
    errors: ['invalid_state', 'token_budget_exceeded'],
    async handle(request) {
      const { ctx, params, body, caller } = request
      const key = approvedKey()
      // The text is stored only with the message, where it can be erased, and not with the operation.
      const reserve = async (tx: Tx, id: string) => {
        // It can be sent from now on, so an approval is compared now and not when the operation runs.
        await checkApproval(tx, ctx, { ...params, id, key })
        await answerReply(ctx, tx, { ...params, operationId: id }, body, ctx.clock.now())
      }
      const accepted = await accept(request, { input: { replyId: params.replyId }, reserve })
      await noteComposer(ctx, params, caller.tokenId, true)
      return accepted
    },
  }),

  route('GET', '/v1/workspaces/:workspaceId/providers/:providerId/unread-messages', {
    id: 'providers.listUnreadMessages',
    summary: 'List messages of an inbox that could not be read',
    about:
      'Overture could not read these messages, stored the reason, and continued with the next message. The mailbox still contains them.',
    tag: 'Providers',
    scope: 'providers:read',
    query: strict(PageQuery),
    replies: { 200: { about: 'A page of messages, newest first.', schema: listOf(UnreadMessage) } },
    async handle(request) {
      const { ctx, params } = request
      await getProvider(ctx.db, params.workspaceId, params.providerId)
      return newestFirstReply(request, page => listUnread(ctx.db, params.workspaceId, params.providerId, page), presentUnread)
    },
  }),

  route('GET', '/v1/workspaces/:workspaceId/providers/:providerId/unread-messages/:unreadMessageId', {
    id: 'providers.getUnreadMessage',
    summary: 'Get a message of an inbox that could not be read',
    tag: 'Providers',
    scope: 'providers:read',
    replies: { 200: { about: 'The message.', schema: dataOf(UnreadMessage) } },
    async handle({ ctx, params }) {
      const row = existing(await findUnread(ctx.db, params.workspaceId, params.providerId, params.unreadMessageId), 'message')
      return ok({ data: presentUnread(row, ctx) })
    },
  }),
])

async function show(ctx: Context, { workspaceId, replyId }: ReplyIds): Promise<ApiReply> {
  return ok({ data: presentReply(existing(await findReply(ctx.db, workspaceId, replyId), 'reply'), ctx) })
}

const threadBase = '/v1/workspaces/:workspaceId/campaigns/:campaignId/leads/:leadId/thread'
const MOST_MESSAGES = 20

export const threadRoutes = tagged('Replies', [
  route('GET', threadBase, {
    id: 'leads.listThread',
    summary: 'Get the messages sent to a lead and its replies',
    about:
      'Lists the complete messages as they were sent and received, oldest first. A page has at most 20 messages, and fewer when their texts exceed 2 MiB together. HTML is untrusted data: show it in a sandboxed frame that loads nothing. Our own pixel, tracked links and unsubscribe links are removed, so that reading a thread counts no open and no click, and unsubscribes no one.',
    scope: 'leads:read',
    query: strict({
      ...PageQuery,
      limit: Type.Optional(about(Type.Integer({ minimum: 1, maximum: MOST_MESSAGES, default: MOST_MESSAGES }), 'How many to return.')),
    }),
    replies: { 200: { about: 'A page of messages.', schema: listOf(ThreadMessage) } },
    async handle(request) {
      const { ctx, params } = request
      const lead = await getLead(ctx.db, params.workspaceId, params.campaignId, params.leadId)
      const page = readPage({ ...request, query: { ...request.query, limit: request.query.limit ?? MOST_MESSAGES } })
      const { rows, most } = await readThread(ctx, lead, page)
      return listReply(
        request,
        { ...page, most },
        rows,
        row => ({ at: row.at, id: row.id }),
        row => presentThreadMessage(row, lead, ctx),
      )
    },
  }),

  route('GET', `${threadBase}/:messageId`, {
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
