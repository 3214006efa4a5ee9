import { listReply, readPage } from '../../http/paging.ts'
import { created, createdReplies, ok, route, tagged } from '../../http/route.ts'
import { DateTime, dataOf, listOf, oneOf, PageQuery, strict, Uuid } from '../../http/schema.ts'
import { invalid } from '../../lib/errors.ts'
import { pick } from '../../lib/pick.ts'
import { firstFrom, parseDateTime } from '../../lib/time.ts'
import { Type } from '../../lib/type.ts'
import { accept, acceptedRoute, perform, replayOf, syncRoute } from '../../operations/writes.ts'
import { readMetrics } from '../metrics/metrics.ts'
import { checkReferences, createCampaign, getCampaign, presentCampaign, presentWithin } from './campaigns.ts'
import { checkPatch } from './configuration.ts'
import { type CampaignRow, listCampaigns } from './queries.ts'
import {
  CAMPAIGN_STATUSES,
  Campaign,
  CampaignName,
  CampaignPatch,
  CampaignResult,
  DISPLAY_STATUSES,
  MetricsResult,
  NewCampaign,
  Schedule,
} from './schema.ts'

const base = '/v1/workspaces/:workspaceId/campaigns'
const one = `${base}/:campaignId` as const

export const campaignRoutes = tagged('Campaigns', [
  route('GET', base, {
    id: 'campaigns.list',
    summary: 'List campaigns',
    scope: 'campaigns:read',
    query: strict({
      ...PageQuery,
      q: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Part of the name. Case is ignored.' })),
      status: Type.Optional(oneOf(CAMPAIGN_STATUSES)),
      displayStatus: Type.Optional(
        oneOf(DISPLAY_STATUSES, {
          description: 'Defaults to `archived` when `status` is `archived`, and to `active` otherwise.',
        }),
      ),
      providerId: Type.Optional(Uuid),
      createdFrom: Type.Optional(DateTime),
      createdTo: Type.Optional(DateTime),
      updatedFrom: Type.Optional(DateTime),
      updatedTo: Type.Optional(DateTime),
    }),
    replies: { 200: { about: 'A page of campaigns, newest first.', schema: listOf(Campaign) } },
    async handle(request) {
      const { ctx, query, params } = request
      const { q, status, providerId } = query
      const displayStatus = query.displayStatus ?? (status === 'archived' ? 'archived' : 'active')
      const page = readPage(request, { displayStatus })
      const rows = await listCampaigns(ctx.db, params.workspaceId, displayStatus, page, { q, status, providerId, ...readTimes(query) })
      const shown = rows.slice(0, page.limit).map(async row => [row.id, await presentCampaign(ctx, ctx.db, row)] as const)
      const presented = new Map(await Promise.all(shown))
      return listReply(
        request,
        page,
        rows,
        ({ createdAt, id }) => ({ at: createdAt, id }),
        row => presented.get(row.id),
      )
    },
  }),

  syncRoute('POST', base, {
    id: 'campaigns.create',
    summary: 'Create a draft campaign',
    scope: 'campaigns:write',
    action: 'campaign.create',
    cost: 'free',
    result: CampaignResult,
    body: NewCampaign,
    replies: createdReplies('The new draft.', dataOf(Campaign)),
    errors: ['invalid_reference'],
    handle(request) {
      const { ctx, params, body } = request
      checkPatch(body)
      return perform(request, replayOf('campaign'), async tx => {
        const row = await createCampaign(tx, params.workspaceId, body, ctx.clock.now())
        const campaign = await presentCampaign(ctx, tx, row)
        return { result: { campaign }, campaignId: row.id, reply: created(campaign) }
      })
    },
  }),

  route('GET', one, {
    id: 'campaigns.get',
    summary: 'Get a campaign',
    scope: 'campaigns:read',
    replies: { 200: { about: 'The campaign.', schema: dataOf(Campaign) } },
    async handle({ ctx, params }) {
      const campaign = await getCampaign(ctx.db, params.workspaceId, params.campaignId)
      return ok({ data: await presentCampaign(ctx, ctx.db, campaign) })
    },
  }),

  acceptedRoute('PATCH', one, {
    id: 'campaigns.update',
    summary: 'Update a draft campaign',
    about:
      'Changes only the fields that you send. When the campaign has changed since the `if-match` timestamp, the operation fails with `precondition_failed` and saves nothing.',
    scope: 'campaigns:write',
    action: 'campaign.update',
    cost: 'free',
    effects: ['addsMessages'],
    ifMatch: true,
    body: CampaignPatch,
    errors: ['invalid_state', 'invalid_reference'],
    handle(request) {
      const { ctx, params, body } = request
      checkPatch(body)
      return accept(request, {
        campaignId: params.campaignId,
        from: ['draft'],
        input: { patch: body, ifMatch: request.ifMatch!.toISOString() },
        ...(body.providerId || body.rotationProviderIds
          ? {
              check: async () => {
                await getCampaign(ctx.db, params.workspaceId, params.campaignId)
                await checkReferences(ctx.db, params.workspaceId, body)
              },
            }
          : {}),
      })
    },
  }),

  acceptedRoute('POST', `${one}/duplicate`, {
    id: 'campaigns.duplicate',
    summary: 'Duplicate a campaign',
    about: 'Creates a new draft with the same configuration, sequence and sending window. Leads, metrics and dates are not copied.',
    scope: 'campaigns:write',
    action: 'campaign.duplicate',
    cost: 'free',
    effects: ['changesNothing'],
    body: strict({ name: CampaignName }),
    async handle(request) {
      checkPatch(request.body)
      return accept(request, { campaignId: request.params.campaignId, input: { name: request.body.name } })
    },
  }),

  route('GET', `${one}/metrics`, {
    id: 'campaigns.getMetrics',
    summary: 'Get campaign metrics',
    scope: 'campaigns:read',
    replies: { 200: { about: 'The metrics.', schema: dataOf(MetricsResult) } },
    async handle({ ctx, params }) {
      const campaign = await getCampaign(ctx.db, params.workspaceId, params.campaignId)
      const metrics = await readMetrics(ctx.db, campaign, ctx.clock.now())
      return ok({ data: presentWithin(ctx, campaign, 'metrics', { metrics }) })
    },
  }),

  route('GET', `${one}/schedule`, {
    id: 'campaigns.getSchedule',
    summary: 'Get the sending schedule',
    scope: 'campaigns:read',
    replies: { 200: { about: 'The schedule.', schema: dataOf(Schedule) } },
    async handle({ ctx, params }) {
      const campaign = await getCampaign(ctx.db, params.workspaceId, params.campaignId)
      const { workspaceId: _, ...schedule } = presentWithin(ctx, campaign, 'schedule', presentSchedule(campaign))
      return ok({ data: schedule })
    },
  }),
])

function presentSchedule(campaign: CampaignRow) {
  return {
    ...pick(campaign, 'daysOfWeek', 'timezone', 'useLeadTimezone', 'startDate', 'endDate'),
    timeWindow: campaign.windowStart === null ? null : { start: campaign.windowStart, end: campaign.windowEnd },
  }
}

type TimeName = 'createdFrom' | 'createdTo' | 'updatedFrom' | 'updatedTo'

function readTimes(query: { [K in TimeName]?: string }): { [K in TimeName]?: Date | undefined } {
  const at = (name: TimeName): Date | undefined => (query[name] === undefined ? undefined : parseDateTime(query[name])!)
  for (const kind of ['created', 'updated'] as const) {
    const [from, to] = [at(`${kind}From`), at(`${kind}To`)]
    if (from && to && from > to) throw invalid('query', `/${kind}From`, 'order', `must not be after ${kind}To`)
  }
  const from = (text: string | undefined): Date | undefined => (text === undefined ? undefined : firstFrom(text))
  const { createdFrom, updatedFrom } = query
  return { createdFrom: from(createdFrom), createdTo: at('createdTo'), updatedFrom: from(updatedFrom), updatedTo: at('updatedTo') }
}
