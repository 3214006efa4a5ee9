import Type from 'typebox'
import { hasScope, insufficientScope } from '../../http/access.ts'
import { type Route, route } from '../../http/route.ts'
import { strict, Uuid } from '../../http/schema.ts'
import { ACCEPTED_REPLIES } from '../../operations/replies.ts'
import { accept } from '../../operations/writes.ts'
import { InCampaign } from '../campaigns/schema.ts'
import { checkTestMessage, requireRoomForTest } from './test-message.ts'

export const testMessageRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/v1/workspaces/:workspaceId/campaigns/:campaignId/sequence/test',
    id: 'sequences.sendTest',
    summary: 'Send a step to yourself',
    about:
      'Sends one step, as a lead would get it, to an address of yours: now, from the mailbox of the campaign, with `[Test]` in front of the subject. Nothing is tracked or counted, and no lead knows of it. A workspace may do so 20 times in an hour and 60 times in a day. Naming a lead, or seeing one, needs the scope `leads:read`; otherwise a made-up person is written to.',
    tag: 'Sending',
    scope: 'campaigns:write',
    write: 'accepted',
    action: 'campaign.send_test',
    params: InCampaign,
    body: strict({
      to: Type.String({ minLength: 3, maxLength: 254, description: 'Where it goes. A suppressed address is refused.' }),
      step: Type.Optional(Type.Integer({ minimum: 0, maximum: 19, description: 'Counted from 0. The first when left out.' })),
      leadId: Type.Optional({ ...Uuid, description: 'Whose variables are used. The first lead, or a made-up one, when left out.' }),
      variantId: Type.Optional(Uuid),
    }),
    replies: ACCEPTED_REPLIES,
    errors: ['idempotency_key_reused', 'invalid_state', 'token_budget_exceeded'],
    handle(request) {
      const { ctx, params, caller } = request
      const mayReadLeads = hasScope(caller, 'leads:read')
      if (request.body.leadId !== undefined && !mayReadLeads) throw insufficientScope('leads:read')
      const { to, step = 0, ...named } = request.body
      const input = { campaignId: params.campaignId, to: to.trim(), step, ...named, mayReadLeads }
      return accept(request, {
        action: 'campaign.send_test',
        input,
        check: async () => void (await checkTestMessage(ctx, ctx.db, params.workspaceId, input)),
        reserve: tx => requireRoomForTest(tx, params.workspaceId),
      })
    },
  }),
]
