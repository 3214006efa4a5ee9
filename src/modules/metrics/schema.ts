import { about, Count, DateTime, Links, namedObject, nullable, oneOf, strict } from '../../http/schema.ts'
import { type Static, Type } from '../../lib/type.ts'

/** The counts of a rollup, in the order of the response. */
export const COUNTS = ['sent', 'assumed', 'opened', 'clicked', 'replied', 'positive', 'bounced', 'unsubscribed'] as const
export type Counts = Record<(typeof COUNTS)[number], number>

const GROUPS = ['step', 'variant', 'mailbox', 'campaign'] as const
export type GroupBy = (typeof GROUPS)[number]

const INTERVALS = ['hour', 'day', 'week'] as const

const counts = {
  sent: about(Count, 'Messages sent.'),
  assumed: Type.Integer({
    minimum: 0,
    description: 'The part of `sent` that counts as sent although it is not certain: the connection was lost, and no copy shows it.',
  }),
  opened: about(Count, 'Opens by people.'),
  clicked: about(Count, 'Clicks by people.'),
  replied: about(Count, 'Replies by people.'),
  positive: about(Count, 'Positive replies by people, as corrected since.'),
  bounced: about(Count, 'Leads whose address bounced.'),
  unsubscribed: about(Count, 'Leads who unsubscribed.'),
}

export const Series = namedObject('MetricSeries', {
  interval: about(oneOf(INTERVALS), 'The length of a period.'),
  timezone: Type.String(),
  from: about(DateTime, 'Start of the first period.'),
  to: about(DateTime, 'End of the last period, exclusive.'),
  groupBy: about(nullable(oneOf(GROUPS)), 'The property by which the series are grouped. Null: one series for everything.'),
  series: about(
    Type.Array(
      strict({
        key: nullable(
          Type.String({
            description:
              'The group: the number of the step, counted from 0 as in events, or an id. Null: all groups together, or unknown, or all campaigns that are not shown separately.',
          }),
        ),
        totals: about(strict(counts), 'The sums of all points.'),
        points: Type.Array(strict({ at: about(DateTime, 'Start of the period.'), ...counts }), {
          description: 'In chronological order. Periods in which nothing happened are left out.',
        }),
      }),
    ),
    'One series for each group.',
  ),
  links: Links,
})

export const SeriesQuery = strict({
  interval: Type.Optional(oneOf(INTERVALS, { default: 'day', description: 'Weeks begin on Monday.' })),
  timezone: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      default: 'UTC',
      description:
        'An IANA time zone. It decides when days and weeks begin. If its hours begin at half or quarter past, results older than 60 days are exact to the hour.',
    }),
  ),
  from: Type.Optional({
    ...DateTime,
    description:
      'Start of the period. Results are stored per quarter of an hour, and per hour when they are older than 60 days. A period includes those that begin in it. Defaults to 2 days, 30 days or 26 weeks before `to`. Must be before `to`, by at most 31 days by hour, 1,100 days by day, or 3,660 days by week, and in a year from 1970 to 9998.',
  }),
  to: Type.Optional({ ...DateTime, description: 'End of the period, exclusive. Defaults to now.' }),
  groupBy: Type.Optional(about(oneOf(GROUPS), 'Returns one series for each step, variant, mailbox or campaign.')),
})

export type SeriesParameters = Static<typeof SeriesQuery>
