import type { HasLink } from '../../context/context.ts'
import { listReply, readPage } from '../../http/paging.ts'
import { noContent, ok, route, tagged } from '../../http/route.ts'
import { dataOf, listOf, PageQuery, strict } from '../../http/schema.ts'
import { existing } from '../../lib/errors.ts'
import { perform, performShowing, replayNothing, syncRoute } from '../../operations/writes.ts'
import { findMember, listMembers, type MemberRow } from '../workspaces/queries.ts'
import { Member, MemberPatch, MemberResult, RemovedMember } from './schema.ts'
import { mayLeave, remove, setRole } from './team.ts'

const members = '/v1/workspaces/:workspaceId/members'

export const teamRoutes = tagged('Team', [
  route('GET', members, {
    id: 'team.list',
    summary: 'List the people of a workspace',
    scope: 'team:read',
    query: strict(PageQuery),
    replies: { 200: { about: 'A page of people, newest members first.', schema: listOf(Member) } },
    async handle(request) {
      const { ctx, params } = request
      const page = readPage(request)
      const rows = await listMembers(ctx.db, params.workspaceId, page)
      const present = (row: MemberRow) => presentMember(row, params.workspaceId, ctx)
      return listReply(request, page, rows, row => ({ at: row.joinedAt, id: row.userId }), present)
    },
  }),

  route('GET', `${members}/:userId`, {
    id: 'team.get',
    summary: 'Get a person of a workspace',
    scope: 'team:read',
    replies: { 200: { about: 'The person.', schema: dataOf(Member) } },
    async handle({ ctx, params }) {
      const row = existing(await findMember(ctx.db, params.workspaceId, params.userId), 'person')
      return ok({ data: presentMember(row, params.workspaceId, ctx) })
    },
  }),

  syncRoute('PATCH', `${members}/:userId`, {
    id: 'team.update',
    summary: 'Change the role of a person',
    about:
      'The new role applies from the next request on. You need the scopes of both roles, the old and the new. You therefore cannot give a role above your own, or change the role of a person above you. A workspace always keeps at least one owner. Open invitations that the person made end.',
    scope: 'team:write',
    action: 'team.update',
    cost: 'never',
    result: MemberResult,
    body: MemberPatch,
    replies: { 200: { about: 'The person.', schema: dataOf(Member) } },
    errors: ['invalid_state'],
    handle(request) {
      const { ctx, params, body, caller } = request
      const { workspaceId, userId } = params
      return performShowing(request, 'member', async tx =>
        presentMember(await setRole(tx, caller, workspaceId, userId, body.role), workspaceId, ctx),
      )
    },
  }),

  syncRoute('DELETE', `${members}/:userId`, {
    id: 'team.remove',
    summary: 'Remove a person from a workspace, or leave it',
    about:
      'From the next request on, the tokens, sessions and streams of the person cannot use the workspace. When the person is in no other workspace, all their tokens and sessions end. Workspace keys and webhook endpoints that they created keep working: review those, too. Every member may leave; removing another person needs `team:write`.',
    scope: 'team:write',
    exempts: (caller, { userId }) => mayLeave(caller, userId!),
    action: 'team.remove',
    cost: 'never',
    result: RemovedMember,
    replies: { 204: { about: 'Removed.' } },
    errors: ['invalid_state'],
    handle(request) {
      const { params, caller } = request
      const { workspaceId, userId } = params
      return perform(request, replayNothing, async tx => {
        await remove(tx, caller, workspaceId, userId)
        return { result: { userId }, reply: noContent }
      })
    },
  }),
])

export function presentMember(row: MemberRow, workspaceId: string, ctx: HasLink) {
  return {
    id: row.userId,
    user: { id: row.userId, name: row.name, email: row.email, isProved: row.isProved },
    role: row.role,
    joinedAt: row.joinedAt,
    links: { self: ctx.link(`/v1/workspaces/${workspaceId}/members/${row.userId}`) },
  }
}
