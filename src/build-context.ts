import type { FastifyBaseLogger } from 'fastify'
import { pino } from 'pino'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { Database } from './db/client.ts'
import { type Clock, systemClock } from './lib/clock.ts'
import { SecretBox } from './lib/secret-box.ts'
import { OperationWaiter } from './modules/operations/operations.ts'
import { WakeBus } from './work/wake-bus.ts'

export interface ContextOptions {
  config: Config
  databaseUrl: string
  secretKey: Buffer
  clock?: Clock
}

export function createLogger(level: string): FastifyBaseLogger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, redact: ['req.headers.authorization'] })
}

export function buildContext(options: ContextOptions): Context {
  const { config } = options
  const wake = new WakeBus()
  const db = new Database({ url: options.databaseUrl, poolSize: config.poolSize, onWake: topics => wake.wake(topics) })
  wake.connect(db.pool)
  return {
    config,
    log: createLogger(config.logLevel),
    clock: options.clock ?? systemClock,
    db,
    wake,
    secrets: new SecretBox(options.secretKey),
    waiter: new OperationWaiter({ db, wake }),
    link: path => config.baseUrl + path,
  }
}

export async function closeContext(ctx: Context): Promise<void> {
  await ctx.wake.close()
  await ctx.db.close()
}
