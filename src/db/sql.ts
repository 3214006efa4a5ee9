import { createHash } from 'node:crypto'
import type pg from 'pg'

/** A statement that PostgreSQL prepares once per connection: unnamed ones were measured at half the speed. */
export interface Sql {
  readonly name: string
  readonly text: string
  /** It changes or locks something, so it belongs into a transaction. */
  readonly writes: boolean
  /** It is planned without reading whole tables. */
  readonly isByIndex?: true
}

type Bind<Given extends readonly unknown[]> = (...given: Given) => readonly unknown[]

/** Only reads, and holds nothing: the pool may carry it out as well as a transaction. */
export interface ReadSql extends Omit<Statement<Db>, 'run'> {
  readonly writes: false
}

interface WriteSql extends Statement<Tx> {
  readonly writes: true
}

/** A write that is complete in itself: the statement is the transaction. */
export interface AtomicSql extends Sql {
  readonly writes: true
  readonly isAtomic: true
}

/**
 * A read that finds one row by its key. It exists in two forms: for one key, and for a list of them. What is looked up while a query runs goes
 * into the next, so that under load a row costs a fraction of a query, while a single request is sent at once.
 *
 * This holds up the floor of `GET campaign`, 0.7 of a bare route with one select (`npm run bench -- foundation reads`): with three plain
 * reads a request takes 610 µs of the API and 355 of PostgreSQL instead of 240 and 60. Only what every such request reads is a lookup.
 */
export interface Lookup {
  readonly one: ReadSql
  readonly many: ReadSql
}

/** Something that can be read from: the pool, or a transaction. */
export interface Db {
  many<R>(statement: ReadSql, values?: readonly unknown[]): Promise<R[]>
  first<R>(statement: ReadSql, values?: readonly unknown[]): Promise<R | undefined>
  find<R>(what: Lookup, keys: readonly unknown[]): Promise<R | undefined>
}

