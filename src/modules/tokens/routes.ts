import type { Context, HasLink } from '../../context/context.ts'
import { mayGrant } from '../../http/access.ts'
import { newestFirstReply } from '../../http/paging.ts'
import { type ApiReply, type ApiRequest, created, ok, route, tagged } from '../../http/route.ts'
import { dataOf, IdResult, listOf, PageQuery, strict } from '../../http/schema.ts'
import { AppError, existing, invalid } from '../../lib/errors.ts'
import { pick } from '../../lib/pick.ts'
import type { Static } from '../../lib/type.ts'
import { perform, performRemoval, replayOf, syncRoute } from '../../operations/writes.ts'
import { findOwnedToken, findToken, listTokens, type Owner, type TokenRow } from './queries.ts'
import { IssuedToken, NewApiKeyBody, NewTokenBody, RotateBody, Token, TokenResult } from './schema.ts'
import { checkGrant, checkMayAdd, endOf, expiryOf, issueToken, narrowedLimits, revokeToken, rotateToken } from './tokens.ts'

const keys = '/v1/workspaces/:workspaceId/api-keys'
const ISSUED = {
  201: { about: 'The token. It is shown only in this response.', schema: dataOf(IssuedToken) },
  200: { about: 'A replay: everything except the token.', schema: dataOf(IssuedToken) },
}

export const tokenRoutes = tagged('Access', [
  route('GET', keys, {
    id: 'apiKeys.list',
    summary: 'List workspace keys',
    scope: 'tokens:read',
    query: strict(PageQuery),
    replies: { 200: { about: 'A page of keys, newest first.', schema: listOf(Token) } },
    async handle(request) {
      const { ctx, params } = request
      return newestFirstReply(request, page => listTokens(ctx.db, params, page, ctx.testClock.real.now()), presentToken)
    },
  }),

  syncRoute('POST', keys, {
    id: 'apiKeys.create',
    summary: 'Create a workspace key',
    about: 'The key has no more scopes than the token that creates it, and expires no later.',
    scope: 'tokens:write',
    action: 'api_key.create',
    cost: 'free',
    result: TokenResult,
    body: NewApiKeyBody,
    replies: ISSUED,
    errors: ['limit_exceeded'],
    handle: async request => create(request, { workspaceId: request.params.workspaceId }, request.body.scopes),
  }),

  route('GET', `${keys}/:apiKeyId`, {
    id: 'apiKeys.get',
    summary: 'Get a workspace key',
    scope: 'tokens:read',
    replies: { 200: { about: 'Everything except the token itself.', schema: dataOf(Token) } },
    handle: ({ ctx, params }) => show(ctx, { workspaceId: params.workspaceId }, params.apiKeyId),
  }),

  syncRoute('DELETE', `${keys}/:apiKeyId`, {
    id: 'apiKeys.revoke',
    summary: 'Revoke a workspace key',
    about:
      'Every process refuses the key from the next request on. Keys that it created are not revoked. You need all scopes of the key, unless your token created it.',
    scope: 'tokens:write',
    action: 'api_key.revoke',
    cost: 'free',
    result: IdResult,
    replies: { 204: { about: 'Revoked.' } },
    handle: request => revoke(request, { workspaceId: request.params.workspaceId }, request.params.apiKeyId),
  }),

  syncRoute('POST', `${keys}/:apiKeyId/rotate`, {
    id: 'apiKeys.rotate',
    summary: 'Replace a workspace key',
    about:
      'You need all scopes of the key. Both keys work until the overlap ends. The new key gets the lifetime of the old key. It expires no later than the later of the old key and the token of the request. Keys that the old key created work until they expire or are revoked.',
    scope: 'tokens:write',
    action: 'api_key.rotate',
    cost: 'free',
    result: TokenResult,
    body: RotateBody,
    replies: ISSUED,
    errors: ['limit_exceeded'],
    handle(request) {
      const { ctx, params, body, caller } = request
      return perform(request, replayIssued, async tx => {
        const { maxTokens } = ctx.config
        const owner = { workspaceId: params.workspaceId }
        const rotation = { owner, id: params.apiKeyId, overlapSeconds: body.overlapSeconds, maxTokens }
        return issued(request, await rotateToken(tx, caller, rotation, ctx.testClock.real.now()))
      })
    },
  }),

  route('GET', '/v1/tokens', {
    id: 'tokens.list',
    summary: 'List your personal tokens',
    scope: 'tokens:read',
    query: strict(PageQuery),
    replies: { 200: { about: 'A page of tokens, newest first.', schema: listOf(Token) } },
    async handle(request) {
      const owner = { userId: requireUser(request) }
      return newestFirstReply(request, page => listTokens(request.ctx.db, owner, page, request.ctx.testClock.real.now()), presentToken)
    },
  }),

  syncRoute('POST', '/v1/tokens', {
    id: 'tokens.create',
    summary: 'Create a personal token',
    about: 'When you send no scopes, the new token gets the scopes of the token that creates it. It expires no later than that token.',
    scope: 'tokens:write',
    action: 'token.create',
    cost: 'free',
    result: TokenResult,
    body: NewTokenBody,
    replies: ISSUED,
    errors: ['limit_exceeded'],
    async handle(request) {
      const { body, caller } = request
      return create(request, { userId: requireUser(request) }, body.scopes ?? [...caller.scopes].filter(scope => mayGrant(caller, scope)))
    },
  }),

  route('GET', '/v1/tokens/current', {
    id: 'tokens.getCurrent',
    summary: 'Get the token of this request',
    scope: 'token',
    replies: { 200: { about: 'The token.', schema: dataOf(Token) } },
    handle: async ({ ctx, caller }) => ok({ data: presentToken((await findToken(ctx.db, caller.tokenId))!, ctx) }),
  }),

  route('GET', '/v1/tokens/:tokenId', {
    id: 'tokens.get',
    summary: 'Get a personal token',
    scope: 'tokens:read',
    replies: { 200: { about: 'Everything except the token itself.', schema: dataOf(Token) } },
    handle: async request => show(request.ctx, { userId: requireUser(request) }, request.params.tokenId),
  }),

  syncRoute('DELETE', '/v1/tokens/:tokenId', {
    id: 'tokens.revoke',
    summary: 'Revoke a personal token',
    about: 'Tokens and keys that it created are not revoked. You need all scopes that the token has for you, unless your token created it.',
    scope: 'tokens:write',
    action: 'token.revoke',
    cost: 'free',
    result: IdResult,
    replies: { 204: { about: 'Revoked.' } },
    handle: async request => revoke(request, { userId: requireUser(request) }, request.params.tokenId),
  }),
])

