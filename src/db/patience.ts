import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { isTooManyConnections } from './errors.ts'

const LIMIT_MS = 60_000
const RETRY_MS = 250

/** Returns when PostgreSQL has a connection to give. One that is full, or still starting, will have one. */
export async function untilConnectable(url: string, onWaiting: (error: Error) => void): Promise<void> {
  const deadline = performance.now() + LIMIT_MS
  for (let attempt = 0; ; attempt++) {
    const client = new pg.Client({ connectionString: url, application_name: 'overture-start', connectionTimeoutMillis: 10_000 })
    client.on('error', () => {})
    try {
      await client.connect()
      return
    } catch (error) {
      const willPass = isTooManyConnections(error) || (error as { code?: unknown }).code === '57P03'
      if (!willPass || performance.now() > deadline) throw error
      if (attempt === 0) onWaiting(error as Error)
      await sleep(RETRY_MS)
    } finally {
      await client.end().catch(() => {})
    }
  }
}
