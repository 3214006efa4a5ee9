import type { Tx } from '../../db/sql.ts'
import { newestFirstReply } from '../../http/paging.ts'
import { type ApiRequest, created, createdReplies, ok, type Route, route, tagged } from '../../http/route.ts'
import { dataOf, IdResult, listOf, PageQuery, strict } from '../../http/schema.ts'
import { Type } from '../../lib/type.ts'
import { accept, acceptedRoute, isRepeated, payLimits, performRemoval, performShowing, syncRoute } from '../../operations/writes.ts'
import { noteVerification } from './connection.ts'
import {
  type ChangeCost,
  changeProvider,
  checkMailboxLimit,
  checkProvider,
  createProvider,
  type FreeLeads,
  getProvider,
  newMailboxCost,
  presentProvider,
  removalCost,
  removeProvider,
  trialCost,
  updateCost,
} from './mailboxes.ts'
import { listProviders, type ProviderRow } from './queries.ts'
import { Discovery, NewProvider, Provider, ProviderPatch, ProviderResult, Verification, VerificationResult } from './schema.ts'
import { changedMeanwhile, discoverSettings, presentVerification, requireRoomForVerification, tryMailbox } from './verify.ts'

const base = '/v1/workspaces/:workspaceId/providers'

export const providerRoutes = (freeLeads: FreeLeads, mailsOf: ChangeCost): Route[] =>
  tagged('Providers', [
    route('GET', base, {
      id: 'providers.list',
      summary: 'List mailboxes',
      scope: 'providers:read',
      query: strict(PageQuery),
      replies: { 200: { about: 'A page of mailboxes, newest first.', schema: listOf(Provider) } },
      handle: request =>
        newestFirstReply(request, page => listProviders(request.ctx.db, request.params.workspaceId, page), presentProvider),
    }),

    syncRoute('POST', base, {
      id: 'providers.create',
      summary: 'Connect a mailbox',
      scope: 'providers:write',
      action: 'provider.create',
      cost: newMailboxCost,
      result: ProviderResult,
      body: NewProvider,
      replies: createdReplies('The mailbox.', dataOf(Provider)),
      errors: ['limit_exceeded', 'invalid_state', 'token_budget_exceeded'],
      handle(request) {
        const { ctx, params, body } = request
        checkProvider(body)
        const work = async (tx: Tx) => {
          await checkMailboxLimit(tx, params.workspaceId, ctx.config.maxMailboxes)
          return presentProvider(await createProvider(tx, ctx.secrets, params.workspaceId, body, ctx.clock.now()), ctx)
        }
        return performShowing(request, 'provider', work, created)
      },
    }),

    route('GET', `${base}/discover`, {
      id: 'providers.discover',
      summary: 'Find the mail servers of an address',
      about:
        'Looks for the mail settings of an address. The sources are presets of large hosting providers, the file and the records that its domain publishes, and the usual server names. ' +
        'The service tries each of them and lists the working settings first. Nothing is stored.',
      scope: 'providers:write',
      query: strict({ email: Type.String({ format: 'email', maxLength: 254 }) }),
      replies: { 200: { about: 'The settings that were found, best first.', schema: dataOf(Discovery) } },
      async handle({ ctx, params, query }) {
        const candidates = (await discoverSettings(ctx, query.email)).map(
          ({ smtp, imap, source, hoster, signIn, note, limits, works, problem }) => {
            return { source, hoster, settings: { smtp, imap }, signIn, note, limits, works, problem }
          },
        )
        const self = `/v1/workspaces/${params.workspaceId}/providers/discover?email=${encodeURIComponent(query.email)}`
        return ok({ data: { email: query.email, candidates, links: { self: ctx.link(self) } } })
      },
    }),

    route('GET', `${base}/:providerId`, {
      id: 'providers.get',
      summary: 'Get a mailbox',
      scope: 'providers:read',
      replies: { 200: { about: 'The mailbox.', schema: dataOf(Provider) } },
      handle: async ({ ctx, params }) =>
        ok({ data: presentProvider(await getProvider(ctx.db, params.workspaceId, params.providerId), ctx) }),
    }),

    syncRoute('PATCH', `${base}/:providerId`, {
      id: 'providers.update',
      summary: 'Update a mailbox',
      about: 'When you change servers or credentials, the mailbox becomes unverified. Verify it again.',
      scope: 'providers:write',
      action: 'provider.update',
      cost: updateCost(mailsOf),
      result: ProviderResult,
      body: ProviderPatch,
      replies: { 200: { about: 'The mailbox.', schema: dataOf(Provider) } },
      errors: ['token_budget_exceeded'],
      handle(request) {
        const { ctx, params, body } = request
        return performShowing(request, 'provider', async tx =>
          presentProvider(await changeProvider(tx, ctx.secrets, params.workspaceId, params.providerId, body, ctx.clock.now()), ctx),
        )
      },
    }),

    syncRoute('DELETE', `${base}/:providerId`, {
      id: 'providers.delete',
      summary: 'Remove a mailbox',
      scope: 'providers:write',
      action: 'provider.delete',
      cost: removalCost(mailsOf),
      result: IdResult,
      replies: { 204: { about: 'Removed.' } },
      errors: ['invalid_state', 'token_budget_exceeded'],
      handle(request) {
        const { workspaceId, providerId } = request.params
        return performRemoval(request, providerId, tx => removeProvider(tx, workspaceId, providerId, freeLeads, request.ctx.clock.now()))
      },
    }),

    syncRoute('POST', `${base}/:providerId/verify`, {
      id: 'providers.verify',
      summary: 'Verify a mailbox',
      about:
        'Connects to the mail servers and reports each stage: name resolution, connection, encryption, sign-in, a test email to the mailbox itself, and its inbox. When every stage passes, the mailbox becomes connected and the campaigns that stopped because of it continue. A workspace can start 120 verifications per hour.',
      scope: 'providers:write',
      action: 'provider.verify',
      cost: trialCost,
      result: VerificationResult,
      body: strict({}),
      replies: { 200: { about: 'The result of each stage.', schema: dataOf(Verification) } },
      errors: ['invalid_state', 'token_budget_exceeded'],
      async handle(request) {
        const { ctx, params } = request
        const found = await getProvider(ctx.db, params.workspaceId, params.providerId)
        // A repeated request sends no second test email.
        const verification = (await isRepeated(request)) ? null : await tryPaid(request, found)
        return performShowing({ ...request, cost: 'free' }, 'verification', async tx => {
          const row = verification && (await noteVerification(tx, found, verification, ctx.clock.now()))
          if (!row) throw changedMeanwhile(await getProvider(tx, params.workspaceId, params.providerId))
          return presentVerification(row, verification, ctx)
        })
      },
    }),

    acceptedRoute('POST', `${base}/:providerId/verifications`, {
      id: 'providers.startVerification',
      summary: 'Verify a mailbox as an operation',
      about:
        'Does the same as `verify`, but returns immediately. A workspace can start 120 verifications per hour. While the operation is running, its `progress` contains the stages that have ended and those that are being tried. The operation succeeds when every stage was tried: read `ok` in its result.',
      scope: 'providers:write',
      action: 'provider.verify',
      cost: trialCost,
      body: strict({}),
      errors: ['token_budget_exceeded'],
      handle(request) {
        const { ctx, params } = request
        return accept(request, {
          input: { providerId: params.providerId },
          check: async () => void (await getProvider(ctx.db, params.workspaceId, params.providerId)),
          reserve: tx => requireRoomForVerification(tx, params.workspaceId),
        })
      },
    }),
  ])

async function tryPaid(request: ApiRequest<{ workspaceId: string }>, mailbox: ProviderRow) {
  const { ctx, params } = request
  await ctx.db.inRequest(async tx => {
    await payLimits(tx, request)
    await requireRoomForVerification(tx, params.workspaceId)
  })
  return tryMailbox(ctx, mailbox, { testMessage: true })
}
