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
  // length, so it would plan again each time. The limit keeps it from joining: each key is looked up in the index. The
  // condition is always true, but PostgreSQL then estimates one key. With a hundred, small changes of the tables made
  // every new plan seem so much cheaper than the kept one that it planned each query.
  const many = `
    select asked.n, found.*
    from jsonb_to_recordset($1::jsonb) as asked(n int, ${fields})
    cross join lateral (${perKey} limit 1) as found
    where asked.n % 1 = 0`
  const one = sql(`${text} limit 1`)
  if ((one as Sql).writes) throw new Error(`a look-up only reads: ${text}`)
  return { one, many: sql(many) }
}

const MAX_KEYS = 100

type Keys = readonly unknown[]
type Answer = pg.QueryResult | pg.QueryArrayResult
/** Asks all of them in one go, and answers each by itself. */
type Ask = (questions: pg.QueryConfig[]) => Promise<Answer>[]

interface Asked {
  question: pg.QueryConfig
  resolve: (answer: Promise<Answer>) => void
}

/** The look-ups of one database, gathered by kind. Kinds that are asked for at the same moment share one way to the database. */
export class Lookups {
  readonly #ask: Ask
  readonly #concernsAll: (error: unknown) => boolean
  readonly #batchers = new Map<Lookup, Batcher<Keys, unknown>>()
  readonly #due = new Set<() => void>()
  #asked: Asked[] = []

  constructor(ask: Ask, { isTransaction = false } = {}) {
    this.#ask = ask
    // After a statement that failed nothing else goes through in a transaction, so nothing is asked again one by one.
    this.#concernsAll = isTransaction ? () => true : isDatabaseDown
  }

  find(what: Lookup, keys: Keys): Promise<unknown> {
    let batcher = this.#batchers.get(what)
    if (!batcher) {
      const options = { maxSize: MAX_KEYS, concernsAll: this.#concernsAll, start: this.#start }
      batcher = new Batcher(batch => this.#look(what, batch), options)
      this.#batchers.set(what, batcher)
    }
    return batcher.submit(keys)
  }

  readonly #start = (begin: () => void): void => {
    if (this.#due.size === 0) setImmediate(this.#beginAll)
    this.#due.add(begin)
  }

  readonly #beginAll = (): void => {
    const due = [...this.#due]
    this.#due.clear()
    for (const begin of due) begin()
  }

  #send(): void {
    const asked = this.#asked
    this.#asked = []
    const answers = this.#ask(asked.map(({ question }) => question))
    for (const [index, { resolve }] of asked.entries()) resolve(answers[index]!)
  }

  /** Batches that begin together have all asked before the microtask runs. */
  #query(question: pg.QueryConfig): Promise<Answer> {
    const { promise, resolve } = Promise.withResolvers<Answer>()
    if (this.#asked.push({ question, resolve }) === 1) queueMicrotask(() => this.#send())
    return promise
  }

  async #look({ one, many }: Lookup, batch: Keys[]): Promise<unknown[]> {
    if (batch.length === 1) {
      const { rows } = await this.#query({ name: one.name, text: one.text, values: batch[0] as unknown[] })
      return [rows[0]]
    }
    const asked = JSON.stringify(batch.map(questionOf))
    const { rows, fields } = await this.#query({
      name: many.name,
      text: many.text,
      values: [asked],
      rowMode: 'array',
    } as pg.QueryConfig)
    const answers: unknown[] = new Array(batch.length).fill(undefined)
    const names = fields.map(field => field.name)
    // Copied for each row: an object that has all its names from the start takes a third of the memory of one that grows.
    const empty = Object.fromEntries(names.slice(1).map(name => [name, undefined]))
    for (const cells of rows as unknown[][]) {
      const row: Record<string, unknown> = { ...empty }
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
