import { createRequire } from 'node:module'
import { MINUTE_MS } from '../../lib/time.ts'
import type { ClickHouse } from './clickhouse.ts'

interface OfficialClient {
  query(options: { query: string; format: string }): Promise<{ json(): Promise<unknown> }>
  insert(options: { table: string; values: unknown[]; format: string }): Promise<unknown>
  command(options: { query: string }): Promise<unknown>
  close(): Promise<void>
}

const CLIENT = '@clickhouse/client'
/** Writing again what the people of large companies have from them takes longer than the client's half a minute. */
const REQUEST_TIMEOUT_MS = 10 * MINUTE_MS
/** What goes wrong is thrown to us: the client need not tell it on the console as well. */
const LOG_NOTHING = 127

/**
 * A connection through the official client, which is not among the dependencies because most installations never need
 * it. It is looked for beside the other packages, and in the folders of NODE_PATH.
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
      // A sign of life, so that nothing on the way gives up a connection on which nothing seems to happen.
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
