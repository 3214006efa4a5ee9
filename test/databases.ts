import pg from 'pg'
import type { Database } from '../src/db/client.ts'

/**
 * Databases of services that have stopped, emptied for the next service of the process, with the connections of their pools. PostgreSQL spends most of
 * its time in tests on what is new: a new database is a thousand files, and a new connection reads the catalog and plans every statement again.
 */
export interface TestDatabase {
  readonly url: string
  /** Connections that the pool of the last service has ended. */
  readonly connections: KeptConnection[]
  /** The superuser: emptying a table must not run its triggers, nor look at its references. */
  admin?: pg.Client
  /** The `MARK` with which its shape was last found to be as new. */
  mark?: string
}

/** How many databases wait for the next service, and how many connections each of them keeps. */
const MOST_IDLE = 2
const MOST_CONNECTIONS = 8
/** Deleted rows keep their place, and slow down reads: a database with a larger table is not used again. */
const LARGE_BYTES = 512 * 1024
/** Work that a service has started may end a moment after the service. */
const LOOKS = 20
const LOOK_MS = 50

/** Everything that statements may have changed in addition to rows. A database in which something did is not used again. */
const SHAPE = `
  select md5(string_agg(line, E'\\n' order by line)) as shape
  from (
    select concat_ws(' ', relname, relkind, reloptions::text, relacl::text, relhastriggers) as line
    from pg_class
    where relnamespace = 'public'::regnamespace
    union all
    select concat_ws(' ', relname, attname, atttypid, atttypmod, attnotnull, attisdropped)
    from pg_attribute
    join pg_class on pg_class.oid = attrelid
    where relnamespace = 'public'::regnamespace and attnum > 0
    union all
    select concat_ws(' ', relname, tgenabled) || regexp_replace(tgname, '_\\d+$', '')
    from pg_trigger
    join pg_class on pg_class.oid = tgrelid
    union all
    select concat_ws(' ', conname, convalidated, pg_get_constraintdef(oid))
    from pg_constraint
    where connamespace = 'public'::regnamespace
    union all
    select concat_ws(' ', proname, prosrc)
    from pg_proc
    where pronamespace = 'public'::regnamespace
    union all
    select concat_ws(' ', setrole, setconfig)
    from pg_db_role_setting
    union all
    select concat_ws(' ', datconnlimit, datallowconn)
    from pg_database
    where datname = current_database()
  ) as lines`

/** Changes with every row of the catalog that a statement writes. To read what these rows say takes ten times as long. */
const MARK = `
  select concat_ws(' ', count(*), sum(xmin::text::bigint)) as mark
  from (
    select xmin from pg_class where relnamespace = 'public'::regnamespace
    union all
    select pg_attribute.xmin from pg_attribute join pg_class on pg_class.oid = attrelid where relnamespace = 'public'::regnamespace
    union all
    select xmin from pg_trigger
    union all
    select xmin from pg_constraint where connamespace = 'public'::regnamespace
    union all
    select xmin from pg_proc where pronamespace = 'public'::regnamespace
    union all
    select xmin from pg_db_role_setting
    union all
    select xmin from pg_database where datname = current_database()
  ) as rows`

const IS_LARGE = `
  select from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > ${LARGE_BYTES} limit 1`

/** Deletes every row but those of the migrations. Numbers of workers continue: a process may still have one. */
const EMPTY = `
  create function pg_temp.empty() returns void language plpgsql as $$
  declare
    filled regclass;
  begin
    perform set_config('session_replication_role', 'replica', true);
    for filled in
      select oid
      from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'migrations' and pg_relation_size(oid) > 0
    loop
      execute format('delete from %s', filled);
    end loop;
    perform setval(oid::regclass, seqstart, false)
    from pg_class
    join pg_sequence on seqrelid = oid
    where relnamespace = 'public'::regnamespace and relname <> 'worker_ids';
  end
  $$`

const FILLED = `
  select relname as name
  from pg_class
  where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'migrations' and pg_relation_size(oid) > 0`

interface FreshState {
  shape: string
  /** The rows that the migrations have made, by table, as JSON. */
  rows: Map<string, string>
}

let fresh: Promise<FreshState> | undefined
const idle: TestDatabase[] = []

async function readFresh(client: pg.Client): Promise<FreshState> {
  const { shape } = (await client.query(SHAPE)).rows[0]
  const rows = new Map<string, string>()
  for (const { name } of (await client.query(FILLED)).rows) {
    const { rows: found } = await client.query(`select json_agg(each)::text as rows from ${pg.escapeIdentifier(name)} as each`)
    rows.set(name, found[0].rows)
  }
  return { shape, rows }
}

/** The connection of the superuser, which stays with the database. */
export async function adminOf(database: TestDatabase): Promise<pg.Client> {
  if (!database.admin) {
    database.admin = await connectAdmin(database.url)
    await database.admin.query(EMPTY)
  }
  return database.admin
}

