import type { MetricSeries } from '@overture/sdk'

/** The counts of a campaign, a step, a mailbox or a variant over time. */
export type SeriesGroup = MetricSeries['series'][number]
export type Totals = SeriesGroup['totals']
export type Metric = keyof Totals
