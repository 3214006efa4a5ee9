import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EmbeddedPostgres } from '../src/db/embedded.ts'
import { migrate } from '../src/db/migrate.ts'

export const TEMPLATE = 'overture_template'

/** What a test database may skip: it is thrown away, so nothing of it has to survive a power cut. */
const UNSAFE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' }

/** A server for tests, with one migrated database that every test database is cloned from. */
export async function startTestPostgres(): Promise<{ server: EmbeddedPostgres; stop(): Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), 'overture-test-'))
  await chmod(dir, 0o755) // when root runs the tests, PostgreSQL runs as somebody else
  const server = await EmbeddedPostgres.start(join(dir, 'postgres'), UNSAFE)
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