async function show(ctx: Context, owner: Owner, id: string): Promise<ApiReply> {
  const row = existing(await findOwnedToken(ctx.db, owner, id, ctx.testClock.real.now()), 'token')
  return ok({ data: presentToken(row, ctx) })
}

/** Operations on personal tokens belong to no workspace; they are stored under the id of the user. */
const atHome = (request: ApiRequest, owner: Owner) => ({
  ...request,
  params: { workspaceId: 'workspaceId' in owner ? owner.workspaceId : owner.userId },
})

type CreateRequest = ApiRequest<unknown, unknown, Static<typeof NewTokenBody>>

function create(request: CreateRequest, owner: Owner, scopes: string[]): Promise<ApiReply> {
  const { ctx, body, caller } = request
  const isPersonal = 'userId' in owner
  checkGrant(caller, scopes)
  const limits = narrowedLimits(caller, body.limits)
  const now = ctx.testClock.real.now()
  if (isPersonal && body.expiresAt === null) throw invalid('body', '/expiresAt', 'required', 'a personal token must expire')
  const expiresAt = expiryOf(caller, readExpiry(body.expiresAt, now), now)
  const owned = isPersonal
    ? ({ kind: 'personal', userId: owner.userId, workspaceId: null } as const)
    : ({ kind: 'organization', userId: null, workspaceId: owner.workspaceId } as const)
  const token = { ...owned, name: body.name, scopes, expiresAt, limits, madeBy: caller.tokenId }
  return perform(atHome(request, owner), replayIssued, async tx => {
    await checkMayAdd(tx, caller, owner, scopes, ctx.config.maxTokens, now)
    return issued(request, await issueToken(tx, token, now))
  })
}

const revoke = (request: ApiRequest, owner: Owner, id: string): Promise<ApiReply> =>
  performRemoval(atHome(request, owner), id, tx => revokeToken(tx, request.caller, owner, id, request.ctx.testClock.real.now()))

function requireUser(request: Pick<ApiRequest, 'caller'>): string {
  if (request.caller.userId === null) throw new AppError('forbidden', 'Personal tokens can only be managed with a personal token.')
  return request.caller.userId
}

function readExpiry(text: string | null | undefined, now: Date): Date | null | undefined {
  if (text === null || text === undefined) return text
  const at = new Date(text)
  if (at <= now) throw invalid('body', '/expiresAt', 'future', 'must be in the future')
  return at
}

/** Everything of an issued token except the token itself is stored. */
function issued(request: Pick<ApiRequest, 'ctx'>, { row, token }: { row: TokenRow; token: string }) {
  const kept = presentToken(row, request.ctx)
  return { result: { token: { ...kept, token: null } }, reply: created({ ...kept, token }) }
}

const replayIssued = replayOf('token')

function presentToken(row: TokenRow, ctx: HasLink) {
  const links = { self: ctx.link(row.workspaceId ? `/v1/workspaces/${row.workspaceId}/api-keys/${row.id}` : `/v1/tokens/${row.id}`) }
  return { ...pick(row, 'id', 'kind', 'name', 'scopes', 'lastFour', 'limits', 'spentToday', 'createdAt'), expiresAt: endOf(row), links }
}
