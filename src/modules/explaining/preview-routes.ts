import type { Context } from '../../context/context.ts'
import { type Caller, hasScope, insufficientScope } from '../../http/access.ts'
import { type ApiReply, ok, type PathParams, route, tagged } from '../../http/route.ts'
import { dataOf, strict } from '../../http/schema.ts'
import { Type } from '../../lib/type.ts'
import { getCampaign } from '../campaigns/campaigns.ts'
import { linksWithin } from '../campaigns/presenting.ts'
import { previewMessage } from './preview.ts'
import { Preview, PreviewRequest, SimulationQuery, SimulationRequest, SimulationResult } from './schema.ts'
import { checkTrial, presentSimulation, simulateCampaign, type Trial } from './simulation.ts'

const one = '/v1/workspaces/:workspaceId/campaigns/:campaignId'

const { leadId, variantId, step } = PreviewRequest.properties

type CampaignParams = PathParams<typeof one>

const previewing = {
  scope: 'campaigns:read',
  about:
    'Renders one step as a lead would receive it: subject, text, HTML and headers. Nothing is sent or saved. Without the scope `leads:read` you cannot name a lead, and the preview shows an invented person.',
  replies: { 200: { about: 'The message.', schema: dataOf(Preview) } },
} as const

const simulating = {
  scope: 'campaigns:read',
  about:
    'Plans every remaining message by day and mailbox, with the date on which the campaign ends and the limit that determines it. The simulation uses the planner of the sender. It assumes that nobody replies and that no other campaign uses the mailboxes. It plans at most 250 000 messages; later messages count as beyond the horizon. In campaigns with more than 20 000 leads, leads that are due within the same minute count as due together (above 100 000 leads: within the same 15 minutes). Nothing is sent or saved.',
  replies: { 200: { about: 'The simulation.', schema: dataOf(SimulationResult) } },
} as const

/** Previews and simulations. Nothing is stored, so each is also available with GET, which is its `self` link. */
export const previewRoutes = tagged('Sending', [
  route('POST', `${one}/preview`, {
    ...previewing,
    id: 'campaigns.preview',
    summary: 'Preview a message',
    body: PreviewRequest,
    handle: ({ ctx, params, caller, body }) => preview(ctx, params, caller, body, 'body'),
  }),

  route('GET', `${one}/preview`, {
    ...previewing,
    id: 'campaigns.getPreview',
    summary: 'Get the preview of a message',
    errors: ['validation_failed'],
    query: strict({ leadId, variantId, step: Type.Optional(step) }),
    handle: ({ ctx, params, caller, query }) => preview(ctx, params, caller, { ...query, step: query.step ?? 0 }, 'query'),
  }),

  route('POST', `${one}/simulate`, {
    ...simulating,
    id: 'campaigns.simulate',
    summary: 'Simulate the rest of a campaign',
    body: SimulationRequest,
    errors: ['campaign_not_ready', 'invalid_reference'],
    handle: ({ ctx, params, body: { horizonDays, ...trial } }) => simulate(ctx, params, horizonDays, trial),
  }),

  route('GET', `${one}/simulate`, {
    ...simulating,
    id: 'campaigns.getSimulation',
    summary: 'Get the simulation of the rest of a campaign',
    query: SimulationQuery,
    errors: ['campaign_not_ready'],
    handle: ({ ctx, params, query }) => simulate(ctx, params, query.horizonDays),
  }),
])

async function preview(
  ctx: Context,
  params: CampaignParams,
  caller: Caller,
  asked: PreviewRequest,
  where: 'body' | 'query',
): Promise<ApiReply> {
  const mayReadLeads = hasScope(caller, 'leads:read')
  if (asked.leadId !== undefined && !mayReadLeads) throw insufficientScope('leads:read')
  const campaign = await getCampaign(ctx.db, params.workspaceId, params.campaignId)
  const shown = await previewMessage(ctx, campaign, asked, { where, mayReadLeads })
  const { step, leadId, variantId } = shown
  // A variant of a trial has no permanent id.
  const query = new URLSearchParams({ step: String(step), ...(leadId ? { leadId } : {}), ...(asked.steps ? {} : { variantId }) })
  return ok({ data: { ...shown, links: linksWithin(ctx, campaign, `preview?${query}`) } })
}

async function simulate(ctx: Context, params: CampaignParams, horizonDays = 365, trial: Trial = {}): Promise<ApiReply> {
  const campaign = await getCampaign(ctx.db, params.workspaceId, params.campaignId)
  await checkTrial(ctx, params.workspaceId, trial)
  const simulation = presentSimulation(await simulateCampaign(ctx, campaign, horizonDays, trial))
  const links = linksWithin(ctx, campaign, `simulate?horizonDays=${horizonDays}`)
  return ok({ data: { campaignId: campaign.id, workspaceId: campaign.workspaceId, ...simulation, links } })
}
