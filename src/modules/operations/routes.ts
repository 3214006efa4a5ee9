import type { Context, HasLink } from '../../context/context.ts'
import { type Caller, hasScope, insufficientScope, scopesWithin, seesResultOf } from '../../http/access.ts'
import { newestFirstReply } from '../../http/paging.ts'
import { ok, type Route, route, tagged } from '../../http/route.ts'
import { DateTime, dataOf, listOf, oneOf, PageQuery, strict, Uuid } from '../../http/schema.ts'
import { existing, notFound } from '../../lib/errors.ts'
import { pick } from '../../lib/pick.ts'
import { firstFrom } from '../../lib/time.ts'
import { Type } from '../../lib/type.ts'
import { registryOf } from '../../operations/registry.ts'
import { presentActor } from '../tokens/tokens.ts'
import { presentOperation } from './operations.ts'
import { type AuditRow, findAuditEntry, findOperation, findReach, listAudit, listOperations, type ShownOperation } from './queries.ts'
import { AuditEntry, OPERATION_STATUSES, Operation } from './schema.ts'

/** `actions`: the names of all actions, by which the list can be filtered. */
export const operationRoutes = (actions: readonly string[]): Route[] =>
  tagged('Operations', [
    route('GET', '/v1/operations/:operationId', {
      id: 'operations.get',
      summary: 'Get an operation',
      about:
        'Needs `operations:read`, or the scope that the action of the operation needs. A failed operation also returns 200. The `downloadUrl` of an export is null for a token that has neither `leads:read` nor `leads:export`. The `result` is null for a token that has neither the scope of the action nor the one that reads the same, such as `leads:read` for `leads:write`. Results about webhooks need `webhooks:write`.',
      scope: 'operations:read',
      judgesScope: true,
      replies: { 200: { about: 'The operation.', schema: Operation, headers: ['retry-after'] } },
      async handle(request) {
        const { ctx, params } = request
        const row = await findOperation(ctx.db, params.operationId)
        const reach = row && (await findReach(ctx.db, request.caller.tokenId, row.workspaceId))
        if (!row || !reach) throw notFound('operation')
        // The path names no workspace, so the role in it is only known now.
        const caller = { ...request.caller, scopes: scopesWithin(request.caller.scopes, reach.role) }
        if (!hasScope(caller, 'operations:read') && !hasScope(caller, registryOf(ctx).actions.scopeOf(row.action)))
          throw insufficientScope('operations:read')
        const isOpen = row.status === 'queued' || row.status === 'running'
        return {
          status: 200,
          body: presentOperation(withResult(row, ctx, caller), ctx, caller),
          ...(isOpen ? { headers: { 'retry-after': '1' } } : {}),
        }
      },
    }),

    route('GET', '/v1/workspaces/:workspaceId/operations', {
      id: 'operations.list',
      summary: 'List operations',
      scope: 'operations:read',
      query: strict({
        ...PageQuery,
        status: Type.Optional(oneOf(OPERATION_STATUSES)),
        action: Type.Optional(oneOf(actions)),
        campaignId: Type.Optional(Uuid),
      }),
      replies: { 200: { about: 'A page of operations, newest first.', schema: listOf(Operation) } },
      async handle(request) {
        const { ctx, params, query, caller } = request
        return newestFirstReply(
          request,
          page => listOperations(ctx.db, params.workspaceId, query, page),
          row => presentOperation(withResult(row, ctx, caller), ctx, caller),
        )
      },
    }),
  ])

/** The result of an operation is what its own route shows. */
function withResult(row: ShownOperation, ctx: Pick<Context, 'part'>, caller: Caller): ShownOperation {
  return seesResultOf(caller, registryOf(ctx).actions.scopeOf(row.action)) ? row : { ...row, result: null }
}

const audit = '/v1/workspaces/:workspaceId/audit'

export const auditRoutes = tagged('Team', [
  route('GET', audit, {
    id: 'audit.list',
    summary: 'List the audit trail',
    about:
      'Lists every write in the workspace, and the sign-ins, sessions and personal tokens of its current members. Entries are kept as long as operations.',
    scope: 'audit:read',
    query: strict({
      ...PageQuery,
      actorId: Type.Optional({ ...Uuid, description: 'The id of a person or of a workspace key.' }),
      action: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
      createdFrom: Type.Optional(DateTime),
      createdTo: Type.Optional(DateTime),
    }),
    replies: { 200: { about: 'A page of entries, newest first.', schema: listOf(AuditEntry) } },
    async handle(request) {
      const { ctx, params, query } = request
      const { workspaceId } = params
      const createdFrom = query.createdFrom === undefined ? undefined : firstFrom(query.createdFrom)
      const createdTo = query.createdTo === undefined ? undefined : new Date(query.createdTo)
      const filter = { actorId: query.actorId?.toLowerCase(), action: query.action, createdFrom, createdTo }
      const present = (row: AuditRow) => presentAuditEntry(row, workspaceId, ctx)
      return newestFirstReply(request, page => listAudit(ctx.db, workspaceId, filter, page), present)
    },
  }),

  route('GET', `${audit}/:entryId`, {
    id: 'audit.get',
    summary: 'Get an entry of the audit trail',
    scope: 'audit:read',
    replies: { 200: { about: 'The entry.', schema: dataOf(AuditEntry) } },
    async handle({ ctx, params }) {
      const row = existing(await findAuditEntry(ctx.db, params.workspaceId, params.entryId), 'entry')
      return ok({ data: presentAuditEntry(row, params.workspaceId, ctx) })
    },
  }),
])

function presentAuditEntry(row: AuditRow, workspaceId: string, ctx: HasLink) {
  const links = { self: ctx.link(`/v1/workspaces/${workspaceId}/audit/${row.id}`) }
  return { ...pick(row, 'id', 'action', 'status', 'campaignId', 'createdAt'), actor: presentActor(row.actor), links }
}
