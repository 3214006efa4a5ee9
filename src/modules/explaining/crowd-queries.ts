import { type Db, sql } from '../../db/client.ts'
import { MINUTE_MS } from '../../lib/time.ts'

// Most leads of a large campaign have received no message, have no hold, and will not be due for weeks. We call them the crowd. They are
// counted in the index of the queue and not read one by one. Members of the crowd who were suppressed after the campaign was created are
// found through their suppressions.

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
      where campaign_id = $1 and lower(email) = y.value
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

// One index-only scan. Leads that are already due are counted with the first of them, the others with the first of their minute.
const countCrowd = (zone: string) =>
  sql(`
  select count(*) filter (where ${IS_PLAIN})::int as count, ${zone} as timezone, min(due_at) as "dueAt",
    (array_agg(id) filter (where not ${IS_PLAIN}))[1:${MOST_OTHERS + 1}] as others
  from leads
  where ${IN_FIRST_QUEUE} and (due_at, id) >= ($2::timestamptz, $3::uuid) and due_at <= $4
  group by ${zone}
  union all
  select count(*) filter (where ${IS_PLAIN})::int, ${zone}, min(due_at),
    (array_agg(id) filter (where not ${IS_PLAIN}))[1:${MOST_OTHERS + 1}]
  from leads
  where ${IN_FIRST_QUEUE} and (due_at, id) >= ($2::timestamptz, $3::uuid) and due_at > $4
  group by ${zone}, date_bin(interval '1 minute', due_at, 'epoch')`)

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
  const counted = await db.many<CrowdCount & { others: string[] | null }>(byZone ? COUNT_CROWD_BY_ZONE : COUNT_CROWD, [...begin, now])
  if (counted.reduce((sum, { others }) => sum + (others?.length ?? 0), 0) > MOST_OTHERS) return null
  const suppressed =
    edge.suppressionCount === 0 ? [] : await db.many<Omit<CrowdCount, 'count'> & Edge>(LIST_SUPPRESSED, [...begin, MOST_SUPPRESSIONS])
  const groupOf = ({ timezone, dueAt }: Omit<CrowdCount, 'count'>): string =>
    JSON.stringify([byZone ? timezone : null, dueAt <= now ? null : Math.floor(dueAt.getTime() / MINUTE_MS)])
  const without = Map.groupBy(suppressed, groupOf)
  const counts = counted.map(({ others: _, ...row }) => ({ ...row, count: row.count - (without.get(groupOf(row))?.length ?? 0) }))
  return {
    edge: { dueAt: edge.dueAt, id: edge.id },
    counts: counts.filter(({ count }) => count > 0),
    others: [...counted.flatMap(({ others }) => others ?? []), ...suppressed.map(({ id }) => id)],
  }
}
