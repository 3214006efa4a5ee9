import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EmbeddedPostgres } from '../src/db/embedded.ts'
import { migrate } from '../src/db/migrate.ts'

export const TEMPLATE = 'overture_template'

/** The safety that a test database may skip: it is thrown away, so nothing of it has to survive a power cut. */
const UNSAFE = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  // Databases live for seconds: statistics of them are of no use to anything.
  autovacuum: 'off',
  track_counts: 'off',
  // The services of a process use the same connections one after the other. Plans for given values would be made again most of the time.
  plan_cache_mode: 'force_generic_plan',
  wal_level: 'minimal',
  max_wal_senders: '0',
  update_process_title: 'off',
}

/** Every test database is a thousand files. In memory, making them takes a fifth of the time that a disk takes. */
const MEMORY = '/dev/shm'
const ROOM_BYTES = 4 * 1024 ** 3

export async function databaseFolder(): Promise<string> {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }))
  return bavail * bsize > ROOM_BYTES ? MEMORY : tmpdir()
}

/** A server for tests, with one migrated database that every test database is cloned from. */
export async function startTestPostgres(parent?: string): Promise<{ server: EmbeddedPostgres; stop(): Promise<void> }> {
  const dir = await mkdtemp(join(parent ?? (await databaseFolder()), 'ovt-pg-'))
  await chmod(dir, 0o755) // when root runs the tests, PostgreSQL runs as somebody else
  const server = await EmbeddedPostgres.start(join(dir, 'postgres'), UNSAFE)
  await trustLocally(join(dir, 'postgres'), server)
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

/** Tests open thousands of connections, and to prove each time that they know the password takes milliseconds. Only our user reaches the socket. */
async function trustLocally(dir: string, server: EmbeddedPostgres): Promise<void> {
  const moved = join(dir, 'moved-to')
  const base = existsSync(moved) ? readFileSync(moved, 'utf8').trim() : dir
  await writeFile(join(base, 'data', 'pg_hba.conf'), 'local all all trust\n')
  process.kill(server.pid!, 'SIGHUP')
}
