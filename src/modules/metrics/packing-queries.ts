import { type Db, sql, type Tx } from '../../db/client.ts'

/** The days that share a row. More would make a request for thirty days read much that it does not need. */
export const FORTNIGHT_DAYS = 14

/** What is counted. The order is stored: a new kind goes to the end. */
export const COUNTS = ['sent', 'assumed', 'opened', 'clicked', 'replied', 'positive', 'bounced', 'unsubscribed'] as const
export type Counts = Record<(typeof COUNTS)[number], number>

/** The length of the head of the totals, and two positions in it: the first hour that has blocks, and the number of hours that have blocks. */
export const HEAD_BYTES = 7
export const FIRST_HOUR_BYTE = 5
export const HOURS_BYTE = 6

/** See `packFortnight`. */
export type PackedBlocks = { totals: Buffer; cuts: Buffer }

export interface PackedFortnight extends PackedBlocks {
  /** A bit for each day on which anything was counted. */
  days: number
}

const QUARTER_SECONDS = 900
/** The quarter that begins at the time in the column `at`, counted from 1970. */
const QUARTER_OF_AT = `(extract(epoch from at)::bigint / ${QUARTER_SECONDS})::int`

/** Whose counts: those of a campaign, or without one those of the whole workspace. */
export type Owner = { workspaceId: string; campaignId: string | null }

const LOCK_DAYS = sql('select pg_advisory_xact_lock(7265061)')
const KEEP_DAYS = sql('select pg_advisory_xact_lock_shared(7265061)')

/** One transaction packs at a time, and none counts again at the same time. */
export const lockDays = (tx: Tx): Promise<number> => tx.run(LOCK_DAYS)

/** No worker packs until the end of the transaction. */
export const keepDays = (tx: Tx): Promise<number> => tx.run(KEEP_DAYS)

const OLDEST = `
    and dimension = $2
    and at < $3
    order by at, key
    limit $4
    for update`
// In the order in which events lock these rows. A row that changes before it is deleted has another `ctid`, and is packed the next time.
const TAKE_OF_CAMPAIGN = sql(`
  with oldest as materialized (
    select ctid
    from metric_quarters
    where campaign_id = $1 ${OLDEST}
  )
  delete from metric_quarters
  where ctid = any(array(select ctid from oldest))
  returning ${QUARTER_OF_AT} as quarter, key, ${COUNTS.join(', ')}`)
const TAKE_OF_WORKSPACE = sql(`
  with oldest as materialized (
    select ctid
    from workspace_quarters
    where workspace_id = $1 ${OLDEST}
  )
  delete from workspace_quarters
  where ctid = any(array(select ctid from oldest))
  returning ${QUARTER_OF_AT} as quarter, key, ${COUNTS.join(', ')}`)

interface QuarterRow extends Counts {
  /** Counted from 1970. */
  quarter: number
  key: string | null
}

/** Removes the oldest quarters from before then, and returns them. */
export const takeQuarters = (tx: Tx, { workspaceId, campaignId }: Owner, dimension: string, before: Date, limit: number) =>
  tx.many<QuarterRow>(campaignId === null ? TAKE_OF_WORKSPACE : TAKE_OF_CAMPAIGN, [campaignId ?? workspaceId, dimension, before, limit])

export interface Fortnight {
  /** Counted from 1970. */
  fortnight: number
  key: string | null
}

// Two statements: PostgreSQL uses no index for `is not distinct from`, which would fit both cases.
const LIST_OF = (campaign: string): string => `
  select packed.fortnight, packed.key, packed.totals, packed.cuts
  from unnest($3::int[], $4::text[]) as wanted(fortnight, key)
  cross join lateral (
    select *
    from metric_fortnights
    where campaign_id ${campaign}
      and workspace_id = $1
      and dimension = $2
      and fortnight = wanted.fortnight
      and key is not distinct from wanted.key
    limit 1
  ) as packed`
const LIST_OF_CAMPAIGN = sql(LIST_OF('= $5'))
const LIST_OF_WORKSPACE = sql(LIST_OF('is null'))

