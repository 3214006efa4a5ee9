import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../db/client.ts'
import type { Clock } from '../lib/clock.ts'
import type { Dns } from '../lib/dns.ts'
import type { S3 } from '../lib/s3.ts'
import type { Resolve } from '../lib/safe-fetch.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import type { WakeBus } from '../queue/wake-bus.ts'
import type { LeadEngine } from '../search/engine/engine.ts'
import type { Config } from './config.ts'
import type { TestClock } from './test-clock.ts'

/** Built once at start and passed to all code that needs it. No code uses a global instead. */
export interface Context {
  config: Config
  log: FastifyBaseLogger
  clock: Clock
  /** The clock as it was built: it knows real time, and how far a local installation was moved ahead of it. */
  testClock: TestClock
  db: Database
  wake: WakeBus
  secrets: SecretBox
  leadEngine: LeadEngine
  /** Where exports are kept; null when they stay in the database. */
  objects: S3 | null
  /** What the name system says about the domains of mailboxes. */
  dns: Dns
  /** Looks up the names of mail servers and token endpoints, when it is not to be done the usual way. */
  resolve?: Resolve | undefined
  /**
   * Something that belongs to this context and lives as long as it: made by `make` on first use, the same one ever after.
   * A slice keeps its batchers and limits here instead of in a module, where two contexts of one process would share them.
   */
  part<T>(make: (ctx: Context) => T): T
  /** An absolute address for a path of ours. */
  link(path: string): string
}
