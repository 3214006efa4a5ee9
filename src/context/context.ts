import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../db/client.ts'
import type { LeadEngine } from '../directory/lead-engine.ts'
import type { Clock } from '../lib/clock.ts'
import type { Dns } from '../lib/dns.ts'
import type { Resolve } from '../lib/public-address.ts'
import type { S3 } from '../lib/s3.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import type { WakeBus } from '../queue/wake-bus.ts'
import type { Config } from './config.ts'
import type { TestClock } from './test-clock.ts'

/** Built once at start and passed to all code that needs it. No code uses a global instead. */
export interface Context {
  config: Config
  log: FastifyBaseLogger
  clock: Clock
  /** The clock with its parts: real time, and the offset of a local installation. */
  testClock: TestClock
  db: Database
  wake: WakeBus
  secrets: SecretBox
  leadEngine: LeadEngine
  /** The object store that keeps exports; null when they stay in the database. */
  objects: S3 | null
  /** Responses of the name system about the domains of mailboxes. */
  dns: Dns
  /** Replaces the usual lookup of the names of mail servers and token endpoints. */
  resolve?: Resolve | undefined
  /**
   * An object of this context, created by `make` on first use and kept as long as the context. A slice keeps its batchers and limits here
   * and not in a module, where two contexts of one process would share them.
   */
  part<T>(make: (ctx: Context) => T): T
  /** Ends the threads of those parts that were used. */
  stopParts(): Promise<void>
  /** The absolute URL of one of our paths. */
  link(path: string): string
}

/** The part of the context that most functions need. */
export type HasDb = Pick<Context, 'db'>
export type HasLink = Pick<Context, 'link'>
export type HasSecrets = Pick<Context, 'secrets'>
