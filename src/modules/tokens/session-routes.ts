import type { HasLink } from '../../context/context.ts'
import type { Db } from '../../db/sql.ts'
import { type Caller, scopesWithin } from '../../http/access.ts'
import { newestFirstReply } from '../../http/paging.ts'
import { type ApiRequest, ok, route, tagged } from '../../http/route.ts'
import { dataOf, IdResult, listOf, PageQuery, strict } from '../../http/schema.ts'
import { AppError, existing, notFound } from '../../lib/errors.ts'
import { pick } from '../../lib/pick.ts'
import { performRemoval, recordWithoutKey, syncRoute } from '../../operations/writes.ts'
import { findToken } from './queries.ts'
import { Identity, Session, SignedIn, SignInBody } from './schema.ts'
import type { IdentityRow, SessionOwner, SessionRow } from './session-queries.ts'
import * as sessionQueries from './session-queries.ts'
import { beginSession, clearedCookie, redeemCode, setCookie } from './sessions.ts'
import { checkMayEnd, TOKENS_CHANGED } from './tokens.ts'

export const sessionRoutes = tagged('Access', [
  route('POST', '/v1/sessions', {
    id: 'sessions.create',
    summary: 'Sign in',
    about:
      'Exchanges a token in the `authorization` header, or the code of a sign-in link, for a session. It consists of a cookie that scripts cannot read, and a key that the page sends with each request. The session acts as the token: it has the same scopes and ends no later.',
    scope: 'public',
    signsIn: true,
    action: 'session.create',
    cost: 'free',
    operationScope: 'tokens:write',
    result: IdResult,
    body: SignInBody,
    replies: { 201: { about: 'Signed in.', schema: dataOf(SignedIn), headers: ['set-cookie'] } },
    async handle(request) {
      const { ctx, body, userAgent } = request
      const caller = request.caller as Caller | undefined
      const { code } = body
      if (code === undefined && !caller) {
        throw new AppError('unauthenticated', 'Send a token, or the code of a sign-in link.', null, { 'www-authenticate': 'Bearer' })
      }
      const { tokenId, session } = await ctx.db.inRequest(async tx => {
        const id = code === undefined ? caller!.tokenId : await redeemCode(tx, code)
        const begun = await beginSession(tx, ctx.secrets, id, userAgent)
        const { user, workspaces } = await sessionQueries.findIdentity(tx, id)
        const workspaceId = user?.id ?? workspaces[0]!.id
        await recordWithoutKey(tx, { workspaceId, action: 'session.create', tokenId: id }, { id: begun.id })
        return { tokenId: id, session: begun }
      })
      const data = { ...(await identify(ctx.db, ctx, tokenId, session.id)), sessionKey: session.key }
      const headers = { 'set-cookie': setCookie(ctx, session.secret), location: ctx.link(`/v1/sessions/${session.id}`) }
      return { status: 201, body: { data }, headers }
    },
  }),

  route('GET', '/v1/session', {
    id: 'sessions.getIdentity',
    summary: 'Get the user, the token and the workspaces of this request',
    about: 'Returns the token, its user, its scopes and its workspaces. With a session, it also returns when the session ends.',
    scope: 'token',
    replies: { 200: { about: 'The identity of the caller.', schema: dataOf(Identity) } },
    handle: async ({ ctx, caller }) => ok({ data: await identify(ctx.db, ctx, caller.tokenId, caller.sessionId) }),
  }),

  route('GET', '/v1/sessions', {
    id: 'sessions.list',
    summary: 'List your sessions',
    about: 'With a personal token: the sessions of all your tokens. With a workspace key: the sessions of this key.',
    scope: 'tokens:read',
    query: strict(PageQuery),
    replies: { 200: { about: 'A page of active sessions, newest first.', schema: listOf(Session) } },
    async handle(request) {
      const { ctx, caller } = request
      const present = (row: SessionRow) => presentSession(row, ctx, caller.sessionId)
      return newestFirstReply(request, page => sessionQueries.listSessions(ctx.db, ownerOf(caller), page), present)
    },
  }),

  route('GET', '/v1/sessions/:sessionId', {
    id: 'sessions.get',
    summary: 'Get a session',
    scope: 'tokens:read',
    replies: { 200: { about: 'The session.', schema: dataOf(Session) } },
    async handle({ ctx, caller, params }) {
      const row = existing(await sessionQueries.findSession(ctx.db, ownerOf(caller), params.sessionId), 'session')
      return ok({ data: presentSession(row, ctx, caller.sessionId) })
    },
  }),

  syncRoute('DELETE', '/v1/sessions/current', {
    id: 'sessions.signOut',
    summary: 'Sign out',
    about: 'Ends the session of this request and deletes its cookie.',
    scope: 'token',
    action: 'session.revoke',
    cost: 'free',
    operationScope: 'tokens:write',
    result: IdResult,
    replies: { 204: { about: 'Signed out.', headers: ['set-cookie'] } },
    errors: ['not_found'],
    async handle(request) {
      const { sessionId } = request.caller
      if (sessionId === null) throw new AppError('not_found', 'This request was made with a token, not with a session.')
      const reply = await revoke(request, sessionId)
      return { ...reply, headers: { ...reply.headers, 'set-cookie': clearedCookie(request.ctx) } }
    },
  }),

  syncRoute('DELETE', '/v1/sessions/:sessionId', {
    id: 'sessions.revoke',
    summary: 'End a session',
    about:
      'Every process refuses the session from the next request on. A token can end its own sessions, and those of tokens whose scopes it has.',
    scope: 'tokens:write',
    action: 'session.revoke',
    cost: 'free',
    result: IdResult,
    replies: { 204: { about: 'Ended.' } },
    handle: request => revoke(request, request.params.sessionId),
  }),
])

