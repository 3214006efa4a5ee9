import { hasScope, insufficientScope, scopesWithin } from '../../http/access.ts'
import { newestFirst } from '../../http/paging.ts'
import { type Route, route, tagged } from '../../http/route.ts'
import { listOf, oneOf, PageQuery, strict, Uuid } from '../../http/schema.ts'
import { notFound } from '../../lib/errors.ts'
import { Type } from '../../lib/type.ts'
import { registryOf } from '../../operations/registry.ts'
import { presentOperation } from './presenting.ts'
import { findOperation, findReach, listOperations } from './queries.ts'
import { OPERATION_STATUSES, Operation } from './schema.ts'

/** `actions`: the names of all actions, by which the list can be filtered. */
export const operationRoutes = (actions: readonly string[]): Route[] =>
  tagged('Operations', [
    route('GET', '/v1/operations/:operationId', {
      id: 'operations.get',
      summary: 'Get an operation',
      about:
        'Needs `operations:read`, or the scope that the action of the operation needs. The answer is 200 for a failed operation, too. The `downloadUrl` of an export is null for a token that has neither `leads:read` nor `leads:export`.',
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
        return { status: 200, body: presentOperation(row, ctx, caller), ...(isOpen ? { headers: { 'retry-after': '1' } } : {}) }
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
        return newestFirst(
          request,
          page => listOperations(ctx.db, params.workspaceId, query, page),
          row => presentOperation(row, ctx, caller),
        )
      },
    }),
  ])
