import { createHash } from 'node:crypto'

/** A statement that PostgreSQL prepares once per connection: unnamed ones were measured at half the speed. */
export interface Sql {
  readonly name: string
  readonly text: string
  /** It changes or locks something, so it belongs into a transaction. */
  readonly writes: boolean
}

/** Only reads, and holds nothing: the pool may carry it out as well as a transaction. */
export interface ReadSql extends Sql {
  readonly writes: false
}

interface WriteSql extends Sql {
  readonly writes: true
}

/** A write that is complete in itself: the statement is the transaction. */
export interface AtomicSql extends WriteSql {
  readonly isAtomic: true
  /** It is planned without reading whole tables. */
  readonly isByIndex?: true
}

type Locks = 'for update' | 'for no key update' | 'for share' | 'for key share' | 'pg_advisory_xact_lock'
type Writes = 'insert into' | 'update ' | 'delete from' | 'merge into' | 'truncate '
type SqlOf<T extends string> = T extends `${string}${Locks | Writes}${string}` ? WriteSql : ReadSql

const WRITES =
  /\b(insert\s+into|update\s+["a-z]|delete\s+from|merge\s+into|truncate\s|for\s+(no\s+key\s+)?update|for\s+(key\s+)?share|pg_advisory_xact_lock)/i

const writes = (text: string): boolean => WRITES.test(text)

// A column compared with itself is always a mistake: in a fragment whose own alias hides the alias of the statement around it, the
// condition then holds for every row.
const COMPARES_WITH_ITSELF = / = ([a-z_]+\.[a-z_]+)\b(?<=\b\1 = \1)/

function refuseMistakes(text: string): void {
  const mistake = COMPARES_WITH_ITSELF.exec(text)
  if (mistake) throw new Error(`a statement compares ${mistake[1]} with itself: ${text}`)
}

const nameOf = (text: string): string => createHash('sha1').update(text).digest('base64url').slice(0, 16)

/**
 * Its text shows whether it writes, and so does its type where the type knows the text: a write that is handed to the
 * pool does not compile. A write in an interpolated part is found when the statement is created, and the pool refuses it.
 */
export function sql<const T extends string>(text: T): SqlOf<T> {
  refuseMistakes(text)
  return { name: nameOf(text), text, writes: writes(text) } as SqlOf<T>
}

/** For a write that is complete in itself and that several callers share: see `Writer`. */
sql.atomic = (text: string): AtomicSql => {
  if (!writes(text)) throw new Error(`a statement that only reads need not be atomic: ${text}`)
  refuseMistakes(text)
  return { name: nameOf(text), text, writes: true, isAtomic: true }
}

/**
 * An atomic write that the pool always carries out by indexes. PostgreSQL keeps a plan, and one that was made while the table was small would
 * read all of it later.
 */
sql.byIndex = (text: string): AtomicSql => ({ ...sql.atomic(text), isByIndex: true })
