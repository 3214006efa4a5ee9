import { type ApiReply, type ApiRequest, ok, route, tagged } from '../../http/route.ts'
import { DateTime, dataOf, Links, namedObject, nullable, oneOf, strict } from '../../http/schema.ts'
import { notFound } from '../../lib/errors.ts'
import { type Static, Type } from '../../lib/type.ts'
import { COUNTS } from './packing-queries.ts'
import { presentSeries, readPeriod, readSeries } from './series.ts'
import { type GroupBy, hasCampaign } from './series-reading-queries.ts'

const GROUPS = ['step', 'variant', 'mailbox', 'campaign'] as const satisfies readonly GroupBy[]
const INTERVALS = ['hour', 'day', 'week'] as const

const Count = Type.Integer({ minimum: 0 })
const Assumed = Type.Integer({
  minimum: 0,
  description: 'The part of `sent` that counts as sent although it is not certain: the connection was lost, and no copy shows it.',
})
const counts = {
  ...(Object.fromEntries(COUNTS.map(name => [name, Count])) as Record<(typeof COUNTS)[number], typeof Count>),
  assumed: Assumed,
}

const Series = namedObject('MetricSeries', {
  interval: oneOf(INTERVALS),
  timezone: Type.String(),
  from: DateTime,
  to: DateTime,
  groupBy: nullable(oneOf(GROUPS)),
  series: Type.Array(
    strict({
      key: nullable(
        Type.String({
          description:
            'The group: the number of the step, counted from 0 as in events, or an id. Null: all groups together, or unknown, or all campaigns that are not shown by themselves.',
        }),
      ),
      totals: strict(counts),
      points: Type.Array(strict({ at: DateTime, ...counts }), {
        description: 'In chronological order. Periods in which nothing happened are left out.',
      }),
    }),
  ),
  links: Links,
})

const SeriesQuery = strict({
  interval: Type.Optional(oneOf(INTERVALS, { default: 'day', description: 'Weeks begin on Monday.' })),
  timezone: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, default: 'UTC', description: 'An IANA time zone. It decides when days and weeks begin.' }),
  ),
  from: Type.Optional({
    ...DateTime,
    description:
      'Start of the period. Results are stored per quarter of an hour, and a period includes a quarter that begins in it. Defaults to 2 days, 30 days or 26 weeks before `to`.',
  }),
  to: Type.Optional({ ...DateTime, description: 'End of the period, exclusive. Defaults to now.' }),
  groupBy: Type.Optional(oneOf(GROUPS)),
})

type SeriesRequest = ApiRequest<{ workspaceId: string; campaignId?: string }, Static<typeof SeriesQuery>>

async function answer({ ctx, params, query, url }: SeriesRequest): Promise<ApiReply> {
  const campaignId = params.campaignId ?? null
  const question = {
    workspaceId: params.workspaceId,
    campaignId,
    ...readPeriod(query, ctx.clock.now()),
    groupBy: query.groupBy ?? null,
  }
  if (campaignId !== null && !(await hasCampaign(ctx.db, params.workspaceId, campaignId))) throw notFound('campaign')
  return { ...ok(presentSeries(question, await readSeries(ctx.db, question), ctx.link(url))), isUsedOnce: true }
}

const about =
  'Counts e-mails sent, opens and clicks by people, replies, interested leads, and leads that bounced or unsubscribed, each at the time it happened. ' +
  'Over all time, the totals equal the metrics of the campaigns.'

export const metricRoutes = tagged('Metrics', [
  route('GET', '/v1/workspaces/:workspaceId/metrics/series', {
    id: 'metrics.getSeries',
    summary: 'Get the results of the workspace over time',
    about: `${about} Grouped by campaign or variant, the 100 campaigns that have sent most are shown, fewer for a period of many points. All others are one group with the key null.`,
    scope: 'campaigns:read',
    query: SeriesQuery,
    replies: { 200: { about: 'The results.', schema: dataOf(Series) } },
    handle: answer,
  }),

  route('GET', '/v1/workspaces/:workspaceId/campaigns/:campaignId/metrics/series', {
    id: 'campaigns.getMetricSeries',
    summary: 'Get the results of a campaign over time',
    about,
    scope: 'campaigns:read',
    query: SeriesQuery,
    replies: { 200: { about: 'The results.', schema: dataOf(Series) } },
    handle: answer,
  }),
])