/** Runs a write that is a single statement: the pool, because a transaction would cost two more round trips. */
export interface Writer extends Db {
  /** Wakes these queues once it has committed. */
  write<R>(statement: AtomicSql, values?: readonly unknown[], wakes?: readonly string[]): Promise<R[]>
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

type Locks = 'for update' | 'for no key update' | 'for share' | 'for key share' | 'pg_advisory_xact_lock'
type Writes = 'insert into' | 'update ' | 'delete from' | 'merge into' | 'truncate '
type SqlOf<T extends string> = T extends `${string}${Locks | Writes}${string}` ? WriteSql : ReadSql

const WRITES =
  /\b(insert\s+into|update\s+["a-z]|delete\s+from|merge\s+into|truncate\s|for\s+(no\s+key\s+)?update|for\s+(key\s+)?share|pg_advisory_xact_lock)/i

// A column compared with itself is always a mistake: in a fragment whose own alias hides the alias of the statement around it, the
// condition then holds for every row.
const COMPARES_WITH_ITSELF = / = ([a-z_]+\.[a-z_]+)\b(?<=\b\1 = \1)/

function refuseMistakes(text: string): void {
  const mistake = COMPARES_WITH_ITSELF.exec(text)
  if (mistake) throw new Error(`a statement compares ${mistake[1]} with itself: ${text}`)
}

const asGiven = (...given: readonly unknown[]): readonly unknown[] => given

/**
 * Each method makes a function of the statement. It takes the connection, then the values for `$1`, `$2` ...; with `bind`, it takes other
 * arguments, of which `bind` makes the values.
 */
class Statement<Connection extends Db> implements Sql {
  readonly name: string
  readonly text: string
  readonly writes: boolean

  constructor(text: string) {
    refuseMistakes(text)
    this.name = createHash('sha1').update(text).digest('base64url').slice(0, 16)
    this.text = text
    this.writes = WRITES.test(text)
  }

  many<Row, Given extends readonly unknown[] = []>(bind: Bind<Given> = asGiven) {
    return (connection: Connection, ...given: Given): Promise<Row[]> => connection.many<Row>(this as never, bind(...given))
  }

  first<Row, Given extends readonly unknown[] = []>(bind: Bind<Given> = asGiven) {
    return (connection: Connection, ...given: Given): Promise<Row | undefined> => connection.first<Row>(this as never, bind(...given))
  }

  /** A row that is always there. */
  one<Row, Given extends readonly unknown[] = []>(bind?: Bind<Given>) {
    return this.first<Row, Given>(bind) as (connection: Connection, ...given: Given) => Promise<Row>
  }

  /** The only column of each row. */
  column<Value, Given extends readonly unknown[] = []>(bind?: Bind<Given>) {
    const many = this.many<Record<string, Value>, Given>(bind)
    return async (connection: Connection, ...given: Given): Promise<Value[]> =>
      (await many(connection, ...given)).map(row => Object.values(row)[0]!)
  }

  /** The same as a set. */
  set<Value, Given extends readonly unknown[] = []>(bind?: Bind<Given>) {
    const column = this.column<Value, Given>(bind)
    return async (connection: Connection, ...given: Given): Promise<Set<Value>> => new Set(await column(connection, ...given))
  }

  /** The second column of each row, by the first. */
  map<Key, Value, Given extends readonly unknown[] = []>(bind?: Bind<Given>) {
    const many = this.many<Record<string, unknown>, Given>(bind)
    return async (connection: Connection, ...given: Given): Promise<Map<Key, Value>> =>
      new Map((await many(connection, ...given)).map(row => Object.values(row) as [Key, Value]))
  }

  /** Whether it finds a row, or touches one. */
  any<Given extends readonly unknown[] = []>(bind: Bind<Given> = asGiven) {
    if (this.writes) {
      const run = this.run(bind)
      return async (connection: Connection, ...given: Given): Promise<boolean> => (await run(connection, ...given)) > 0
    }
    const first = this.first<object, Given>(bind)
    return async (connection: Connection, ...given: Given): Promise<boolean> => (await first(connection, ...given)) !== undefined
  }

  /** The only column of the first row. `Value` includes undefined if there may be no row. */
  value<Value, Given extends readonly unknown[] = []>(bind?: Bind<Given>) {
    const first = this.first<Record<string, Value>, Given>(bind)
    return async (connection: Connection, ...given: Given): Promise<Value> => Object.values((await first(connection, ...given)) ?? {})[0]!
  }

  run<Given extends readonly unknown[] = []>(bind: Bind<Given> = asGiven) {
    return (connection: Connection, ...given: Given): Promise<number> => (connection as unknown as Tx).run(this, bind(...given))
  }
}

/**
 * Its text shows whether it writes, and so does its type where the type knows the text: a write that is handed to the
 * pool does not compile. A write in an interpolated part is found when the statement is created, and the pool refuses it.
 */
export function sql<const T extends string>(text: T): SqlOf<T> {
  return new Statement<Tx>(text) as unknown as SqlOf<T>
}

/** For a write that is complete in itself and that several callers share: see `Writer`. */
sql.atomic = (text: string): AtomicSql => {
  const { name, writes } = new Statement<Tx>(text)
  if (!writes) throw new Error(`a statement that only reads need not be atomic: ${text}`)
  return { name, text, writes, isAtomic: true }
}

/**
 * An atomic write that the pool always carries out by indexes. PostgreSQL keeps a plan, and one that was made while the table was small would
 * read all of it later.
 */
sql.byIndex = (text: string): AtomicSql => ({ ...sql.atomic(text), isByIndex: true })

/**
 * A read whose plan PostgreSQL keeps. It would otherwise plan a long statement again for each set of values, which can take longer than to
 * carry it out.
 */
sql.readByIndex = (text: string): ReadSql => Object.assign(sql(text) as unknown as ReadSql, { isByIndex: true as const })
