import type { Tx } from '../../db/sql.ts'
import { newestFirstReply } from '../../http/paging.ts'
import { created, createdReplies, ok, route, tagged } from '../../http/route.ts'
import { dataOf, listOf, PageQuery, strict } from '../../http/schema.ts'
import { AppError, checkLimit, existing } from '../../lib/errors.ts'
import { Type } from '../../lib/type.ts'
import { performShowing, syncRoute } from '../../operations/writes.ts'
import { countWorkspacesLocked, findUser, findWorkspace, listWorkspaces, updateWorkspace } from './queries.ts'
import { NewWorkspace, Workspace, WorkspaceResult } from './schema.ts'
import { createWorkspace, presentWorkspace } from './workspaces.ts'

export const workspaceRoutes = tagged('Workspaces', [
  route('GET', '/v1/workspaces', {
    id: 'workspaces.list',
    summary: 'List the workspaces that the token can use',
    scope: 'workspaces:read',
    query: strict(PageQuery),
    replies: { 200: { about: 'A page of workspaces, newest first.', schema: listOf(Workspace) } },
    handle: request =>
      newestFirstReply(
        request,
        page => listWorkspaces(request.ctx.db, request.caller.workspaceId, request.caller.userId, page),
        presentWorkspace,
      ),
  }),

  syncRoute('POST', '/v1/workspaces', {
    id: 'workspaces.create',
    summary: 'Create a workspace',
    about:
      'Needs a personal token of a person who may create workspaces: the operator decides that. A workspace key belongs to one workspace.',
    scope: 'workspaces:write',
    action: 'workspace.create',
    cost: 'free',
    result: WorkspaceResult,
    body: NewWorkspace,
    replies: createdReplies('The workspace.', dataOf(Workspace)),
    errors: ['limit_exceeded'],
    async handle(request) {
      const { ctx, caller } = request
      const userId = caller.userId
      if (userId === null) throw new AppError('forbidden', 'Only a personal token can create workspaces.')
      if (!(await findUser(ctx.db, userId))?.createsWorkspaces)
        throw new AppError('forbidden', 'You are not allowed to create workspaces. Ask the operator of this installation.')
      const work = async (tx: Tx) => {
        checkLimit('workspaces of this user', ctx.config.maxWorkspaces, await countWorkspacesLocked(tx, userId))
        return presentWorkspace(await createWorkspace(tx, request.body.name, userId, ctx.clock.now()), ctx)
      }
      return performShowing({ ...request, params: { workspaceId: userId } }, 'workspace', work, created)
    },
  }),

  route('GET', '/v1/workspaces/:workspaceId', {
    id: 'workspaces.get',
    summary: 'Get a workspace',
    scope: 'workspaces:read',
    replies: { 200: { about: 'The workspace.', schema: dataOf(Workspace) } },
    async handle({ ctx, params }) {
      const row = existing(await findWorkspace(ctx.db, params.workspaceId), 'workspace')
      return ok({ data: presentWorkspace(row, ctx) })
    },
  }),

  syncRoute('PATCH', '/v1/workspaces/:workspaceId', {
    id: 'workspaces.update',
    summary: 'Rename a workspace',
    scope: 'workspaces:write',
    action: 'workspace.update',
    cost: 'free',
    result: WorkspaceResult,
    body: strict({ name: Type.Optional(NewWorkspace.properties.name) }),
    replies: { 200: { about: 'The workspace.', schema: dataOf(Workspace) } },
    handle(request) {
      const { ctx, params } = request
      return performShowing(request, 'workspace', async tx => {
        const current = existing(await findWorkspace(tx, params.workspaceId), 'workspace')
        const name = request.body.name?.trim() ?? current.name
        const row = name === current.name ? current : (await updateWorkspace(tx, params.workspaceId, name, ctx.clock.now()))!
        return presentWorkspace(row, ctx)
      })
    },
  }),
])
