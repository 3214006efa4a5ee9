import { sql, type Tx } from '../../db/client.ts'

const PULL_FORWARD = sql(`
  with answered as (
    update answers
    set due_at = greatest($1, due_at - $2 * interval '1 millisecond')
    where due_at > $1
  )
  update sends
  set reconcile_at = greatest($1, reconcile_at - $2 * interval '1 millisecond')
  where status = 'unknown'
    and reconcile_at > $1`)

/** After the clock was set back: moves the times of reconciling and of waiting answers, so that neither is late. */
export const pullSendsForward = (tx: Tx, now: Date, byMs: number): Promise<number> => tx.run(PULL_FORWARD, [now, byMs])
