import { type Config, loadConfig } from '../context/config.ts'
import { beginFirstBuild } from './console-build.ts'
import { Lifetime } from './lifetime.ts'
import { type Asking, type OpenedDatabase, openOwnDatabase } from './own-database.ts'

/** A start that has begun, while the service is still being loaded. */
export interface BegunStart {
  config: Config
  lifetime: Lifetime
  signal: Promise<void>
  database: Promise<OpenedDatabase>
  /** The first build of the console; null when there may be one already. */
  console: Promise<unknown> | null
}

/** Where this machine reaches the service. A service that listens at every address has none of its own: nobody can open 0.0.0.0. */
export function addressOf({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const near = nearHost(host)
  return `http://${near.includes(':') ? `[${near}]` : near}:${port}`
}

export const nearHost = (host: string): string => (host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host)

/** The process that answers and works on one folder. */
export const asServer = (config: Config, command: string, parts: { api: boolean; worker: boolean }): Asking => ({
  command: `overture ${command}`,
  address: parts.api && config.port !== 0 ? addressOf(config) : null,
  isServer: true,
  migrates: parts.api && parts.worker,
})

/**
 * Loading the service keeps one processor busy for a second. PostgreSQL is a process of its own, and is made and started on another one in the
 * meantime; so is the build of the console. Null when nothing can begin early: for another command, or with a database elsewhere.
 */
export async function beginStart(args: readonly string[], env: NodeJS.ProcessEnv): Promise<BegunStart | null> {
  if (args.length !== 1 || args[0] !== 'start' || env.DATABASE_URL) return null
  const config = loadConfig(env)
  const lifetime = new Lifetime()
  const signal = lifetime.untilSignal()
  const spawned = Promise.withResolvers<void>()
  const asking = { ...asServer(config, 'start', { api: true, worker: true }), onSpawn: spawned.resolve }
  const database = openOwnDatabase(config, lifetime, asking)
  // Loading blocks this thread, so it begins only when PostgreSQL runs as a process of its own.
  const hasFailed = await Promise.race([spawned.promise.then(() => false), database.then(() => false).catch(() => true)])
  // Another process may use the folder, for example. Then neither the service is loaded nor its console built.
  if (hasFailed) {
    await lifetime.end()
    await database
  }
  return { config, lifetime, signal, database, console: beginFirstBuild() }
}
