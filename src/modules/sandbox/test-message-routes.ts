import { hasScope, insufficientScope } from '../../http/access.ts'
import { tagged } from '../../http/route.ts'
import { strict, Uuid } from '../../http/schema.ts'
import { Type } from '../../lib/type.ts'
import { accept, acceptedRoute } from '../../operations/writes.ts'
import { checkTestMessage, requireRoomForTest } from './test-message.ts'

export const testMessageRoutes = tagged('Sending', [
  acceptedRoute('POST', '/v1/workspaces/:workspaceId/campaigns/:campaignId/sequence/test', {
    id: 'sequences.sendTest',
    summary: 'Send a step to yourself',
    about:
      'Sends one step, as a lead would receive it, to your own address, at once, from the mailbox of the campaign, with `[Test]` before the subject. Nothing is tracked or counted, and no lead changes. A workspace can send 20 test messages per hour and 60 per day. Using the data of a lead needs the scope `leads:read`; without it, the message uses an invented person.',
    scope: 'campaigns:write',
    action: 'campaign.send_test',
    body: strict({
      to: Type.String({
        minLength: 3,
        maxLength: 254,
        description: 'The recipient. A suppressed address is refused.',
        examples: ['you@example.com'],
      }),
      step: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 19, description: 'The number of the step, counted from 0. Defaults to the first step.' }),
      ),
      leadId: Type.Optional({
        ...Uuid,
        description: 'The lead whose variables are used. Defaults to the first lead, or to an invented one.',
      }),
      variantId: Type.Optional(Uuid),
    }),
    errors: ['invalid_state', 'token_budget_exceeded'],
    handle(request) {
      const { ctx, params, caller } = request
      const mayReadLeads = hasScope(caller, 'leads:read')
      if (request.body.leadId !== undefined && !mayReadLeads) throw insufficientScope('leads:read')
      const { to, step = 0, ...named } = request.body
      const input = { campaignId: params.campaignId, to: to.trim(), step, ...named, mayReadLeads }
      return accept(request, {
        input,
        check: async () => void (await checkTestMessage(ctx, params.workspaceId, input)),
        reserve: tx => requireRoomForTest(tx, params.workspaceId),
      })
    },
  }),
])
