import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { isConnectTimeout, isPoolTimeout, isTooManyConnections, PoolSaturated } from './errors.ts'
import { type Lookup, Lookups } from './lookup.ts'
import { readPlainArraysQuickly } from './plain-arrays.ts'
import { askAlone, askTogether } from './questions.ts'
import type { AtomicSql, ReadSql, Sql } from './sql.ts'

export { isConflict, isConnectionRefused, isDatabaseDown, isLockedByOthers, isTooLate, isUnwritable, PoolSaturated } from './errors.ts'
export { type Lookup, lookup } from './lookup.ts'
export { type AtomicSql, type ReadSql, type Sql, sql } from './sql.ts'

pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number)
readPlainArraysQuickly(pg.types)

/** Something that can be read from: the pool, or a transaction. */
export interface Db {
  many<R>(statement: ReadSql, values?: readonly unknown[]): Promise<R[]>
  first<R>(statement: ReadSql, values?: readonly unknown[]): Promise<R | undefined>
  find<R>(what: Lookup, keys: readonly unknown[]): Promise<R | undefined>
}

/** Runs a write that is a single statement: the pool, because a transaction would cost two more round trips. */
export interface Writer extends Db {
  write<R>(statement: AtomicSql, values?: readonly unknown[]): Promise<R[]>
}

/**
 * Work that is collected during a transaction and done once, just before it commits: the event log takes its
 * sequence numbers this way, so the counter of a workspace is locked for the shortest possible time.
 */
export interface Deferred<I> {
  flush(tx: Tx, items: I[]): Promise<void>
}

/** Something that can be written to. Writes take a `Tx`, so that passing the pool does not compile. */
export interface Tx extends Writer {
  many<R>(statement: Sql, values?: readonly unknown[]): Promise<R[]>
  first<R>(statement: Sql, values?: readonly unknown[]): Promise<R | undefined>
  /** How many rows the statement touched. */
  run(statement: Sql, values?: readonly unknown[]): Promise<number>
  /** Runs all of `work` or nothing of it, and keeps the transaction around it. */
  savepoint<T>(work: () => Promise<T>): Promise<T>
  defer<I>(kind: Deferred<I>, item: I): void
  /** Wakes a queue, here and in other processes, once this transaction has committed. */
  wake(queue: string): void
  /** The connection itself, for COPY streams. */
  readonly client: pg.PoolClient
}

class Transaction implements Tx {
  readonly client: pg.PoolClient
  readonly wakes = new Set<string>()
  readonly #deferred = new Map<Deferred<unknown>, unknown[]>()
  #lookups: Lookups | undefined

  constructor(client: pg.PoolClient) {
    this.client = client
  }