/** The stored ones of these fortnights. */
export function listFortnights(tx: Tx, { workspaceId, campaignId }: Owner, dimension: string, wanted: Fortnight[]) {
  const [statement, of] = campaignId === null ? [LIST_OF_WORKSPACE, []] : [LIST_OF_CAMPAIGN, [campaignId]]
  const asked = [wanted.map(({ fortnight }) => fortnight), wanted.map(({ key }) => key)]
  return tx.many<Fortnight & PackedBlocks>(statement, [workspaceId, dimension, ...asked, ...of])
}

const PUT_FORTNIGHTS = sql(`
  insert into metric_fortnights (workspace_id, campaign_id, dimension, fortnight, key, days, totals, cuts)
  select $1, $2, $3, fortnight, key, days, totals, cuts
  from unnest($4::int[], $5::text[], $6::int[], $7::bytea[], $8::bytea[]) as packed(fortnight, key, days, totals, cuts)
  on conflict (campaign_id, workspace_id, dimension, fortnight, key) do update set
    days = excluded.days,
    totals = excluded.totals,
    cuts = excluded.cuts`)

/** Replaces the stored fortnights. */
export const putFortnights = (
  tx: Tx,
  { workspaceId, campaignId }: Owner,
  dimension: string,
  packed: (Fortnight & PackedFortnight)[],
): Promise<number> =>
  tx.run(PUT_FORTNIGHTS, [
    ...[workspaceId, campaignId, dimension, packed.map(({ fortnight }) => fortnight), packed.map(({ key }) => key)],
    ...[packed.map(({ days }) => days), packed.map(({ totals }) => totals), packed.map(({ cuts }) => cuts)],
  ])

const CLEAR_CAMPAIGN = sql(`
  delete from metric_fortnights
  where campaign_id = $1
    and fortnight >= $2
  returning workspace_id as "workspaceId", dimension, fortnight, key, totals, cuts`)

/** Removes the packed fortnights of a campaign from this one on, and returns them. */
export const clearFortnights = (tx: Tx, campaignId: string, from: number) =>
  tx.many<Fortnight & PackedBlocks & { workspaceId: string; dimension: string }>(CLEAR_CAMPAIGN, [campaignId, from])

const CLEAR_WORKSPACE = sql(`
  delete from metric_fortnights
  where campaign_id is null
    and workspace_id = $1
    and fortnight = $2`)
const LIST_OF_CAMPAIGNS = sql(`
  select dimension, key, totals, cuts
  from metric_fortnights
  where workspace_id = $1
    and fortnight = $2
    and campaign_id is not null
    and dimension <> 'variant'`)

/** Removes a fortnight of a workspace, and returns those of its campaigns. */
export async function replaceFortnight(tx: Tx, workspaceId: string, fortnight: number) {
  await tx.run(CLEAR_WORKSPACE, [workspaceId, fortnight])
  return tx.many<PackedBlocks & { dimension: string; key: string | null }>(LIST_OF_CAMPAIGNS, [workspaceId, fortnight])
}

// Every quarter has a row for all keys. It is packed last, so when it is gone, the others are gone, too.
const LIST_CAMPAIGNS = sql(`
  select w.id as "workspaceId", oldest.campaign_id as "campaignId"
  from workspaces w
  cross join lateral (
    select campaign_id
    from metric_quarters
    where workspace_id = w.id
      and dimension = 'all'
      and at < $1
    order by at
    limit 1
  ) as oldest`)
const LIST_WORKSPACES = sql(`
  select w.id as "workspaceId", null as "campaignId"
  from workspaces w
  cross join lateral (
    select from workspace_quarters
    where workspace_id = w.id
      and dimension = 'all'
      and at < $1
    limit 1
  ) as oldest`)

/** Workspaces with quarters from before then, and of each workspace one campaign that has some. */
export const listUnpacked = async (db: Db, before: Date): Promise<Owner[]> => [
  ...(await db.many<Owner>(LIST_CAMPAIGNS, [before])),
  ...(await db.many<Owner>(LIST_WORKSPACES, [before])),
]