async function connectAdmin(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url.replace(/\/\/[^@]*@/, '//postgres@'), application_name: 'test-admin' })
  client.on('error', () => {})
  await client.connect()
  ;(client as unknown as Inside).unref()
  return client
}

async function retire(database: TestDatabase): Promise<void> {
  for (const connection of database.connections.splice(0)) connection.close()
  await database.admin?.end()
}

/** Whether the database is as new. One that was changed, or that is still in use, is not used again. */
async function empty(database: TestDatabase): Promise<boolean> {
  const admin = await adminOf(database)
  const { shape, rows } = await fresh!
  const own = database.connections.map(({ pid }) => pid)
  for (let looks = 0; ; looks++) {
    const others = await admin.query(
      `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and pid <> all($1)`,
      [own],
    )
    if (others.rowCount === 0) break
    if (looks === LOOKS) return false
    await new Promise(resolve => setTimeout(resolve, LOOK_MS))
  }
  const { mark } = (await admin.query({ name: 'mark', text: MARK })).rows[0]
  if (mark !== database.mark && (await admin.query(SHAPE)).rows[0].shape !== shape) return false
  database.mark = mark
  if ((await admin.query({ name: 'is large', text: IS_LARGE })).rowCount !== 0) return false
  await admin.query({ name: 'empty', text: 'select pg_temp.empty()' })
  for (const [table, made] of rows) {
    const name = pg.escapeIdentifier(table)
    await admin.query(`insert into ${name} overriding system value select * from json_populate_recordset(null::${name}, $1)`, [made])
  }
  return true
}

/** An empty database: one that a service has given back, or a new one. */
export async function takeDatabase(make: () => Promise<string>): Promise<TestDatabase> {
  for (let database = idle.pop(); database; database = idle.pop()) {
    if (await empty(database)) return database
    await retire(database)
  }
  const database: TestDatabase = { url: await make(), connections: [] }
  fresh ??= connectAdmin(database.url).then(async client => {
    try {
      return await readFresh(client)
    } finally {
      await client.end()
    }
  })
  await fresh
  return database
}

export async function giveBackDatabase(database: TestDatabase): Promise<void> {
  if (idle.length < MOST_IDLE) idle.push(database)
  else await retire(database)
}

/** The part of a client that `@types/pg` does not describe. */
type Inside = { processID: number; connection: { stream: { writable: boolean } }; ref(): void; unref(): void }

/** A connection that outlives its pool. */
class KeptConnection extends pg.Client {
  readonly settings: string
  /** Whether it is kept when its pool ends it. The pool that uses it decides. */
  mayStay: () => boolean = () => false
  #isConnected = false
  readonly #inside = this as unknown as Inside

  constructor(options: pg.ClientConfig) {
    super(options)
    this.settings = settingsOf(options)
  }

  get pid(): number {
    return this.#inside.processID
  }

  get isIdle(): boolean {
    return this.#isConnected && this.#inside.connection.stream.writable && this.getTransactionStatus() === 'I'
  }

  override connect(): Promise<this>
  override connect(done: ((error: Error) => void) | ((error: null, client: pg.Client) => void)): void
  override connect(done?: unknown): unknown {
    const tell = done as (error: Error | null) => void
    if (!this.#isConnected) {
      return super.connect((error: Error) => {
        this.#isConnected = !error
        tell(error)
      })
    }
    this.#inside.ref()
    return process.nextTick(tell, null)
  }

  override end(): Promise<void>
  override end(done: (error: Error) => void): void
  override end(done?: unknown): unknown {
    if (!this.isIdle || !this.mayStay()) return super.end(done as () => void)
    this.removeAllListeners()
    this.on('error', () => {})
    this.#inside.unref()
    return this.query('reset all; close all; unlisten *; discard temp; select pg_advisory_unlock_all()', done as () => void)
  }

  close(): void {
    super.end(() => {})
  }
}

/** The settings with which a session was started, and to which it returns. */
const settingsOf = (options: pg.ClientConfig): string =>
  JSON.stringify([options.statement_timeout, options.lock_timeout, options.idle_in_transaction_session_timeout, options.application_name])

/** Lets the pool of a service use the connections of the last one, and leave its own to the next. */
export function keepConnections({ pool }: Database, { connections }: TestDatabase): void {
  const settings = settingsOf(pool.options)
  const mayStay = (connection: KeptConnection): boolean => {
    const isKept = pool.ending && connections.length < MOST_CONNECTIONS
    if (isKept) connections.push(connection)
    return isKept
  }
  function connectionOf(options: pg.ClientConfig): KeptConnection {
    const at = connections.findLastIndex(kept => kept.isIdle && kept.settings === settings)
    const connection = at < 0 ? new KeptConnection(options) : connections.splice(at, 1)[0]!
    connection.mayStay = () => mayStay(connection)
    return connection
  }
  Object.assign(pool, { Client: connectionOf })
}
