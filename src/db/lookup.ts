import { Batcher } from '../lib/batcher.ts'
import { isDatabaseDown } from './errors.ts'
import { type Lookup, type ReadSql, type Sql, sql } from './sql.ts'

/** `text` takes its keys as `$1`, `$2` ...; `types` are theirs. */
export function lookup(types: readonly string[], text: string): Lookup {
  const fields = types.map((type, index) => `k${index + 1} ${type}`).join(', ')
  const perKey = text.replace(/\$(\d+)/g, 'asked.k$1')
  // Keys come as JSON because PostgreSQL estimates 100 members for every such list; plans for arrays depend on their
  // length, so it would plan again each time. The limit keeps it from joining: each key is looked up in the index. The
  // condition is always true, but PostgreSQL then estimates one key. With a hundred, small changes of the tables made
  // every new plan seem so much cheaper than the kept one that it planned each query.
  const many = `
    select asked.n as "lookupIndex", found.*
    from jsonb_to_recordset($1::jsonb) as asked(n int, ${fields})
    cross join lateral (${perKey} limit 1) as found
    where asked.n % 1 = 0`
  const one = sql(`${text} limit 1`)
  if ((one as Sql).writes) throw new Error(`a lookup only reads: ${text}`)
  return { one, many: sql(many) }
}

const MAX_KEYS = 100

type Keys = readonly unknown[]
type Read = <R>(statement: ReadSql, values: readonly unknown[]) => Promise<R[]>

/** The lookups of one database, gathered by kind. */
export class Lookups {
  readonly #read: Read
  readonly #batchers = new Map<Lookup, Batcher<Keys, unknown>>()

  constructor(read: Read) {
    this.#read = read
  }

  find(what: Lookup, keys: Keys): Promise<unknown> {
    let batcher = this.#batchers.get(what)
    if (!batcher) {
      batcher = new Batcher(batch => this.#look(what, batch), { maxSize: MAX_KEYS, concernsAll: isDatabaseDown })
      this.#batchers.set(what, batcher)
    }
    return batcher.submit(keys)
  }

  async #look({ one, many }: Lookup, batch: Keys[]): Promise<unknown[]> {
    if (batch.length === 1) return [(await this.#read(one, batch[0]!))[0]]
    const answers: unknown[] = new Array(batch.length).fill(undefined)
    const rows = await this.#read<{ lookupIndex: number }>(many, [JSON.stringify(batch.map(questionOf))])
    for (const { lookupIndex, ...row } of rows) answers[lookupIndex] = row
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
