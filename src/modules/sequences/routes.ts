import { ok, route, tagged } from '../../http/route.ts'
import { dataOf, strict, Uuid } from '../../http/schema.ts'
import { accept, acceptedRoute } from '../../operations/writes.ts'
import { campaignLink, getCampaign } from '../campaigns/campaigns.ts'
import { NewSequence, Sequence } from './schema.ts'
import { checkSequence, checkSource, EDITABLE, readSequence } from './sequences.ts'

const path = '/v1/workspaces/:workspaceId/campaigns/:campaignId/sequence'

export const sequenceRoutes = tagged('Sequences', [
  route('GET', path, {
    id: 'sequences.get',
    summary: 'Get the sequence of a campaign',
    scope: 'campaigns:read',
    replies: { 200: { about: 'The current version.', schema: dataOf(Sequence) } },
    async handle({ ctx, params }) {
      const campaign = await getCampaign(ctx.db, params.workspaceId, params.campaignId)
      const sequence = await readSequence(ctx.db, campaign)
      return ok({
        data: {
          campaignId: campaign.id,
          version: campaign.sequenceVersion,
          steps: sequence?.steps ?? [],
          updatedAt: sequence?.createdAt.toISOString() ?? null,
          links: { self: `${campaignLink(ctx, campaign)}/sequence` },
        },
      })
    },
  }),

  acceptedRoute('PUT', path, {
    id: 'sequences.replace',
    summary: 'Replace the sequence',
    about: 'Creates a new version. Leads that have already started stay on the version they started with.',
    scope: 'campaigns:write',
    action: 'campaign.update_sequence',
    cost: 'free',
    effects: ['addsMessages'],
    ifMatch: true,
    body: NewSequence,
    errors: ['invalid_state'],
    async handle(request) {
      await checkSequence(request.ctx, request.params.workspaceId, request.body)
      return accept(request, {
        campaignId: request.params.campaignId,
        from: EDITABLE,
        input: { sequence: request.body, ifMatch: request.ifMatch!.toISOString() },
      })
    },
  }),

  acceptedRoute('POST', `${path}/copy`, {
    id: 'sequences.copy',
    summary: 'Copy the sequence of another campaign',
    scope: 'campaigns:write',
    action: 'campaign.copy_sequence',
    cost: 'free',
    effects: ['addsMessages'],
    body: strict({ sourceCampaignId: Uuid }),
    errors: ['invalid_state', 'invalid_reference'],
    handle(request) {
      const { ctx, params } = request
      const sourceCampaignId = request.body.sourceCampaignId.toLowerCase()
      return accept(request, {
        campaignId: params.campaignId,
        from: EDITABLE,
        input: { sourceCampaignId },
        check: async () => {
          await getCampaign(ctx.db, params.workspaceId, params.campaignId)
          await checkSource(ctx.db, params.workspaceId, params.campaignId, sourceCampaignId)
        },
      })
    },
  }),
])
