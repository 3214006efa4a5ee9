import { sql, type Tx } from '../../db/client.ts'

const PULL_FORWARD = sql(`
  update sandbox_reactions
  set due_at = greatest($1, due_at - $2 * interval '1 millisecond')
  where due_at > $1`)

/** After the clock was set back: simulated recipients do not react later because of it. */
export const pullReactionsForward = (tx: Tx, now: Date, byMs: number): Promise<number> => tx.run(PULL_FORWARD, [now, byMs])
