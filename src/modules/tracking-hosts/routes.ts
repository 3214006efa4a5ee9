import { noContent, ok, route, tagged } from '../../http/route.ts'
import { dataOf } from '../../http/schema.ts'
import { notFound } from '../../lib/errors.ts'
import { Type } from '../../lib/type.ts'
import { accept, acceptedRoute, perform, replayNothing } from '../../operations/writes.ts'
import { NewTrackingHost, TrackingHost, TrackingHostResult } from './schema.ts'
import { answerChallenge, CHALLENGE_PATH, findHost, getTrackingHost, readHost, removeHosts, requireFree } from './tracking-hosts.ts'

const path = '/v1/workspaces/:workspaceId/tracking-host'

export const trackingHostRoutes = tagged('Workspaces', [
  route('GET', path, {
    id: 'trackingHost.get',
    summary: 'Get the tracking host of a workspace',
    about: 'Returns the host of the links in messages. A workspace without a tracking host uses the address of the installation.',
    scope: 'workspaces:read',
    replies: { 200: { about: 'The tracking host.', schema: dataOf(TrackingHost) } },
    handle: async ({ ctx, params }) => ok({ data: await getTrackingHost(ctx, ctx.db, params.workspaceId) }),
  }),

  acceptedRoute('PUT', path, {
    id: 'trackingHost.set',
    summary: 'Set your own tracking host',
    about:
      'Stores the host and verifies it with an https request from outside: the host must lead to this installation. The operation succeeds in both cases; the `status` of its result is `verified`, or `pending` with a `reason`. The service checks a pending host again automatically and does not use it in links until it is verified. Until then, the previous host stays in use. To verify at once, send the same host again.',
    scope: 'workspaces:write',
    action: 'tracking_host.set',
    cost: 'free',
    body: NewTrackingHost,
    errors: ['invalid_state'],
    handle(request) {
      const { ctx, params } = request
      const host = readHost(request.body.host, ctx.config)
      return accept(request, {
        input: { host },
        check: () => requireFree(ctx.db, params.workspaceId, host, ctx.clock.now()),
      })
    },
  }),

  route('DELETE', path, {
    id: 'trackingHost.delete',
    summary: 'Remove the tracking host of a workspace',
    about:
      'New messages use the address of the installation in their links again. The links in sent messages keep working as long as the host leads to this installation.',
    scope: 'workspaces:write',
    write: 'sync',
    action: 'tracking_host.delete',
    cost: 'free',
    result: TrackingHostResult,
    replies: { 204: { about: 'Removed.' } },
    handle(request) {
      const { ctx, params } = request
      const { workspaceId } = params
      return perform(request, replayNothing, async tx => {
        await removeHosts(tx, workspaceId)
        return { result: { trackingHost: await getTrackingHost(ctx, tx, workspaceId) }, reply: noContent }
      })
    },
  }),

  route('GET', `${CHALLENGE_PATH}/:challenge`, {
    id: 'mailLinks.proveHost',
    summary: 'Prove that a tracking host leads to this installation',
    about: 'Returns a signature over the challenge and the host of the request. Only a host that a workspace has set gets a signature.',
    tag: 'Links in e-mails',
    scope: 'public',
    params: { challenge: Type.String({ description: 'Up to 64 characters.' }) },
    replies: { 200: { about: 'The signature.', contentType: 'text/plain' } },
    async handle({ ctx, params, host }) {
      if (params.challenge.length > 64 || !(await findHost(ctx.db, host))) throw notFound('tracking host')
      const body = answerChallenge(ctx.secrets, host, params.challenge)
      return { status: 200, body, headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' } }
    },
  }),
])
