import type { Context, HasLink } from '../../context/context.ts'
import type { Tx } from '../../db/sql.ts'
import { newestFirstReply } from '../../http/paging.ts'
import { created, ok, route, tagged } from '../../http/route.ts'
import { dataOf, IdResult, listOf, PageQuery, strict, Uuid } from '../../http/schema.ts'
import { existing } from '../../lib/errors.ts'
import { pick } from '../../lib/pick.ts'
import { perform, performRemoval, recordWithoutKey, replayOf, syncRoute } from '../../operations/writes.ts'
import { beginSession, setCookie } from '../tokens/sessions.ts'
import { findInvitation, type InvitationRow, listInvitations } from './queries.ts'
import { presentMember } from './routes.ts'
import {
  AcceptBody,
  Invitation,
  InvitationResult,
  IssuedInvitation,
  JoinBody,
  Joined,
  JoinResult,
  Member,
  NewInvitationBody,
} from './schema.ts'
import { type Accepted, acceptAs, acceptAsNew, invite, withdrawInvitation } from './team.ts'

const members = '/v1/workspaces/:workspaceId/members'
const invitations = `${members}/invitations`

export const invitationRoutes = tagged('Team', [
  syncRoute('POST', members, {
    id: 'team.invite',
    summary: 'Invite a person',
    about:
      'The person becomes a member when they accept. Returns a link that works once, for seven days. Send it to the person yourself. You can give a role only if you have all of its scopes. An earlier invitation to the same address ends, if you could have made it. All open invitations of a person or a token end when the person is removed or gets another role, or when the token is revoked.',
    scope: 'team:write',
    action: 'team.invite',
    cost: 'never',
    result: InvitationResult,
    body: NewInvitationBody,
    replies: {
      201: { about: 'The invitation with its code. The code is shown only in this response.', schema: dataOf(IssuedInvitation) },
      200: { about: 'A replay: everything except the code.', schema: dataOf(IssuedInvitation) },
    },
    errors: ['invalid_state', 'limit_exceeded'],
    handle(request) {
      const { ctx, params, body, caller } = request
      const { workspaceId } = params
      return perform(request, replayOf('invitation'), async tx => {
        const { row, code } = await invite(tx, caller, workspaceId, body)
        const invitation = presentInvitation(row, ctx)
        const issued = { ...invitation, code, url: ctx.link(`/join?code=${code}`) }
        return { result: { invitation: { ...invitation, code: null, url: null } }, reply: created(issued) }
      })
    },
  }),

  route('GET', invitations, {
    id: 'team.listInvitations',
    summary: 'List open invitations',
    scope: 'team:read',
    query: strict(PageQuery),
    replies: { 200: { about: 'A page of invitations, newest first.', schema: listOf(Invitation) } },
    handle: request =>
      newestFirstReply(request, page => listInvitations(request.ctx.db, request.params.workspaceId, page), presentInvitation),
  }),

  route('GET', `${invitations}/:invitationId`, {
    id: 'team.getInvitation',
    summary: 'Get an open invitation',
    scope: 'team:read',
    replies: { 200: { about: 'Everything except the code.', schema: dataOf(Invitation) } },
    async handle({ ctx, params }) {
      const row = existing(await findInvitation(ctx.db, params.workspaceId, params.invitationId), 'invitation')
      return ok({ data: presentInvitation(row, ctx) })
    },
  }),

  syncRoute('DELETE', `${invitations}/:invitationId`, {
    id: 'team.withdrawInvitation',
    summary: 'Withdraw an invitation',
    about: 'You need all scopes of its role. Only an owner can withdraw the invitation of an owner.',
    scope: 'team:write',
    action: 'team.withdraw_invitation',
    cost: 'never',
    result: IdResult,
    replies: { 204: { about: 'Withdrawn.' } },
    handle(request) {
      const { workspaceId, invitationId } = request.params
      return performRemoval(request, invitationId, tx => withdrawInvitation(tx, request.caller, workspaceId, invitationId))
    },
  }),

  route('POST', '/v1/invitations/accept', {
    id: 'team.acceptInvitation',
    action: 'team.join',
    cost: 'free',
    operationScope: 'team:write',
    result: JoinResult,
    summary: 'Accept an invitation as a new user',
    about:
      'Needs only the code. Returns a personal token and signs the person in. A person whose address is already known must use `team.join` instead, because the code does not prove their identity.',
    scope: 'public',
    signsIn: true,
    body: AcceptBody,
    replies: { 201: { about: 'Joined.', schema: dataOf(Joined), headers: ['set-cookie'] } },
    errors: ['invalid_state'],
    async handle(request) {
      const { ctx, body, userAgent } = request
      const { joined, session } = await ctx.db.inRequest(async tx => {
        const accepted = await acceptAsNew(tx, body.code, body.name.trim(), ctx.testClock.real.now())
        const member = await recordJoin(tx, ctx, accepted, accepted.tokenId)
        const { workspaceId } = accepted.invitation
        const session = await beginSession(tx, ctx.secrets, accepted.tokenId, userAgent)
        return { joined: { workspaceId, member, token: accepted.token, sessionKey: session.key }, session }
      })
      const headers = { 'set-cookie': setCookie(ctx, session.secret), location: joined.member.links.self }
      return { status: 201, body: { data: joined }, headers }
    },
  }),

  route('POST', '/v1/invitations/join', {
    id: 'team.join',
    action: 'team.join',
    cost: 'free',
    operationScope: 'team:write',
    result: JoinResult,
    summary: 'Accept an invitation as an existing user',
    about:
      'Needs a personal token or a session of the person whose address was invited. After that, all tokens of this person can use the workspace.',
    scope: 'token',
    body: JoinBody,
    replies: { 200: { about: 'Joined.', schema: dataOf(strict({ workspaceId: Uuid, member: Member })) } },
    errors: ['not_found', 'invalid_state'],
    async handle(request) {
      const { ctx, body, caller } = request
      const joined = await ctx.db.inRequest(async tx => {
        const accepted = await acceptAs(tx, caller, body.code, ctx.testClock.real.now())
        return { workspaceId: accepted.invitation.workspaceId, member: await recordJoin(tx, ctx, accepted, caller.tokenId) }
      })
      return ok({ data: joined })
    },
  }),
])

/** Records the operation, and returns the new member as it is shown. */
async function recordJoin(tx: Tx, ctx: Context, { invitation, member }: Accepted, tokenId: string) {
  const { workspaceId, id: invitationId } = invitation
  const shown = presentMember(member, workspaceId, ctx)
  await recordWithoutKey(tx, { workspaceId, action: 'team.join', tokenId }, { invitationId, member: shown })
  return shown
}

function presentInvitation(row: InvitationRow, ctx: HasLink) {
  const links = { self: ctx.link(`/v1/workspaces/${row.workspaceId}/members/invitations/${row.id}`) }
  return { ...pick(row, 'id', 'email', 'role', 'createdAt', 'expiresAt'), links }
}
