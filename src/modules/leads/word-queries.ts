import { sql, type Tx } from '../../db/client.ts'

// What leads are searched by: the words of many leads in one row, because a few large texts are looked through much faster than
// every lead. They are written when a lead is added, changed or removed, and never when something is sent to it.

/** Between the words of two leads. No lead has it in its words. */
const BETWEEN = "e'\\x01'"
const PER_ROW = 60
/** A row with fewer leads is small. This many small rows become one. */
const SMALL = 8

/** A part of a word, as a parameter, written as the words of leads are. */
const asWords = (part: string): string => `translate(lower(${part}), ${BETWEEN}, ' ')`

/** Whether a lead has a part of a word; its columns must be in reach. */
export const hasWords = (part: string): string =>
  `position(${asWords(part)} in words_of_lead(email, full_name, first_name, last_name, company)) > 0`

/** The ids of the leads of a campaign that have it, as a table. */
export const leadsWithWords = (campaignId: string, part: string): string => `
    select each.id as lead_id
    from lead_words w
    cross join lateral unnest(w.lead_ids, string_to_array(w.words, ${BETWEEN})) as each(id, words)
    where w.campaign_id = ${campaignId}
      and position(${asWords(part)} in w.words) > 0
      and position(${asWords(part)} in each.words) > 0`

// Rows with leads that changed are written again as a whole, so that nothing is left of words that a lead does not have any more.
const REWRITE = sql(`
  with stale as (
    delete from lead_words w
    where w.campaign_id = $1
      and ((
          w.first_id <= any($2::uuid[])
          and w.last_id >= any($2::uuid[])
          and exists (select from unnest(w.lead_ids) as held(id) where held.id = any($2::uuid[])))
        or (
          w.size < ${SMALL}
          and (select count(*) from lead_words s where s.campaign_id = $1 and s.size < ${SMALL}) >= ${SMALL}))
    returning w.lead_ids
  ), held as materialized (
    select unnest($2::uuid[]) as id
    union
    select unnest(lead_ids)
    from stale
  )
  insert into lead_words (campaign_id, first_id, last_id, size, lead_ids, words)
  select $1, (array_agg(id order by id))[1], (array_agg(id order by id desc))[1], count(*), array_agg(id order by id),
    string_agg(words, ${BETWEEN} order by id)
  from (
    select l.id, words_of_lead(l.email, l.full_name, l.first_name, l.last_name, l.company) as words,
      (row_number() over (order by l.id) - 1) / ${PER_ROW} as part
    from held
    cross join lateral (
      select *
      from leads
      where leads.id = held.id and leads.campaign_id = $1
      limit 1
    ) as l
  ) as l
  group by part`)

/** After leads were added, changed or removed: from here on they are found by the words that they have now. The campaign must be locked. */
export async function rewriteWords(tx: Tx, campaignId: string, leadIds: string[]): Promise<void> {
  if (leadIds.length > 0) await tx.run(REWRITE, [campaignId, leadIds])
}
