import { createRequire } from 'node:module'
import { MINUTE_MS } from '../lib/time.ts'
import type { ClickHouse } from './clickhouse.ts'

interface OfficialClient {
  query(options: { query: string; format: string }): Promise<{ json(): Promise<unknown> }>
  insert(options: { table: string; values: unknown[]; format: string }): Promise<unknown>
  command(options: { query: string }): Promise<unknown>
  close(): Promise<void>
}

const CLIENT = '@clickhouse/client'
/** Longer than the client's default of 30 seconds: rewriting the people of large companies takes minutes. */
const REQUEST_TIMEOUT_MS = 10 * MINUTE_MS
/** Turns the client's own logging off: it throws its errors, and we log those. */
const LOG_NOTHING = 127

/**
 * Connects with the official client. It is not a dependency, because most installations never need it; it is looked for in our packages and
 * in the folders of NODE_PATH.
 */
export function connectClickHouse(url: string): ClickHouse {
  const client = loadClient().createClient({
    url,
    application: 'overture',
    request_timeout: REQUEST_TIMEOUT_MS,
    log: { level: LOG_NOTHING },
    clickhouse_settings: {
      // Lists of ids in a query may be long.
      max_query_size: '268435456',
      max_ast_elements: '20000000',
      max_expanded_ast_elements: '20000000',
      // Keeps the connection alive while a long query sends no data.
      send_progress_in_http_headers: 1,
      http_headers_progress_interval_ms: '20000',
    },
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

function loadClient(): { createClient(options: object): OfficialClient } {
  const require = createRequire(import.meta.url)
  try {
    return require(CLIENT)
  } catch (error) {
    // Only a missing client gets this message: a broken client throws its own error.
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND' || !String(error).includes(`'${CLIENT}'`)) throw error
    throw new Error(`OVERTURE_CLICKHOUSE_URL is set, but the client of ClickHouse is not installed. Install it: npm install ${CLIENT}`)
  }
}