const ownerOf = ({ userId, tokenId }: Caller): SessionOwner => ({ userId, tokenId })

function revoke(request: ApiRequest, id: string) {
  const { caller } = request
  const workspaceId = (caller.userId ?? caller.workspaceId)!
  return performRemoval({ ...request, params: { workspaceId } }, id, async tx => {
    const { tokenId } = existing(await sessionQueries.findSession(tx, ownerOf(caller), id), 'session')
    if (id !== caller.sessionId) checkMayEnd(caller, (await findToken(tx, tokenId))!)
    if (!(await sessionQueries.endSession(tx, ownerOf(caller), id))) throw notFound('session')
    tx.wake(TOKENS_CHANGED)
  })
}

async function identify(db: Db, ctx: HasLink, tokenId: string, sessionId: string | null) {
  const row = await sessionQueries.findIdentity(db, tokenId)
  const session =
    sessionId === null ? undefined : await sessionQueries.findSession(db, { userId: row.user?.id ?? null, tokenId }, sessionId)
  return presentIdentity(row, session, ctx)
}

function presentIdentity(row: IdentityRow, session: SessionRow | undefined, ctx: HasLink) {
  return {
    token: { id: row.tokenId, kind: row.kind, name: row.tokenName },
    scopes: row.scopes,
    user: row.user && { id: row.user.id, name: row.user.name, email: row.user.email },
    workspaces: row.workspaces.map(({ id, name, role, lastEventSeq }) => {
      return { id, name, role, scopes: [...scopesWithin(row.scopes, role)], lastEventSeq }
    }),
    session: session ? presentSession(session, ctx, session.id) : null,
    expiresAt: session?.expiresAt ?? row.endsAt,
    links: { self: ctx.link('/v1/session') },
  }
}

function presentSession(row: SessionRow, ctx: HasLink, currentId: string | null) {
  return {
    ...pick(row, 'id', 'tokenId', 'tokenName', 'userAgent', 'createdAt', 'lastUsedAt', 'expiresAt'),
    isCurrent: row.id === currentId,
    links: { self: ctx.link(`/v1/sessions/${row.id}`) },
  }
}
