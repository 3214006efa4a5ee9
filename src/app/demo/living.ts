import type { Context } from '../../context/context.ts'
import { type AtomicSql, type Database, type Sql, sql, type Tx } from '../../db/client.ts'
import { VirtualClock } from '../../lib/clock.ts'
import { DAY_MS, HOUR_MS } from '../../lib/time.ts'
import { CampaignWork } from '../campaign-work.ts'

/** The hours of the day at which something is done about it; what happens at night is found in the morning. */
const FIRST_HOUR = 7
const LAST_HOUR = 17
const STEP_HOURS = 2

/**
 * Lets the campaigns of this transaction live from then until now, on a clock of their own: what was sent, who answered
 * and who bounced is all there when the transaction commits, and nothing of it is seen before.
 */
export async function liveThrough(tx: Tx, ctx: Context, from: Date, until: Date): Promise<void> {
  const life = new Life(tx)
  // The sender repeats a record until it is stored, which can never be once a part has failed.
  await Promise.race([play(tx, life, ctx, from, until), life.failure])
}

async function play(tx: Tx, life: Life, ctx: Context, from: Date, until: Date): Promise<void> {
  const clock = new VirtualClock(from)
  const work = new CampaignWork({ ...ctx, clock, db: life.db }, { id: async () => 0 })
  /** The sandbox has no mail servers to ask about what was sent. */
  const playOut = async (): Promise<void> => {
    while ((await isAnythingDue(tx, clock.now())) && (await work.takeTurn()) > 0);
  }
  for (let at = from.getTime(); at < until.getTime(); ) {
    clock.set(new Date(at))
    await playOut()
    const hour = clock.now().getUTCHours()
    at = hour >= LAST_HOUR ? Math.floor(at / DAY_MS) * DAY_MS + DAY_MS + FIRST_HOUR * HOUR_MS : at + STEP_HOURS * HOUR_MS
  }
  clock.set(until)
  await playOut()
  await life.settled
}

/** At most hours of most days nothing is, and a turn that finds that out by itself asks eight times. */
const IS_ANYTHING_DUE = sql(`
  select exists (select from sandbox_reactions where due_at <= $1)
    or exists (select from leads where due_at <= $1)
    or exists (select from leads where completes_at <= $1) as "isDue"`)

const isAnythingDue = async (tx: Tx, now: Date): Promise<boolean> => (await tx.first<{ isDue: boolean }>(IS_ANYTHING_DUE, [now]))!.isDue

/** A database that is this transaction: each transaction within it is a part of it, one after the other. When one fails, so do all behind it. */
export class Life {
  readonly db: Database
  settled: Promise<unknown> = Promise.resolve()
  /** Rejects when a part fails. */
  readonly failure: Promise<never>

  constructor(tx: Tx) {
    const { promise, reject } = Promise.withResolvers<never>()
    this.failure = promise
    promise.catch(() => {})
    const inTransaction = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
      const turn = this.settled.then(() => work(tx))
      this.settled = turn
      turn.catch(reject)
      return turn
    }
    const inside = {
      many: (statement: Sql, values?: readonly unknown[]) => tx.many(statement, values),
      first: (statement: Sql, values?: readonly unknown[]) => tx.first(statement, values),
      write: (statement: AtomicSql, values?: readonly unknown[]) => tx.write(statement, values),
      inTransaction,
      inImpatience: <T>(_: number, work: (tx: Tx) => Promise<T>): Promise<T> => inTransaction(work),
    }
    this.db = inside as unknown as Database
  }
}
