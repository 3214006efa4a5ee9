import { type Db, sql, type Tx } from '../../db/client.ts'

// The search index of leads: one row has the words of many leads, because a few large texts are searched much faster than
// every lead. It is written when a lead is added, changed or removed, but not when a message is sent to it.

/** The separator between the words of two leads. No word contains it. */
const BETWEEN = "e'\\x01'"
const PER_ROW = 60

/** The searchable words of a lead in `table`. */
export const wordsOf = (table: string): string =>
  `words_of_lead(${['email', 'full_name', 'first_name', 'last_name', 'company'].map(column => `${table}.${column}`).join(', ')})`

/** A part of a word as a parameter, normalized like the words of leads. */
const asWords = (part: string): string => `translate(lower(${part}), ${BETWEEN}, ' ')`

/** Whether the words of a lead contain it. */
export const hasWords = (table: string, part: string): string => `position(${asWords(part)} in ${wordsOf(table)}) > 0`

const FIND_WITH = sql(`
  select each.id
  from lead_words w
  cross join lateral unnest(w.lead_ids, string_to_array(w.words, ${BETWEEN})) as each(id, words)
  where w.campaign_id = $1
    and position(${asWords('$2')} in w.words) > 0
    and position(${asWords('$2')} in each.words) > 0
  limit $3`)

/** The ids of leads of a campaign that contain it, in no order. */
export const findWithWords = async (db: Db, campaignId: string, part: string, most: number): Promise<string[]> =>
  (await db.many<{ id: string }>(FIND_WITH, [campaignId, part, most])).map(({ id }) => id)

// The rows of a campaign never overlap: a lead belongs to the row that begins at it or before it, so one index lookup finds that
// row. The whole row is written again, so that no outdated words remain; the words of its other leads are
// copied from the row. A full row that ends before the lead stays as it is.
const REWRITE = sql(`
  with asked as materialized (
    select each.id, home.*
    from (select distinct unnest($2::uuid[])) as each(id)
    left join lateral (
      select first_id, last_id, size
      from lead_words
      where campaign_id = $1 and first_id <= each.id
      order by first_id desc
      limit 1
    ) as home on true
  ), stale as (
    delete from lead_words w
    using (
      select distinct first_id
      from asked
      where id <= last_id or size < ${PER_ROW}
    ) as home
    where w.campaign_id = $1 and w.first_id = home.first_id
    returning w.first_id as home, w.lead_ids, w.words
  ), held as materialized (
    select asked.id, asked.first_id as home, ${wordsOf('l')} as words
    from asked
    cross join lateral (
      select *
      from leads
      where leads.id = asked.id and leads.campaign_id = $1
      limit 1
    ) as l
    union all
    select each.id, home, each.words
    from stale
    cross join lateral unnest(lead_ids, string_to_array(words, ${BETWEEN})) as each(id, words)
    where not exists (select from asked where asked.id = each.id)
  )
  insert into lead_words (campaign_id, first_id, last_id, size, lead_ids, words)
  select $1, (array_agg(id order by id))[1], (array_agg(id order by id desc))[1], count(*), array_agg(id order by id),
    string_agg(words, ${BETWEEN} order by id)
  from (
    select id, home, words, (row_number() over (partition by home order by id) - 1) / ${PER_ROW} as part
    from held
  ) as l
  group by home, part`)

/** Updates the words after leads were added, changed or removed. The campaign must be locked. */
export async function rewriteWords(tx: Tx, campaignId: string, leadIds: string[]): Promise<void> {
  if (leadIds.length > 0) await tx.run(REWRITE, [campaignId, leadIds])
}
