import { ok, route, tagged } from '../../http/route.ts'
import { dataOf, strict, Uuid } from '../../http/schema.ts'
import { ACCEPTED_REPLIES } from '../../operations/replies.ts'
import { accept } from '../../operations/writes.ts'
import { campaignOfPath, getCampaign } from '../campaigns/campaigns.ts'
import { campaignLink } from '../campaigns/presenting.ts'
import { NewSequence, Sequence } from './schema.ts'
import { checkSequence, checkSource, EDITABLE, readSequence } from './sequences.ts'

const path = '/v1/workspaces/:workspaceId/campaigns/:campaignId/sequence'

export const sequenceRoutes = tagged('Sequences', [
  route('GET', path, {
    id: 'sequences.get',
    summary: 'Get the sequence of a campaign',
    scope: 'campaigns:read',
    replies: { 200: { about: 'The current version.', schema: dataOf(Sequence) } },
    ahead: campaignOfPath,
    async handle({ ctx }, ahead) {
      const campaign = await ahead
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

  route('PUT', path, {
    id: 'sequences.replace',
    summary: 'Replace the sequence',
    about: 'Creates a new version. Leads that have already started stay on the version they started with.',
    scope: 'campaigns:write',
    write: 'accepted',
    action: 'campaign.update_sequence',
    ifMatch: true,
    body: NewSequence,
    replies: ACCEPTED_REPLIES,
    errors: ['invalid_state'],
    async handle(request) {
      await checkSequence(request.ctx, request.params.workspaceId, request.body)
      return accept(request, {
        action: 'campaign.update_sequence',
        campaignId: request.params.campaignId,
        from: EDITABLE,
        input: { sequence: request.body, ifMatch: request.ifMatch!.toISOString() },
      })
    },
  }),

  route('POST', `${path}/copy`, {
    id: 'sequences.copy',
    summary: 'Copy the sequence of another campaign',
    scope: 'campaigns:write',
    write: 'accepted',
    action: 'campaign.copy_sequence',
    body: strict({ sourceCampaignId: Uuid }),
    replies: ACCEPTED_REPLIES,
    errors: ['invalid_state', 'invalid_reference'],
    handle(request) {
      const { ctx, params } = request
      const sourceCampaignId = request.body.sourceCampaignId.toLowerCase()
      return accept(request, {
        action: 'campaign.copy_sequence',
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
