import { sql, type Tx } from '../../db/client.ts'

const PULL_FORWARD = sql(`
  update sends
  set reconcile_at = greatest($1, reconcile_at - $2 * interval '1 millisecond')
  where status = 'unknown'
    and reconcile_at > $1`)

/** After the clock was set back: a message in doubt is looked for as soon as it would have been. */
export const pullSendsForward = (tx: Tx, now: Date, byMs: number): Promise<number> => tx.run(PULL_FORWARD, [now, byMs])
