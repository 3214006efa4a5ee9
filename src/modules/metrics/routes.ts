import { type ApiReply, type ApiRequest, ok, route, tagged } from '../../http/route.ts'
import { dataOf } from '../../http/schema.ts'
import { notFound } from '../../lib/errors.ts'
import { presentSeries, readPeriod, readSeries } from './metrics.ts'
import { hasCampaign } from './queries.ts'
import { Series, type SeriesParameters, SeriesQuery } from './schema.ts'

type SeriesRequest = ApiRequest<{ workspaceId: string; campaignId?: string }, SeriesParameters>

async function getSeries({ ctx, params, query, url }: SeriesRequest): Promise<ApiReply> {
  const { workspaceId, campaignId = null } = params
  const question = { workspaceId, campaignId, ...readPeriod(query, ctx.clock.now()), groupBy: query.groupBy ?? null }
  if (campaignId !== null && !(await hasCampaign(ctx.db, workspaceId, campaignId))) throw notFound('campaign')
  const groups = await readSeries(ctx.db, question)
  return ok({ data: { ...presentSeries(question, groups), links: { self: ctx.link(url) } } })
}

const about =
  'Counts emails sent, opens and clicks by people, replies, interested leads, and leads that bounced or unsubscribed, each at the time it happened. ' +
  'Over all time, the totals equal the metrics of the campaigns.'

export const metricRoutes = tagged('Metrics', [
  route('GET', '/v1/workspaces/:workspaceId/metrics/series', {
    id: 'metrics.getSeries',
    summary: 'Get the results of the workspace over time',
    about: `${about} Grouped by campaign or variant, the 100 campaigns that have sent most are shown, fewer for a period of many points. All others are one group with the key null.`,
    scope: 'campaigns:read',
    isHeavy: true,
    query: SeriesQuery,
    replies: { 200: { about: 'The results.', schema: dataOf(Series) } },
    handle: getSeries,
  }),

  route('GET', '/v1/workspaces/:workspaceId/campaigns/:campaignId/metrics/series', {
    id: 'campaigns.getMetricSeries',
    summary: 'Get the results of a campaign over time',
    about,
    scope: 'campaigns:read',
    isHeavy: true,
    query: SeriesQuery,
    replies: { 200: { about: 'The results.', schema: dataOf(Series) } },
    handle: getSeries,
  }),
])
