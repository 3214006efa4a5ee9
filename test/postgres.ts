import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { EmbeddedPostgres } from '../src/db/embedded.ts'
import { migrate } from '../src/db/migrate.ts'

export const TEMPLATE = 'overture_template'

/** What a test database may skip: it is thrown away, so nothing of it has to survive a power cut. */
const UNSAFE = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  // Databases live for seconds: statistics of them are of no use to anything.
  autovacuum: 'off',
  track_counts: 'off',
}

/** A server for tests, with one migrated database that every test database is cloned from. */
export async function startTestPostgres(): Promise<{ server: EmbeddedPostgres; stop(): Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), 'overture-test-'))
  await chmod(dir, 0o755) // when root runs the tests, PostgreSQL runs as somebody else
  const server = await EmbeddedPostgres.start(join(dir, 'postgres'), UNSAFE)
  await useCheapPassword(server.url('postgres'))
  await server.createDatabase(TEMPLATE)
  await migrate(server.url(TEMPLATE))
  return {
    server,
    async stop() {
      await server.stop()
      await server.remove()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

/** Every connection proves that it knows the password, which takes milliseconds by default. */
async function useCheapPassword(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('set scram_iterations = 1')
  await client.query(`alter role overture password ${pg.escapeLiteral(new URL(url.replace('@/', '@host/')).password)}`)
  await client.end()
}
