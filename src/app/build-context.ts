import type { FastifyBaseLogger } from 'fastify'
import { pino } from 'pino'
import type { Config } from '../context/config.ts'
import type { Context } from '../context/context.ts'
import { TestClock } from '../context/test-clock.ts'
import { Database } from '../db/client.ts'
import { isConnectTimeout, PoolSaturated } from '../db/errors.ts'
import { LeadEngine } from '../directory/lead-engine.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import { openDns } from '../lib/dns.ts'
import type { Resolve } from '../lib/public-address.ts'
import { S3 } from '../lib/s3.ts'
import { SecretBox } from '../lib/secret-box.ts'
import { WakeBus } from '../queue/wake-bus.ts'

interface ContextOptions {
  config: Config
  databaseUrl: string
  /** The key from which all others are derived: the master key of the installation. */
  secretKey: Buffer
  clock?: Clock
  resolve?: Resolve | undefined
  answerLimitMs?: number | undefined
}

function createLogger(level: string): FastifyBaseLogger {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: ['req.headers.authorization', 'req.headers.cookie'],
    serializers: { err: describeError },
  })
}

/** Not the whole error: PostgreSQL puts the failing row into `detail`, and that would put personal data into the log. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { type: typeof error }
  const { code, constraint } = error as { code?: unknown; constraint?: unknown }
  // A busy machine logs many of these, and their stack is not useful.
  if (error instanceof PoolSaturated || isConnectTimeout(error)) return { type: error.constructor.name, message: error.message, code }
  const cause = error.cause === undefined ? undefined : describeError(error.cause)
  return { type: error.constructor.name, message: error.message, code, constraint, stack: error.stack, cause }
}

export function buildContext(options: ContextOptions): Context {
  const { config } = options
  const wake = new WakeBus()
  const log = createLogger(config.logLevel)
  const db = new Database({
    url: options.databaseUrl,
    poolSize: config.poolSize,
    answerLimitMs: options.answerLimitMs,
    onWake: topics => wake.wake(topics),
    onSaturated: error => log.warn({ err: error }, 'too few connections to PostgreSQL; see OVERTURE_POOL_SIZE'),
  })
  wake.connect(db.pool)
  const testClock = new TestClock(options.clock ?? systemClock)
  const shared = { config, log, clock: testClock, db, wake }
  const parts = new Map<unknown, unknown>()
  let areStopped = false
  const ctx: Context = {
    ...shared,
    testClock,
    secrets: new SecretBox(options.secretKey),
    leadEngine: new LeadEngine(shared),
    objects: openObjectStore(config),
    dns: openDns(config.dnsServers === '' ? [] : config.dnsServers.split(',')),
    resolve: options.resolve,
    part: <T>(make: (ctx: Context) => T): T => {
      if (!parts.has(make)) {
        const part = make(ctx)
        parts.set(make, part)
        // The threads of a part that is first used after the stop would never end.
        if (areStopped && hasThreads(part)) void part.stop()
      }
      return parts.get(make) as T
    },
    stopParts: async () => {
      areStopped = true
      for (const part of parts.values()) if (hasThreads(part)) await part.stop()
    },
    link: path => config.baseUrl + path,
  }
  return ctx
}

function openObjectStore(config: Config): S3 | null {
  if (!config.s3Endpoint) return null
  return new S3({
    endpoint: config.s3Endpoint,
    bucket: config.s3Bucket,
    region: config.s3Region,
    accessKey: config.s3AccessKey,
    secretKey: config.s3SecretKey,
  })
}

const hasThreads = (part: unknown): part is { stop(): Promise<void> } => part instanceof Object && 'stop' in part

export async function closeContext(ctx: Context): Promise<void> {
  await ctx.stopParts()
  await ctx.leadEngine.stop()
  await ctx.objects?.close()
  await ctx.wake.close()
  await ctx.db.close()
}