  async many<R>(statement: Sql, values: readonly unknown[] = []): Promise<R[]> {
    return (await this.#query(statement, values)).rows as R[]
  }

  async first<R>(statement: Sql, values: readonly unknown[] = []): Promise<R | undefined> {
    return (await this.#query(statement, values)).rows[0] as R | undefined
  }

  /** Requests at the same moment share one query here, too. */
  find<R>(what: Lookup, keys: readonly unknown[]): Promise<R | undefined> {
    this.#lookups ??= new Lookups(questions => questions.map(question => this.client.query(question)), { isTransaction: true })
    return this.#lookups.find(what, keys) as Promise<R | undefined>
  }

  write<R>(statement: AtomicSql, values: readonly unknown[] = []): Promise<R[]> {
    return this.many<R>(statement, values)
  }

  async run(statement: Sql, values: readonly unknown[] = []): Promise<number> {
    return (await this.#query(statement, values)).rowCount ?? 0
  }

  #query(statement: Sql, values: readonly unknown[]): Promise<pg.QueryResult> {
    return this.client.query({ name: statement.name, text: statement.text, values: values as unknown[] })
  }

  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    const lengths = new Map([...this.#deferred].map(([kind, items]) => [kind, items.length]))
    await this.client.query('savepoint step')
    try {
      const result = await work()
      await this.client.query('release savepoint step')
      return result
    } catch (error) {
      await this.client.query('rollback to savepoint step; release savepoint step')
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

interface DatabaseOptions {
  url: string
  poolSize: number
  onWake: (queues: ReadonlySet<string>) => void
  applicationName?: string
  /** Called, now and then, while there are too few connections. */
  onSaturated?: (error: PoolSaturated) => void
}

const CONNECT_LIMIT_MS = 1500
/** After a refused connection, the pool opens no further ones for this time. */
const MODEST_MS = 5000
const RETRY_MS = 50
const TELL_EVERY_MS = 10_000

const REQUEST_WAITS_MS = 4000
/** Well before the statement times out: a locked row says nothing about the work, and must not look like work that takes too long. */
const LOCK_WAIT_MS = 5000

export class Database implements Writer {
  readonly pool: pg.Pool
  readonly url: string
  readonly #lookups: Lookups
  readonly #onWake: (queues: ReadonlySet<string>) => void
  readonly #onSaturated: ((error: PoolSaturated) => void) | undefined
  readonly #poolSize: number
  #toldAt = Number.NEGATIVE_INFINITY
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
      connectionTimeoutMillis: CONNECT_LIMIT_MS,
      // Not for long: another process may be waiting for the connection.
      idleTimeoutMillis: 10_000,
      statement_timeout: 15_000,
      lock_timeout: LOCK_WAIT_MS,
      query_timeout: 20_000,
      idle_in_transaction_session_timeout: 30_000,
      application_name: options.applicationName ?? 'overture',
    })
    this.#lookups = new Lookups(questions => askTogether(this.#connect, questions))
    // A connection that PostgreSQL drops emits `error`; with nobody listening that would end the process. The
    // query that was under way still fails by itself, so there is nothing more to do here.
    this.pool.on('error', () => {})
    this.pool.on('connect', client => client.on('error', () => {}))
  }

  async many<R>(statement: ReadSql, values: readonly unknown[] = []): Promise<R[]> {
    return (await this.#read(statement, values)).rows as R[]
  }

  async first<R>(statement: ReadSql, values: readonly unknown[] = []): Promise<R | undefined> {
    return (await this.#read(statement, values)).rows[0] as R | undefined
  }

  async write<R>(statement: AtomicSql, values: readonly unknown[] = []): Promise<R[]> {
    return (await this.#query(statement, values)).rows as R[]
  }

  find<R>(what: Lookup, keys: readonly unknown[]): Promise<R | undefined> {
    return this.#lookups.find(what, keys) as Promise<R | undefined>
  }

  #read(statement: Sql, values: readonly unknown[]): Promise<pg.QueryResult> {
    if (statement.writes) throw new Error(`this statement writes or locks, so it needs a transaction: ${statement.text}`)
    return this.#query(statement, values)
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
    const deadline = performance.now() + CONNECT_LIMIT_MS
    for (let tries = 1; ; tries++) {
      try {
        return await this.pool.connect()
      } catch (error) {
        if (tries === 1 && isConnectTimeout(error) && !isPoolTimeout(error)) continue
        const isRefused = isTooManyConnections(error)
        if (!isRefused && !isPoolTimeout(error)) throw error
        if (isRefused) this.#beModest()
        if (!isRefused || performance.now() >= deadline) throw this.#saturated(error)
        await sleep(RETRY_MS)
      }
    }
  }

  /**
   * Gives one connection of the pool back to PostgreSQL, for a part of this process that got none and that the others depend on. A busy
   * pool would never release one by itself.
   */
  async makeRoom(): Promise<void> {
    if (this.pool.totalCount < 2 || this.#isMakingRoom) return
    this.#isMakingRoom = true
    // Limits the pool before it asks: otherwise it would try to open another connection and be refused, instead of waiting for one of its
    // own.
    this.#beModest()
    try {
      const client = await this.pool.connect()
      client.release(true)
      this.#beModest()
    } catch {
      // Next time.
    } finally {
      this.#isMakingRoom = false
    }
  }

  #beModest(): void {
    this.pool.options.max = Math.max(1, this.pool.totalCount)
    clearTimeout(this.#growing)
    this.#growing = setTimeout(() => {
      this.pool.options.max = this.#poolSize
    }, MODEST_MS).unref()
  }

  #saturated(cause: unknown): PoolSaturated {
    this.saturatedCount++
    const error = new PoolSaturated(this.pool.totalCount, cause)
    if (performance.now() - this.#toldAt > TELL_EVERY_MS) {
      this.#toldAt = performance.now()
      this.#onSaturated?.(error)
    }
    return error
  }

  /** A transaction of a request: it gives up on locked rows before the client gives up. */
  inRequest<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.inImpatience(REQUEST_WAITS_MS, work)
  }

  /** Gives up on rows that others keep locked for longer than this, see isLockedByOthers. */
  inImpatience<T>(lockWaitMs: number, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.inTransaction(work, `begin; set local lock_timeout = ${lockWaitMs}`)
  }

  async inTransaction<T>(work: (tx: Tx) => Promise<T>, begin = 'begin'): Promise<T> {
    const client = await this.#connect()
    const tx = new Transaction(client)
    let broken: Error | undefined
    try {
      await client.query(begin)
      const result = await work(tx)
      await tx.flush()
      await client.query('commit')
      if (tx.wakes.size > 0) this.#onWake(tx.wakes)
      return result
    } catch (error) {
      await client.query('rollback').catch(failure => {
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
