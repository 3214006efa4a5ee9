import { sql, type Tx } from '../../db/client.ts'

// A day that was counted never goes back, or moving a mailbox to another zone would give it a second one. A day that is
// further away than zones are was never one.
const PULL_FORWARD = sql(`
  update providers
  set next_slot_at = case when next_slot_at > $1 then greatest($1, next_slot_at - $2 * interval '1 millisecond') else next_slot_at end,
    resting_until = case when resting_until > $1 then greatest($1, resting_until - $2 * interval '1 millisecond') else resting_until end,
    verify_at = case when verify_at > $1 then greatest($1, verify_at - $2 * interval '1 millisecond') else verify_at end,
    load_day = case when load_day > to_char($1::timestamptz at time zone 'UTC' + interval '1 day', 'YYYY-MM-DD') then null else load_day end
  where next_slot_at > $1
    or resting_until > $1
    or verify_at > $1
    or load_day > to_char($1::timestamptz at time zone 'UTC' + interval '1 day', 'YYYY-MM-DD')`)

/** After the clock was set back: a mailbox rests as long as it was to rest, and not until that time comes again. */
export const pullMailboxesForward = (tx: Tx, now: Date, byMs: number): Promise<number> => tx.run(PULL_FORWARD, [now, byMs])
