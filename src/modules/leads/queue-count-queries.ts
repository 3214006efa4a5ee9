import { sql, type Tx } from '../../db/client.ts'

// Rows that add up to zero can be deleted: the sum stays the same, whatever other transactions add.
const CLEAR = sql(`
  with free as materialized (
    select id, campaign_id, timezone, due_minute, count
    from lead_queue_counts
    where (campaign_id, due_minute) in (
      select campaign_id, due_minute
      from lead_queue_counts
      group by 1, 2
      having count(*) > 1
    )
    for update skip locked
  ), balanced as (
    select campaign_id, timezone, due_minute
    from free
    group by 1, 2, 3
    having sum(count) = 0
  )
  delete from lead_queue_counts q
  using free f
  join balanced b
    on b.campaign_id = f.campaign_id and b.due_minute = f.due_minute and b.timezone is not distinct from f.timezone
  where q.id = f.id`)

/** Concurrent transactions for the same minute leave rows that cancel each other out. */
export const clearQueueCounts = (tx: Tx): Promise<number> => tx.run(CLEAR)
