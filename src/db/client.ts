import { setTimeout as sleep } from 'node:timers/promises'

import pg from 'pg'
import { patient } from '../lib/time.ts'
import { isConflict, isConnectTimeout, isLockedByOthers, isPoolTimeout, isTooManyConnections, PoolSaturated } from './errors.ts'
import { Lookups } from './lookup.ts'
import { ask, askAlone, closeUnused, setAnswerLimit } from './questions.ts'
import type { AtomicSql, Deferred, Lookup, ReadSql, Sql, Tx, Writer } from './sql.ts'

pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number)

interface DatabaseOptions {
  url: string
  poolSize: number
  /** Called after the commit of what has woken them. */
  onWake: (queues: ReadonlySet<string>) => void
  /** Called, now and then, while there are too few connections. */
  onSaturated?: (error: PoolSaturated) => void
  /** After this time without a response, a connection is ended. */
  answerLimitMs?: number | undefined
}

const CONNECT_LIMIT_MS = 1500
/** After a refused connection, the pool opens no further ones for this time. */
const PAUSE_GROWTH_MS = 5000
const RETRY_MS = 50
const REPORT_EVERY_MS = 10_000

const REQUEST_WAITS_MS = 4000
const REPEAT_WITHIN_MS = 6000
const REPEAT_AFTER_MS = 100
/** Leaves PostgreSQL no plan that reads more of a table than the rows that it looks for. */
const BY_INDEX = ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin'].map(kind => `set local enable_${kind} = off`).join('; ')
/** The plan is kept, because there is hardly a choice, and PostgreSQL made it again most of the time. */
const BEGIN_BY_INDEX = `begin; ${BY_INDEX}; set local plan_cache_mode = force_generic_plan`
/** A read may join in any way. */
const BEGIN_READ_BY_INDEX =
  'begin; set local enable_seqscan = off; set local enable_bitmapscan = off; set local plan_cache_mode = force_generic_plan'
/** Well before the statement times out: a locked row says nothing about the work, and must not look like work that takes too long. */
const LOCK_WAIT_MS = 5000

export class Database implements Writer {
  readonly pool: pg.Pool
  readonly url: string
  readonly #lookups = new Lookups((statement, values) => this.many(statement, values))
  readonly #onWake: DatabaseOptions['onWake']
  readonly #onSaturated: ((error: PoolSaturated) => void) | undefined
  readonly #poolSize: number
  #reportedAt = Number.NEGATIVE_INFINITY
  #growing: NodeJS.Timeout | undefined
  #isMakingRoom = false
  /** How often a caller got no connection. */
  saturatedCount = 0

  constructor(options: DatabaseOptions) {
    this.url = options.url
    this.#onWake = options.onWake
    this.#onSaturated = options.onSaturated
    this.#poolSize = options.poolSize
    this.pool = new pg.Pool({
      connectionString: options.url,
      max: options.poolSize,
      connectionTimeoutMillis: patient(CONNECT_LIMIT_MS),
      // Longer than the pauses between bursts, because a new connection plans every statement again. Not much longer: another process may be
      // waiting for the connection.
      idleTimeoutMillis: 30_000,
      statement_timeout: patient(15_000),
      lock_timeout: LOCK_WAIT_MS,
      idle_in_transaction_session_timeout: patient(30_000),
      application_name: 'overture',
    })
    // A connection that PostgreSQL drops emits `error`; without a listener that would end the process. The
    // running query still fails on its own, so there is nothing more to do here.
    this.pool.on('error', () => {})
    this.pool.on('release', (error, client) => {
      if (!error) closeUnused(client)
    })
    this.pool.on('connect', client => {
      client.on('error', () => {})
      if (options.answerLimitMs !== undefined) setAnswerLimit(client, options.answerLimitMs)
    })
  }

  async many<R>(statement: ReadSql, values: readonly unknown[] = []): Promise<R[]> {
    return (await this.#read(statement, values)).rows as R[]
  }

  async first<R>(statement: ReadSql, values: readonly unknown[] = []): Promise<R | undefined> {
    return (await this.#read(statement, values)).rows[0] as R | undefined
  }

  async write<R>(statement: AtomicSql, values: readonly unknown[] = [], wakes: readonly string[] = []): Promise<R[]> {
    const { rows } = statement.isByIndex
      ? await this.inTransaction(tx => tx.query(statement, values), BEGIN_BY_INDEX)
      : await this.#query(statement, values)
    if (wakes.length > 0) this.#onWake(new Set(wakes))
    return rows as R[]
  }

  find<R>(what: Lookup, keys: readonly unknown[]): Promise<R | undefined> {
    return this.#lookups.find(what, keys) as Promise<R | undefined>
  }

  #read(statement: Sql, values: readonly unknown[]): Promise<pg.QueryResult> {
    if (statement.writes) throw new Error(`this statement writes or locks, so it needs a transaction: ${statement.text}`)
    return statement.isByIndex ? this.inTransaction(tx => tx.query(statement, values), BEGIN_READ_BY_INDEX) : this.#query(statement, values)
  }

  #query(statement: Sql, values: readonly unknown[]): Promise<pg.QueryResult> {
    return askAlone(this.#connect, { name: statement.name, text: statement.text, values: values as unknown[] })
  }

  /**
   * A connection of the pool. When PostgreSQL refuses more connections, the pool uses those that it has: it requests no other
   * for a while, and callers that need one wait for their turn. A new connection that takes too long is tried once more: timers count the
   * time for which this process was busy itself, so the database may have answered long ago.
   */
  readonly #connect = async (): Promise<pg.PoolClient> => {
    const deadline = performance.now() + patient(CONNECT_LIMIT_MS)
    for (let tries = 1; ; tries++) {
      try {
        return await this.pool.connect()
      } catch (error) {
        if (tries === 1 && isConnectTimeout(error) && !isPoolTimeout(error)) continue
        const isRefused = isTooManyConnections(error)
        if (!isRefused && !isPoolTimeout(error)) throw error
        if (isRefused) this.#pauseGrowth()
        if (!isRefused || performance.now() >= deadline) throw this.#saturated(error)
        await sleep(RETRY_MS)
      }
    }
  }

