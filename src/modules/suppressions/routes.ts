import Type from 'typebox'
import type { Context } from '../../context/context.ts'
import { listReply, readPage } from '../../http/paging.ts'
import { noContent, ok, type Route, route } from '../../http/route.ts'
import { dataOf, listOf, oneOf, PageQuery, strict, Uuid } from '../../http/schema.ts'
import { isEmail } from '../../lib/email.ts'
import { invalid, notFound } from '../../lib/errors.ts'
import { perform } from '../../operations/writes.ts'
import { findSuppression, listSuppressions } from './queries.ts'
import { NewSuppression, Suppression } from './schema.ts'
import { hashValue, type SuppressionRow, suppress, unsuppress } from './suppressions.ts'

const base = '/v1/workspaces/:workspaceId/suppressions'

export const suppressionRoutes: Route[] = [
  route({
    method: 'GET',
    path: base,
    id: 'listSuppressions',
    summary: 'List suppressed addresses and domains',
    tag: 'Suppressions',
    scope: 'suppressions:read',
    params: strict({ workspaceId: Uuid }),
    query: strict({
      ...PageQuery,
      kind: Type.Optional(oneOf(['email', 'domain'])),
      value: Type.Optional(Type.String({ minLength: 3, maxLength: 254 })),
    }),
    replies: { 200: { about: 'A page of suppressions, newest first.', schema: listOf(Suppression) } },
    errors: ['invalid_cursor'],
    async handle(request) {
      const { ctx, params, query } = request
      const page = readPage(request)
      const hash = query.value === undefined ? undefined : hashValue(ctx.secrets, query.value)
      const rows = await listSuppressions(ctx.db, params.workspaceId, { kind: query.kind, hash }, page)
      return listReply(request, page, rows, row => ({ at: row.createdAt, id: row.id }), presentSuppression)
    },
  }),

  route({
    method: 'POST',
    path: base,
    id: 'createSuppression',
    summary: 'Suppress an address or a domain',
    about: 'Nobody there is written to again by this workspace, in any campaign.',
    tag: 'Suppressions',
    scope: 'suppressions:write',
    write: 'sync',
    params: strict({ workspaceId: Uuid }),
    body: NewSuppression,
    replies: {
      201: { about: 'Suppressed.', schema: dataOf(Suppression) },
      200: { about: 'The same request again.', schema: dataOf(Suppression) },
    },
    errors: ['idempotency_key_reused'],
    handle(request) {
      const { ctx, params, body } = request
      const domain = body.kind === 'domain' ? `x@${body.value}` : body.value
      if (!isEmail(domain))
        throw invalid(
          'body',
          '/value',
          'format',
          body.kind === 'email' ? 'must be an e-mail address' : 'must be a domain, like example.com',
        )
      const replay = (result: unknown) => ok({ data: (result as { suppression: unknown }).suppression })
      return perform(request, { action: 'suppression.create', workspaceId: params.workspaceId, replay }, async tx => {
        const row = await suppress(
          tx,
          ctx.secrets,
          params.workspaceId,
          { kind: body.kind, value: body.value, reason: body.reason ?? 'manual' },
          ctx.clock.now(),
        )
        const suppression = presentSuppression(row, ctx)
        return { result: { suppression }, reply: { status: 201, body: { data: suppression } } }
      })
    },
  }),

  route({
    method: 'GET',
    path: `${base}/:suppressionId`,
    id: 'getSuppression',
    summary: 'Get a suppression',
    tag: 'Suppressions',
    scope: 'suppressions:read',
    params: strict({ workspaceId: Uuid, suppressionId: Uuid }),
    replies: { 200: { about: 'The suppression.', schema: dataOf(Suppression) } },
    async handle({ ctx, params }) {
      const row = await findSuppression(ctx.db, params.workspaceId, params.suppressionId)
      if (!row) throw notFound('suppression')
      return ok({ data: presentSuppression(row, ctx) })
    },
  }),

  route({
    method: 'DELETE',
    path: `${base}/:suppressionId`,
    id: 'deleteSuppression',
    summary: 'Lift a suppression',
    tag: 'Suppressions',
    scope: 'suppressions:write',
    write: 'sync',
    params: strict({ workspaceId: Uuid, suppressionId: Uuid }),
    replies: { 204: { about: 'Lifted.' } },
    errors: ['idempotency_key_reused'],
    handle(request) {
      const { params } = request
      return perform(request, { action: 'suppression.delete', workspaceId: params.workspaceId, replay: () => noContent }, async tx => {
        await unsuppress(tx, params.workspaceId, params.suppressionId)
        return { result: { id: params.suppressionId }, reply: noContent }
      })
    },
  }),
]

function presentSuppression(row: SuppressionRow, ctx: Pick<Context, 'link'>) {
  return {
    id: row.id,
    workspaceId: row.workspaceId,
    kind: row.kind,
    value: row.value,
    reason: row.reason,
    createdAt: row.createdAt.toISOString(),
    links: { self: ctx.link(`/v1/workspaces/${row.workspaceId}/suppressions/${row.id}`) },
  }
}
