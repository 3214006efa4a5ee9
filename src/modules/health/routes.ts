import { ok, route, tagged } from '../../http/route.ts'
import { dataOf, strict } from '../../http/schema.ts'
import { accept, acceptedRoute } from '../../operations/writes.ts'
import { trialCost } from '../mailboxes/mailboxes.ts'
import { getCheckedMailbox, getHealth, requireRoomForCheck } from './health.ts'
import { DomainHealth } from './schema.ts'

const path = '/v1/workspaces/:workspaceId/providers/:providerId/health'

export const healthRoutes = tagged('Providers', [
  route('GET', path, {
    id: 'providers.getHealth',
    summary: 'Get the health of the domain of a mailbox',
    about: 'Returns the result of the last check. Before the first check, the list is empty and `checkedAt` is null.',
    scope: 'providers:read',
    replies: { 200: { about: 'The health.', schema: dataOf(DomainHealth) } },
    handle: async ({ ctx, params }) => ok({ data: await getHealth(ctx, params.workspaceId, params.providerId) }),
  }),

  acceptedRoute('POST', `${path}/check`, {
    id: 'providers.checkHealth',
    summary: 'Check the health of the domain of a mailbox',
    about:
      'Looks up SPF, DMARC, MX, the name of the mail server and the host of the links in DNS. To check DKIM, it sends one message to another connected mailbox of the workspace that has an inbox. There, it reads the result that the server reports. The operation ends when the message has arrived, or after one minute. A workspace can run 60 checks per hour.',
    scope: 'providers:write',
    action: 'provider.check_health',
    cost: trialCost,
    body: strict({}),
    errors: ['invalid_state', 'token_budget_exceeded'],
    handle(request) {
      const { ctx, params } = request
      return accept(request, {
        input: { providerId: params.providerId },
        check: async () => void (await getCheckedMailbox(ctx.db, params.workspaceId, params.providerId)),
        reserve: tx => requireRoomForCheck(tx, params.workspaceId),
      })
    },
  }),
])
