import { type Db, sql } from '../../db/client.ts'
import { MINUTE_MS } from '../../lib/time.ts'

// Most leads of a large campaign have received no message, have no hold, and will not be due for weeks. We call them the crowd. Their number
// is kept in `lead_queue_counts`, so they are not read one by one. Members of the crowd who were suppressed after the campaign was created
// are found through their suppressions.

/** Leads that no mailbox has written to yet: the condition of their index. */
export const IN_FIRST_QUEUE = 'campaign_id = $1 and due_at is not null and provider_id is null'

const IS_PLAIN = '(next_step = 0 and hold_reason is null)'

/** The suppressions that are newer than the campaign, up to a limit. */
const youngerSuppressions = (limit: string): string => `
    select x.workspace_id, x.kind, x.value, x.hash, x.reason
    from campaigns c
    cross join lateral (
      select *
      from suppressions s
      where s.workspace_id = c.workspace_id and s.created_at >= c.created_at
      order by s.created_at desc, s.id desc
      limit ${limit}
    ) as x
    where c.id = $1`

const FIND_EDGE = sql(`
  with younger as materialized (${youngerSuppressions('$3')}
  )
  select due_at as "dueAt", id,
    (select count(*)::int from younger) as "suppressionCount",
    exists (
      select from younger
      where kind = 'email' and value is null and reason <> 'erased'
    ) as "hasNameless"
  from leads
  where ${IN_FIRST_QUEUE}
  order by due_at, id
  offset $2
  limit 1`)

const LIST_SUPPRESSED = sql(`
  with younger as materialized (${youngerSuppressions('$4')}
  )
  select l.id, l.timezone, l.due_at as "dueAt"
  from (
    select of_address.*
    from younger y
    cross join lateral (
      select *
      from leads
      where workspace_id = y.workspace_id and campaign_id = $1 and lower(email) = y.value
      limit 1
    ) as of_address
    where y.kind = 'email'
    union
    select of_domain.*
    from younger y
    cross join lateral (
      select *
      from leads
      where workspace_id = y.workspace_id and domain_hash = y.hash and campaign_id = $1
      offset 0
    ) as of_domain
    where y.kind = 'domain'
  ) as l
  where ${IN_FIRST_QUEUE} and (due_at, id) >= ($2::timestamptz, $3::uuid) and ${IS_PLAIN}`)

/**
 * When more leads than this differ from the crowd (for example, all leads of a time zone wait for the morning), reading all leads is
 * faster.
 */
const MOST_OTHERS = 5000

const LIST_OTHERS = sql(`
  select id
  from leads
  where ${IN_FIRST_QUEUE} and (due_at, id) >= ($2::timestamptz, $3::uuid) and not ${IS_PLAIN}
  limit ${MOST_OTHERS + 1}`)

const minuteOf = (time: string): string => `date_bin('1 minute', ${time}::timestamptz, 'epoch')`

// The counts of the queue, by the minute, without those of the first minute who stand before the crowd. Those that are due already count as due
// with the first of them, the others with the first of their minute. Of the present minute a part is due, so its others are counted by themselves.
const countCrowd = (zone: string) =>
  sql(`
  with later as (
    select ${zone} as timezone, count(*) as n
    from leads
    where ${IN_FIRST_QUEUE} and (due_at, id) >= ($2::timestamptz, $3::uuid) and ${IS_PLAIN}
      and due_at > $4 and due_at < ${minuteOf('$4')} + interval '1 minute'
    group by 1
  ), parts as (
    select ${zone} as timezone, due_minute, due_minute <= $4 as is_due, sum(count) as n
    from lead_queue_counts
    where campaign_id = $1 and due_minute >= ${minuteOf('$2')}
    group by 1, 2
    union all
    select ${zone}, ${minuteOf('$2')}, ${minuteOf('$2')} <= $4, -count(*)
    from leads
    where ${IN_FIRST_QUEUE} and due_at >= ${minuteOf('$2')} and (due_at, id) < ($2::timestamptz, $3::uuid) and ${IS_PLAIN}
    group by 1
    union all
    select timezone, ${minuteOf('$4')}, is_due, case when is_due then -n else n end
    from later
    cross join unnest(array[true, false]) as is_due
  )
  select sum(n)::int as count, timezone,
    case when is_due then $2::timestamptz else (
      select due_at
      from leads
      where ${IN_FIRST_QUEUE} and due_at > $4 and due_at >= greatest(min(due_minute), $2::timestamptz)
      order by due_at
      limit 1
    ) end as "dueAt"
  from parts
  group by timezone, is_due, case when not is_due then due_minute end
  having sum(n) > 0`)

const COUNT_CROWD = countCrowd('null::text')
const COUNT_CROWD_BY_ZONE = countCrowd('timezone')

/** The position in the queue where the crowd begins. */
interface Edge {
  dueAt: Date
  id: string
}

/** A number of equal leads of the crowd. */
interface CrowdCount {
  count: number
  timezone: string | null
  dueAt: Date
}

interface Crowd {
  edge: Edge
  counts: CrowdCount[]
  /** Leads inside the crowd that differ from it: they have a hold, a message or a suppression. */
  others: string[]
}

interface Looking {
  now: Date
  byZone: boolean
  mostRead: number
}

/** With more suppressions, reading all leads is faster. */
const MOST_SUPPRESSIONS = 2000

/** The crowd behind the first leads of the queue; null when there is none, or when it cannot be counted without reading every lead. */
export async function findCrowd(db: Db, campaignId: string, { now, byZone, mostRead }: Looking): Promise<Crowd | null> {
  const edge = await db.first<Edge & { suppressionCount: number; hasNameless: boolean }>(FIND_EDGE, [
    campaignId,
    mostRead,
    MOST_SUPPRESSIONS + 1,
  ])
  // A suppression with only a hash cannot be matched with a lead.
  if (!edge || edge.suppressionCount > MOST_SUPPRESSIONS || edge.hasNameless) return null
  const begin = [campaignId, edge.dueAt, edge.id]
  const others = await db.many<{ id: string }>(LIST_OTHERS, begin)
  if (others.length > MOST_OTHERS) return null
  const counted = await db.many<CrowdCount>(byZone ? COUNT_CROWD_BY_ZONE : COUNT_CROWD, [...begin, now])
  const suppressed =
    edge.suppressionCount === 0 ? [] : await db.many<Omit<CrowdCount, 'count'> & Edge>(LIST_SUPPRESSED, [...begin, MOST_SUPPRESSIONS])
  const groupOf = ({ timezone, dueAt }: Omit<CrowdCount, 'count'>): string =>
    JSON.stringify([byZone ? timezone : null, dueAt <= now ? null : Math.floor(dueAt.getTime() / MINUTE_MS)])
  const without = Map.groupBy(suppressed, groupOf)
  const counts = counted.map(row => ({ ...row, count: row.count - (without.get(groupOf(row))?.length ?? 0) }))
  return {
    edge: { dueAt: edge.dueAt, id: edge.id },
    counts: counts.filter(({ count }) => count > 0),
    others: [...others, ...suppressed].map(({ id }) => id),
  }
}
