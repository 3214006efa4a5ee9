import type { ClickHouse } from './clickhouse.ts'

interface OfficialClient {
  query(options: { query: string; format: string }): Promise<{ json(): Promise<unknown> }>
  insert(options: { table: string; values: unknown[]; format: string }): Promise<unknown>
  command(options: { query: string }): Promise<unknown>
  close(): Promise<void>
}

/** The official client, which is not among the dependencies because most installations never need it. */
export async function connectClickHouse(url: string): Promise<ClickHouse> {
  const name = '@clickhouse/client'
  const module = (await import(name).catch(() => {
    throw new Error(`OVERTURE_CLICKHOUSE_URL is set, but the client is not installed. Install it: npm install ${name}`)
  })) as { createClient(options: object): OfficialClient }
  // Lists of ids in a query may be long.
  const client = module.createClient({
    url,
    clickhouse_settings: { max_query_size: '268435456', max_ast_elements: '20000000', max_expanded_ast_elements: '20000000' },
  })
  return {
    query: async text => (await (await client.query({ query: text, format: 'JSONEachRow' })).json()) as never,
    insert: async (table, rows) => {
      await client.insert({ table, values: rows, format: 'JSONEachRow' })
    },
    run: async text => {
      await client.command({ query: text })
    },
    close: () => client.close(),
  }
}
