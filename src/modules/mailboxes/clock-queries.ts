import { sql, type Tx } from '../../db/client.ts'

// A counted day stays, because moving a mailbox to another zone must not give it the cap of a second day. A day after tomorrow in UTC
// exists in no zone, so it was counted under the wrong clock.
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

/** After the clock was set back: a mailbox that had to rest for an hour still rests for an hour. */
export const pullMailboxesForward = (tx: Tx, now: Date, byMs: number): Promise<number> => tx.run(PULL_FORWARD, [now, byMs])