  /**
   * Gives one connection of the pool back to PostgreSQL, for a part of this process that got none and that the others depend on. A busy
   * pool would never release one on its own.
   */
  async makeRoom(): Promise<void> {
    if (this.pool.totalCount < 2 || this.#isMakingRoom) return
    this.#isMakingRoom = true
    // Limits the pool before it asks: otherwise it would try to open another connection and be refused, instead of waiting for one of its
    // own.
    this.#pauseGrowth()
    try {
      const client = await this.pool.connect()
      client.release(true)
      this.#pauseGrowth()
    } catch {
      // Next time.
    } finally {
      this.#isMakingRoom = false
    }
  }

  #pauseGrowth(): void {
    this.pool.options.max = Math.max(1, this.pool.totalCount)
    clearTimeout(this.#growing)
    this.#growing = setTimeout(() => {
      this.pool.options.max = this.#poolSize
    }, PAUSE_GROWTH_MS).unref()
  }

  #saturated(cause: unknown): PoolSaturated {
    this.saturatedCount++
    const error = new PoolSaturated(this.pool.totalCount, cause)
    if (performance.now() - this.#reportedAt > REPORT_EVERY_MS) {
      this.#reportedAt = performance.now()
      this.#onSaturated?.(error)
    }
    return error
  }

  /**
   * A transaction of a request: it gives up on locked rows before the client gives up. When it loses against others that lock or change the
   * same rows, nothing was stored, and `work` is done again.
   */
  async inRequest<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const deadline = performance.now() + REPEAT_WITHIN_MS
    for (;;) {
      try {
        return await this.inRequestOnce(work)
      } catch (error) {
        if (!(isConflict(error) || isLockedByOthers(error)) || performance.now() > deadline) throw error
        // Transactions that collided must not retry at the same time.
        await sleep(Math.random() * REPEAT_AFTER_MS)
      }
    }
  }

  /** The same for work that cannot be repeated, because it reads a stream. */
  inRequestOnce<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.withLockTimeout(REQUEST_WAITS_MS, work)
  }

  /** Gives up on rows that others keep locked for longer than this, see isLockedByOthers. */
  withLockTimeout<T>(lockWaitMs: number, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.inTransaction(work, `begin; set local lock_timeout = ${lockWaitMs}`)
  }

  async inTransaction<T>(work: (tx: Transaction) => Promise<T>, begin = 'begin'): Promise<T> {
    const client = await this.#connect()
    const tx = new Transaction(client)
    let broken: Error | undefined
    try {
      await ask(client, begin)
      const result = await work(tx)
      await tx.flush()
      await ask(client, 'commit')
      if (tx.wakes.size > 0) this.#onWake(tx.wakes)
      return result
    } catch (error) {
      await ask(client, 'rollback').catch(failure => {
        broken = failure as Error
      })
      throw error
    } finally {
      client.release(broken)
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#growing)
    await this.pool.end()
  }
}

class Transaction implements Tx {
  readonly client: pg.PoolClient
  readonly wakes = new Set<string>()
  readonly #deferred = new Map<Deferred<unknown>, unknown[]>()

  constructor(client: pg.PoolClient) {
    this.client = client
  }

  async many<R>(statement: Sql, values: readonly unknown[] = []): Promise<R[]> {
    return (await this.query(statement, values)).rows as R[]
  }

  async first<R>(statement: Sql, values: readonly unknown[] = []): Promise<R | undefined> {
    return (await this.query(statement, values)).rows[0] as R | undefined
  }

  find<R>(what: Lookup, keys: readonly unknown[]): Promise<R | undefined> {
    return this.first<R>(what.one, keys)
  }

  write<R>(statement: AtomicSql, values: readonly unknown[] = [], wakes: readonly string[] = []): Promise<R[]> {
    for (const queue of wakes) this.wake(queue)
    return this.many<R>(statement, values)
  }

  async run(statement: Sql, values: readonly unknown[] = []): Promise<number> {
    return (await this.query(statement, values)).rowCount ?? 0
  }

  query(statement: Sql, values: readonly unknown[]): Promise<pg.QueryResult> {
    return ask(this.client, { name: statement.name, text: statement.text, values: values as unknown[] })
  }

  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    const lengths = new Map([...this.#deferred].map(([kind, items]) => [kind, items.length]))
    await ask(this.client, 'savepoint step')
    try {
      const result = await work()
      await ask(this.client, 'release savepoint step')
      return result
    } catch (error) {
      await ask(this.client, 'rollback to savepoint step; release savepoint step')
      for (const [kind, items] of this.#deferred) items.length = lengths.get(kind) ?? 0
      throw error
    }
  }

  defer<I>(kind: Deferred<I>, item: I): void {
    const items = this.#deferred.get(kind as Deferred<unknown>)
    if (items) items.push(item)
    else this.#deferred.set(kind as Deferred<unknown>, [item])
  }

  wake(queue: string): void {
    this.wakes.add(queue)
  }

  /** Flushing can defer more work, so this repeats until nothing is left. */
  async flush(): Promise<void> {
    for (let round = 0; this.#deferred.size > 0; round++) {
      if (round > 10) throw new Error('deferred work keeps deferring more work')
      const due = [...this.#deferred]
      this.#deferred.clear()
      for (const [kind, items] of due) if (items.length > 0) await kind.flush(this, items)
    }
  }
}
