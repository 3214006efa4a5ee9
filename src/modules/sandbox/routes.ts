import type { Context, HasSecrets } from '../../context/context.ts'
import { resetClock } from '../../context/test-clock.ts'
import { type Caller, hasScope, insufficientScope, scopesWithin } from '../../http/access.ts'
import { newestFirstReply } from '../../http/paging.ts'
import { type ApiRequest, noContent, ok, route, tagged } from '../../http/route.ts'
import { dataOf, IdResult, listOf, PageQuery, strict, Uuid } from '../../http/schema.ts'
import { AppError, existing } from '../../lib/errors.ts'
import { pick } from '../../lib/pick.ts'
import { Type } from '../../lib/type.ts'
import { withoutLoaders } from '../../mail/inbound/html.ts'
import { accept, acceptedRoute, perform, replayNothing, syncRoute } from '../../operations/writes.ts'
import { findLoad } from '../leads/cost.ts'
import { getProvider } from '../mailboxes/mailboxes.ts'
import { OwnLinkRemover } from '../sending/link-tokens.ts'
import { findHome } from '../workspaces/queries.ts'
import { findSandboxMessage, listSandboxMessages, type SandboxMessageRow } from './queries.ts'
import { checkTestMessage, requireRoomForTest } from './sandbox.ts'
import { AdvanceBody, ClockAdvance, SandboxClock, SandboxMessage } from './schema.ts'
import { describeClock, PATH, readTarget, requireAdvanceable, requireResettable } from './test-clock.ts'

export const sandboxRoutes = tagged('Providers', [
  route('GET', '/v1/workspaces/:workspaceId/providers/:providerId/sandbox-messages', {
    id: 'providers.listSandboxMessages',
    summary: 'Read the mail of a sandbox mailbox',
    about: 'Lists the messages that would have been sent, and the replies of the simulated recipients.',
    scope: 'leads:read',
    query: strict(PageQuery),
    replies: { 200: { about: 'A page of messages, newest first.', schema: listOf(SandboxMessage) } },
    async handle(request) {
      const { ctx, params, caller } = request
      await getProvider(ctx.db, params.workspaceId, params.providerId)
      return newestFirstReply(
        request,
        page => listSandboxMessages(ctx.db, params.workspaceId, params.providerId, page),
        row => presentSandboxMessage(row, ctx, caller),
      )
    },
  }),

  route('GET', '/v1/workspaces/:workspaceId/providers/:providerId/sandbox-messages/:messageId', {
    id: 'providers.getSandboxMessage',
    summary: 'Get a message of a sandbox mailbox',
    scope: 'leads:read',
    replies: { 200: { about: 'The message.', schema: dataOf(SandboxMessage) } },
    async handle({ ctx, params, caller }) {
      const row = existing(await findSandboxMessage(ctx.db, params.workspaceId, params.providerId, params.messageId), 'message')
      return ok({ data: presentSandboxMessage(row, ctx, caller) })
    },
  }),
])

/** The links work. Only a caller who may suppress people gets those that unsubscribe, and the encoded body, which includes them. */
function presentSandboxMessage(row: SandboxMessageRow, ctx: Pick<Context, 'link' | 'secrets'>, caller: Caller) {
  const { id, providerId, fromAddress, toAddress, subject } = row
  const { text, html, raw } = hasScope(caller, 'suppressions:write') ? row : withoutLinks(row, ctx)
  const content = { from: fromAddress, to: toAddress, subject, text, html: html && withoutLoaders(html), raw }
  const links = { self: ctx.link(`/v1/workspaces/${row.workspaceId}/providers/${providerId}/sandbox-messages/${id}`) }
  return { ...pick(row, 'id', 'providerId', 'campaignId', 'leadId', 'direction', 'createdAt'), ...content, links }
}

function withoutLinks({ text, html, raw }: SandboxMessageRow, { secrets }: HasSecrets) {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n') + 4)
  const ownLinks = new OwnLinkRemover(secrets)
  return {
    text: ownLinks.text(text),
    html: html && ownLinks.html(html),
    raw: ownLinks.text(head),
  }
}

