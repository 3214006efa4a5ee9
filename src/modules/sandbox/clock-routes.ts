import { hasScope, insufficientScope, scopesWithin } from '../../http/access.ts'
import { type ApiRequest, ok, route, tagged } from '../../http/route.ts'
import { dataOf } from '../../http/schema.ts'
import { AppError } from '../../lib/errors.ts'
import { accept, acceptedRoute } from '../../operations/writes.ts'
import { findHome } from '../workspaces/workspaces.ts'
import { describeClock, readTarget, requireAdvanceable } from './clock.ts'
import { AdvanceBody, ClockAdvance, SandboxClock } from './schema.ts'

const path = '/v1/sandbox/clock'

export const clockRoutes = tagged('Sandbox', [
  route('GET', path, {
    id: 'sandbox.getClock',
    summary: 'Get the test clock',
    about: 'Returns the time that campaigns use, how far it is ahead of real time, and whether you can advance it.',
    scope: 'campaigns:read',
    replies: { 200: { about: 'The clock.', schema: dataOf(SandboxClock) } },
    handle: async ({ ctx, caller }) =>
      ok({ data: { ...(await describeClock(ctx, (await findHome(ctx.db, caller))?.id ?? null)), links: { self: ctx.link(path) } } }),
  }),

  acceptedRoute('POST', path, {
    id: 'sandbox.advanceClock',
    summary: 'Advance the test clock',
    about:
      'Advances the time for all campaigns of a local installation whose mailboxes are all sandboxes. Messages, opens, replies and follow-ups happen in order, each at its own time. The result of the operation counts what happened in the workspace of the token; for a personal token, in the first workspace of its user. The clock cannot be set back.',
    scope: 'campaigns:write',
    action: 'sandbox.advance_clock',
    result: ClockAdvance,
    body: AdvanceBody,
    errors: ['invalid_state'],
    async handle(request) {
      const { ctx, body } = request
      const target = readTarget(body, ctx.clock.now())
      const workspaceId = await homeOf(request)
      const input = { target: target?.toISOString() ?? null }
      return accept({ ...request, params: { workspaceId } }, { input, check: () => requireAdvanceable(ctx) })
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
