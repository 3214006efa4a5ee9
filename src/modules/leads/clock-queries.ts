import { sql, type Tx } from '../../db/client.ts'

// The update time of a lead, or of its postponed message, shows that its due time was set under the wrong clock. A due time
// from before stays as it is. Holds for a busy domain are checked again anyway.
const PULL_FORWARD = sql(`
  update leads
  set due_at = case when due_at > $1 then greatest($1, due_at - $2 * interval '1 millisecond') else due_at end,
    completes_at = case when completes_at > $1 then greatest($1, completes_at - $2 * interval '1 millisecond') else completes_at end,
    updated_at = least(updated_at, $1)
  where (due_at > $1 or completes_at > $1)
    and (updated_at > $1
      or hold_reason = 'domain_throttle'
      or exists (select from sends where lead_id = leads.id and claimed_at > $1))`)

/** After the clock was set back: a lead that was due in an hour is still due in an hour. */
export const pullLeadsForward = (tx: Tx, now: Date, byMs: number): Promise<number> => tx.run(PULL_FORWARD, [now, byMs])