export const clockRoutes = tagged('Sandbox', [
  route('GET', PATH, {
    id: 'sandbox.getClock',
    summary: 'Get the test clock',
    about: 'Returns the time that campaigns use, how far it is ahead of real time, and whether you can advance it.',
    scope: 'campaigns:read',
    replies: { 200: { about: 'The clock.', schema: dataOf(SandboxClock) } },
    handle: async ({ ctx, caller }) =>
      ok({ data: { ...(await describeClock(ctx, (await findHome(ctx.db, caller))?.id ?? null)), links: { self: ctx.link(PATH) } } }),
  }),

  acceptedRoute('POST', PATH, {
    id: 'sandbox.advanceClock',
    summary: 'Advance the test clock',
    about:
      'Advances the time for all campaigns of a local installation whose mailboxes are all sandboxes. Messages, opens, replies and follow-ups happen in order, each at its own time. The result of the operation counts what happened in the workspace of the token; for a personal token, in the first workspace of its user. The clock belongs to that workspace until it is reset, and no other workspace can advance it.',
    scope: 'campaigns:write',
    action: 'sandbox.advance_clock',
    cost: 'free',
    result: ClockAdvance,
    body: AdvanceBody,
    errors: ['invalid_state'],
    async handle(request) {
      const { ctx, body } = request
      const target = readTarget(body, ctx.clock.now())
      const workspaceId = await homeOf(request)
      const input = { target: target?.toISOString() ?? null }
      return accept({ ...request, params: { workspaceId } }, { input, check: () => requireAdvanceable(ctx, workspaceId) })
    },
  }),

  syncRoute('DELETE', PATH, {
    id: 'sandbox.resetClock',
    summary: 'Reset the test clock',
    about:
      'Sets the clock back to real time. Past events keep their times, and planned messages wait until their time comes. Connecting a real mailbox resets the clock, too.',
    scope: 'campaigns:write',
    action: 'sandbox.reset_clock',
    cost: 'free',
    result: IdResult,
    replies: { 204: { about: 'Reset.' } },
    errors: ['invalid_state'],
    async handle(request) {
      const { ctx } = request
      const workspaceId = await homeOf(request)
      await requireResettable(ctx, workspaceId)
      return perform({ ...request, params: { workspaceId } }, replayNothing, async tx => {
        await resetClock(tx)
        return { result: { id: workspaceId }, reply: noContent }
      })
    },
  }),
])

/** The request names no workspace, so the rights of the caller in their first one are checked here. */
async function homeOf({ ctx, caller }: Pick<ApiRequest, 'ctx' | 'caller'>): Promise<string> {
  const home = await findHome(ctx.db, caller)
  if (!home) throw new AppError('forbidden', 'The token cannot access any workspace.')
  if (!hasScope({ scopes: scopesWithin(caller.scopes, home.role) }, 'campaigns:write')) throw insufficientScope('campaigns:write')
  return home.id
}

export const testMessageRoutes = tagged('Sending', [
  acceptedRoute('POST', '/v1/workspaces/:workspaceId/campaigns/:campaignId/sequence/test', {
    id: 'sequences.sendTest',
    summary: 'Send a step to yourself',
    about:
      'Sends one step to your own address at once, as a lead would receive it, from the mailbox of the campaign. The subject starts with `[Test]`. Nothing is tracked or counted, and no lead changes. A workspace can send 20 test emails per hour and 60 per day. Using the data of a lead needs the scope `leads:read`; without it, the message uses an invented person.',
    scope: 'campaigns:write',
    action: 'campaign.send_test',
    alsoNeeds: ({ leadId }) => (leadId === undefined ? [] : ['leads:read']),
    cost: async (tx, request) => ({ mails: 1, isReal: (await findLoad(tx, request)).isReal }),
    body: strict({
      to: Type.String({
        minLength: 3,
        maxLength: 254,
        description: 'The recipient, in ASCII before the `@`. A suppressed address is refused.',
        examples: ['you@example.com'],
      }),
      step: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 19, description: 'The number of the step, counted from 0. Defaults to the first step.' }),
      ),
      leadId: Type.Optional({
        ...Uuid,
        description: 'The lead whose variables are used. Defaults to the first lead, or to an invented one.',
      }),
      variantId: Type.Optional(Uuid),
    }),
    errors: ['invalid_state', 'token_budget_exceeded'],
    handle(request) {
      const { ctx, params, caller } = request
      const mayReadLeads = hasScope(caller, 'leads:read')
      const { to, step = 0, ...named } = request.body
      const input = { campaignId: params.campaignId, to: to.trim(), step, ...named, mayReadLeads }
      return accept(request, {
        input,
        check: async () => void (await checkTestMessage(ctx, params.workspaceId, input)),
        reserve: tx => requireRoomForTest(tx, params.workspaceId),
      })
    },
  }),
])
