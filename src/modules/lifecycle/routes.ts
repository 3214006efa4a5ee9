import { tagged } from '../../http/route.ts'
import { strict } from '../../http/schema.ts'
import { hasOpenOperations } from '../../operations/queries.ts'
import { registryOf } from '../../operations/registry.ts'
import { accept, acceptedRoute } from '../../operations/writes.ts'
import { getCampaign, TRANSITIONS, type Transition } from '../campaigns/campaigns.ts'
import { presentCampaign } from '../campaigns/presenting.ts'
import { requireReadiness } from '../explaining/readiness.ts'
import { startCost } from '../leads/cost.ts'
import { settingsRoutes } from './settings-routes.ts'
import { updateRoutes } from './update-routes.ts'

const one = '/v1/workspaces/:workspaceId/campaigns/:campaignId'

export const lifecycleRoutes = tagged('Campaigns', [
  ...settingsRoutes,
  ...updateRoutes,
  transitionRoute('activate', 'Activate a draft campaign', 'The campaign must be ready. `validate` lists what is missing.'),
  transitionRoute('pause', 'Pause a campaign', 'After the operation has succeeded, the campaign sends no message.'),
  transitionRoute('resume', 'Resume a paused campaign', 'The campaign must be ready. `validate` lists what is missing.'),
  transitionRoute('archive', 'Archive a campaign', 'The request answers 409 for an active campaign. Pause it first.'),
  transitionRoute('unarchive', 'Unarchive a campaign', 'The campaign gets the status that it had before it was archived.'),
])

function transitionRoute(name: Transition, summary: string, about: string) {
  const needsReadiness = name === 'activate' || name === 'resume'
  const { from, to } = TRANSITIONS[name]
  return acceptedRoute('POST', `${one}/${name}`, {
    id: `campaigns.${name}`,
    summary,
    about,
    scope: 'campaigns:write',
    action: `campaign.${name}`,
    cost: needsReadiness ? startCost : 'free',
    effects: needsReadiness ? ['changesStatus', 'startsSending'] : ['changesStatus'],
    body: strict({}),
    errors: ['invalid_state', ...(needsReadiness ? (['campaign_not_ready', 'token_budget_exceeded'] as const) : [])],
    handle(request) {
      const { ctx, params } = request
      const load = () => getCampaign(ctx.db, params.workspaceId, params.campaignId)
      return accept(request, {
        campaignId: params.campaignId,
        from,
        to,
        input: {},
        already: async () => ({ campaign: await presentCampaign(ctx, ctx.db, await load()) }),
        ...(needsReadiness
          ? {
              // While other operations are open (for example an import), only the worker knows whether the campaign will be ready.
              check: async () => {
                const campaign = await load()
                const uncounted = registryOf(ctx).actions.having('changesNothing')
                if (!(from as readonly string[]).includes(campaign.status) || (await hasOpenOperations(ctx.db, campaign.id, uncounted)))
                  return
                await requireReadiness(ctx, ctx.db, campaign)
              },
            }
          : {}),
      })
    },
  })
}
