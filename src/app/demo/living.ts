import type { Context } from '../../context/context.ts'
import type { AtomicSql, Database, Sql, Tx } from '../../db/client.ts'
import { VirtualClock } from '../../lib/clock.ts'
import { DAY_MS, HOUR_MS } from '../../lib/time.ts'
import { Sending } from '../campaign-work.ts'

/** The hours of the day at which something is done about it; what happens at night is found in the morning. */
const FIRST_HOUR = 7
const LAST_HOUR = 17
const STEP_HOURS = 2

/**
 * Lets the campaigns of this transaction live from then until now, on a clock of their own: what was sent, who answered
 * and who bounced is all there when the transaction commits, and nothing of it is seen before.
 */
export async function liveThrough(tx: Tx, ctx: Context, from: Date, until: Date): Promise<void> {
  const clock = new VirtualClock(from)
  const sending = new Sending({ ...ctx, clock, db: within(tx) }, { id: async () => 0 })
  for (let at = from.getTime(); at < until.getTime(); ) {
    clock.set(new Date(at))
    await playOut(sending)
    const hour = clock.now().getUTCHours()
    at = hour >= LAST_HOUR ? Math.floor(at / DAY_MS) * DAY_MS + DAY_MS + FIRST_HOUR * HOUR_MS : at + STEP_HOURS * HOUR_MS
  }
  clock.set(until)
  await playOut(sending)
}

/** The sandbox has no mail servers to ask about what was sent. */
async function playOut(sending: Sending): Promise<void> {
  while ((await sending.takeTurn()) > 0);
}

/** A database that is this transaction: each transaction within it is a savepoint, one after the other. */
function within(tx: Tx): Database {
  let last: Promise<unknown> = Promise.resolve()
  const inside = {
    many: (statement: Sql, values?: readonly unknown[]) => tx.many(statement, values),
    first: (statement: Sql, values?: readonly unknown[]) => tx.first(statement, values),
    write: (statement: AtomicSql, values?: readonly unknown[]) => tx.write(statement, values),
    inTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
      const turn = last.then(() => tx.savepoint(() => work(tx)))
      last = turn.catch(() => {})
      return turn
    },
  }
  return inside as unknown as Database
}
