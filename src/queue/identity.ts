import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import type { Database } from '../db/client.ts'
import { isTooManyConnections } from '../db/errors.ts'

/** The class of our advisory locks: the second key is the worker's number. */
const WORKER_LOCK_CLASS = 7_265_002
/** PostgreSQL counts a connection until its process has ended, which takes a moment. */
const ROOM_IS_MADE_MS = 50

/**
 * The numbers of the living workers, as SQL. It must be in the same statement as the claimed rows: the snapshot of the statement is older
 * than its read of the locks, so a worker whose claim is visible is also seen as alive.
 */
export const LIVE_WORKERS = `
  select objid::bigint::integer from pg_locks
  where locktype = 'advisory' and classid = ${WORKER_LOCK_CLASS} and objsubid = 2 and granted
    and database = (select oid from pg_database where datname = current_database())`

/**
 * The number of a worker, which also proves that it is alive: it holds a lock on the number as long as its connection lives. PostgreSQL
 * releases the lock when the process dies in any way. A worker that lost its connection gets a new number, because others may have taken
 * the rows of the old one.
 */
export class WorkerIdentity {
  readonly #db: Pick<Database, 'url' | 'makeRoom'>
  readonly #log: FastifyBaseLogger
  #client: pg.Client | undefined
  #id: number | undefined
  #closed = false
  #connecting: Promise<void> | undefined

  constructor(db: Pick<Database, 'url' | 'makeRoom'>, log: FastifyBaseLogger) {
    this.#db = db
    this.#log = log
  }

  /** Rejects while there is no connection: nothing could be claimed anyway. */
  async id(): Promise<number> {
    if (this.#id !== undefined) return this.#id
    this.#connecting ??= this.#takeNumber().finally(() => {
      this.#connecting = undefined
    })
    await this.#connecting
    if (this.#id === undefined) throw new Error('Connection terminated while taking a worker number')
    return this.#id
  }

  /**
   * Without a number nothing can be claimed, and the timers of this process keep all connections of its pool busy. So when PostgreSQL gives
   * out no more connections, the pool gives one back for this.
   */
  async #takeNumber(): Promise<void> {
    try {
      await this.#connect()
    } catch (error) {
      if (!isTooManyConnections(error)) throw error
      await this.#db.makeRoom()
      await sleep(ROOM_IS_MADE_MS)
      await this.#connect()
    }
  }

  async #connect(): Promise<void> {
    if (this.#closed) throw new Error('the worker has stopped')
    const client = new pg.Client({
      connectionString: this.#db.url,
      application_name: 'overture-worker',
      connectionTimeoutMillis: 2000,
      keepAlive: true,
    })
    const lost = (): void => {
      if (this.#client !== client) return
      this.#client = undefined
      this.#id = undefined
      if (!this.#closed) this.#log.warn('the worker lost its connection and takes a new number')
    }
    client.on('error', lost)
    client.on('end', lost)
    try {
      await client.connect()
      const taken = await client.query(
        `select id, pg_advisory_lock(${WORKER_LOCK_CLASS}, id) from (select nextval('worker_ids')::integer as id) as number`,
      )
      this.#client = client
      this.#id = taken.rows[0].id
    } catch (error) {
      client.end().catch(() => {})
      throw error
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#client?.end().catch(() => {})
  }
}
