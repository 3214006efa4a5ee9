import { sql, type Tx } from '../../db/client.ts'

const PULL_FORWARD = sql(`
  update tracking_hosts
  set check_at = greatest($1, check_at - $2 * interval '1 millisecond')
  where check_at > $1`)

/** After the clock was set back: a host whose check was due in a minute is still checked in a minute. */
export const pullHostsForward = (tx: Tx, now: Date, byMs: number): Promise<number> => tx.run(PULL_FORWARD, [now, byMs])
