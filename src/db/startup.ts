import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { isConnectTimeout, isTooManyConnections } from './errors.ts'

const LIMIT_MS = 60_000
const RETRY_MS = 250
/** The server is still starting. */
const STARTING = '57P03'

const tellWaiting = (error: Error): void => console.error(`Waiting for a connection to PostgreSQL (${error.message}) ...`)

/**
 * Repeats a step of the start while PostgreSQL has no free connection, or is too slow to give one on a busy machine. Each step waits by
 * itself: the connection of the step before may have gone to another process.
 */
export async function retryConnecting<T>(step: () => Promise<T>, onWaiting: (error: Error) => void = tellWaiting): Promise<T> {
  const deadline = performance.now() + LIMIT_MS
  for (let attempt = 0; ; attempt++) {
    try {
      return await step()
    } catch (error) {
      const willPass = isTooManyConnections(error) || isConnectTimeout(error) || (error as { code?: unknown }).code === STARTING
      if (!willPass || performance.now() > deadline) throw error
      if (attempt === 0) onWaiting(error as Error)
      await sleep(RETRY_MS)
    }
  }
}

/** A connection of its own, outside of the pool, for as long as the work takes. */
export async function withClient<T>(config: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(config)
  // A connection that breaks fails the next query. Without a listener, it would end the process as well.
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

const BACKEND = 'select pg_backend_pid() as pid'

/**
 * A pooler that gives each transaction to whatever connection is free (PgBouncer in transaction mode) breaks what we build
 * on: the lock that says that a worker lives, wake-ups, prepared statements. It shows when two connections of ours
 * turn out to be served by one of PostgreSQL's, or one of ours by two.
 */
export async function refuseTransactionPooling(url: string): Promise<void> {
  const idle = newClient(url)
  const busy = newClient(url)
  try {
    await idle.connect()
    // One that hands out connections in turn gives itself away here.
    const seen = new Set([await pidOf(idle), await pidOf(idle), await pidOf(idle)])
    await busy.connect()
    await busy.query('begin')
    // One that hands out the connection used last gives this transaction the connection that was the other client's.
    const isShared = seen.size > 1 || seen.has(await pidOf(busy))
    await busy.query('rollback')
    if (isShared) throw new Error(REASON)
  } finally {
    for (const client of [idle, busy]) client.end().catch(() => {})
  }
}

const pidOf = async (client: pg.Client): Promise<number> => (await client.query(BACKEND)).rows[0].pid

function newClient(url: string): pg.Client {
  const limits = { connectionTimeoutMillis: 10_000, query_timeout: 10_000 }
  const client = new pg.Client({ connectionString: url, application_name: 'overture-start', ...limits })
  client.on('error', () => {})
  return client
}

const REASON =
  'DATABASE_URL points to a connection pooler in transaction mode (such as PgBouncer). A worker proves that it is alive with a lock that\n' +
  'belongs to its connection, but such a pooler shares connections. Use the address of PostgreSQL itself, or session mode.'
