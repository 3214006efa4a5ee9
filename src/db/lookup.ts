import type pg from 'pg'
import { Batcher } from '../lib/batcher.ts'
import { isDatabaseDown } from './errors.ts'
import { type ReadSql, type Sql, sql } from './sql.ts'

/**
 * A read that finds one row by its key. It exists in two forms: for one key, and for a list of them. Outside of a
 * transaction all that is asked for during one query goes into the next, so that under load a row costs a fraction of
 * a round trip, while a single request is sent at once.
 */
export interface Lookup {
  readonly one: ReadSql
  readonly many: ReadSql
}

/** `text` takes its keys as `$1`, `$2` ...; `types` are theirs. */
export function lookup(types: readonly string[], text: string): Lookup {
  const fields = types.map((type, index) => `k${index + 1} ${type}`).join(', ')
  const perKey = text.replace(/\$(\d+)/g, 'asked.k$1')
  // Keys come as JSON because PostgreSQL estimates 100 members for every such list; plans for arrays depend on their
  // length, so it would plan again each time. The limit keeps it from joining: each key is looked up in the index.
  const many = `
    select asked.n, found.*
    from jsonb_to_recordset($1::jsonb) as asked(n int, ${fields})
    cross join lateral (${perKey} limit 1) as found`
  const one = sql(`${text} limit 1`)
  if ((one as Sql).writes) throw new Error(`a look-up only reads: ${text}`)
  return { one, many: sql(many) }
}

const MAX_KEYS = 100

type Keys = readonly unknown[]
type Query = <R extends pg.QueryResult | pg.QueryArrayResult>(question: pg.QueryConfig) => Promise<R>

/** The look-ups of one database, gathered by kind. */
export class Lookups {
  readonly #query: Query
  readonly #concernsAll: (error: unknown) => boolean
  readonly #batchers = new Map<Lookup, Batcher<Keys, unknown>>()

  constructor(query: Query, { isTransaction = false } = {}) {
    this.#query = query
    // After a statement that failed nothing else goes through in a transaction, so nothing is asked again one by one.
    this.#concernsAll = isTransaction ? () => true : isDatabaseDown
  }

  find(what: Lookup, keys: Keys): Promise<unknown> {
    let batcher = this.#batchers.get(what)
    if (!batcher) {
      batcher = new Batcher(batch => this.#ask(what, batch), { maxSize: MAX_KEYS, concernsAll: this.#concernsAll })
      this.#batchers.set(what, batcher)
    }
    return batcher.submit(keys)
  }

  async #ask({ one, many }: Lookup, batch: Keys[]): Promise<unknown[]> {
    if (batch.length === 1) {
      const { rows } = await this.#query<pg.QueryResult>({ name: one.name, text: one.text, values: batch[0] as unknown[] })
      return [rows[0]]
    }
    const asked = JSON.stringify(batch.map(questionOf))
    const { rows, fields } = await this.#query<pg.QueryArrayResult>({
      name: many.name,
      text: many.text,
      values: [asked],
      rowMode: 'array',
    } as pg.QueryConfig)
    const answers: unknown[] = new Array(batch.length).fill(undefined)
    const names = fields.map(field => field.name)
    for (const cells of rows as unknown[][]) {
      const row: Record<string, unknown> = {}
      for (let cell = 1; cell < names.length; cell++) row[names[cell]!] = cells[cell]
      answers[cells[0] as number] = row
    }
    return answers
  }
}

function questionOf(keys: Keys, n: number): Record<string, unknown> {
  const question: Record<string, unknown> = { n }
  keys.forEach((key, index) => {
    question[`k${index + 1}`] = Buffer.isBuffer(key) ? `\\x${key.toString('hex')}` : key
  })
  return question
}
