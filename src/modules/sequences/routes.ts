import type { Tx } from '../../db/sql.ts'
import { type Cost, type CostRequest, personOf } from '../../http/access.ts'
import { ok, type Route, route, tagged } from '../../http/route.ts'
import { dataOf, strict, Uuid } from '../../http/schema.ts'
import { accept, acceptedRoute } from '../../operations/writes.ts'
import { campaignLink, getCampaign } from '../campaigns/campaigns.ts'
import { MOST_STEPS, NewSequence, Sequence } from './schema.ts'
import { checkSequence, checkSource, EDITABLE, readSequence } from './sequences.ts'

const path = '/v1/workspaces/:workspaceId/campaigns/:campaignId/sequence'

type StepsCost = (
  tx: Tx,
  request: CostRequest<{ workspaceId: string; campaignId: string }, unknown>,
  stepCount: number,
) => Promise<Partial<Cost>>

/** `costOf` is the cost of another sequence with so many steps. */
export const sequenceRoutes = (costOf: StepsCost): Route[] =>
  tagged('Sequences', [
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
            updatedAt: sequence?.createdAt ?? null,
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
      cost: (tx, request) => costOf(tx, request, request.body.steps.length),
      effects: ['addsMessages', 'changesSteps'],
      ifMatch: true,
      body: NewSequence,
      errors: ['invalid_state', 'token_budget_exceeded'],
      async handle(request) {
        await checkSequence(request.ctx, personOf(request.caller), request.body)
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
      // The other sequence may get more steps before it is copied.
      cost: (tx, request) => costOf(tx, request, MOST_STEPS),
      effects: ['addsMessages', 'changesSteps'],
      body: strict({ sourceCampaignId: Uuid }),
      errors: ['invalid_state', 'invalid_reference', 'token_budget_exceeded'],
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
