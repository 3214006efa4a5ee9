import type pg from 'pg'
import { ask } from './questions.ts'
import type { AtomicSql, Deferred, Lookup, Sql, Tx } from './sql.ts'

export class Transaction implements Tx {
  readonly client: pg.PoolClient
  readonly wakes = new Set<string>()
  readonly #deferred = new Map<Deferred<unknown>, unknown[]>()

  constructor(client: pg.PoolClient) {
    this.client = client
  }

  async many<R>(statement: Sql, values: readonly unknown[] = []): Promise<R[]> {
    return (await this.query(statement, values)).rows as R[]
  }

  async first<R>(statement: Sql, values: readonly unknown[] = []): Promise<R | undefined> {
    return (await this.query(statement, values)).rows[0] as R | undefined
  }

  find<R>(what: Lookup, keys: readonly unknown[]): Promise<R | undefined> {
    return this.first<R>(what.one, keys)
  }

  write<R>(statement: AtomicSql, values: readonly unknown[] = [], wakes: readonly string[] = []): Promise<R[]> {
    for (const queue of wakes) this.wake(queue)
    return this.many<R>(statement, values)
  }

  async run(statement: Sql, values: readonly unknown[] = []): Promise<number> {
    return (await this.query(statement, values)).rowCount ?? 0
  }

  query(statement: Sql, values: readonly unknown[]): Promise<pg.QueryResult> {
    return ask(this.client, { name: statement.name, text: statement.text, values: values as unknown[] })
  }

  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    const lengths = new Map([...this.#deferred].map(([kind, items]) => [kind, items.length]))
    await ask(this.client, 'savepoint step')
    try {
      const result = await work()
      await ask(this.client, 'release savepoint step')
      return result
    } catch (error) {
      await ask(this.client, 'rollback to savepoint step; release savepoint step')
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
