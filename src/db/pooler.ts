import pg from 'pg'

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
  'DATABASE_URL leads to a connection pooler in transaction mode (such as PgBouncer). A worker proves that it is alive with a lock that\n' +
  'belongs to its connection, but such a pooler shares connections. Use the address of PostgreSQL itself, or session mode.'
