import type { Config } from '../context/config.ts'
import { buildConsole, findBuiltConsole } from './console-build.ts'
import { ensureDemo } from './demo/demo.ts'
import { addressOf, asServer, type BegunStart } from './early-start.ts'
import type { Lifetime } from './lifetime.ts'
import { openContext } from './opening.ts'
import { showProgress } from './progress.ts'
import { buildApp, consoleOf, VERSION } from './server.ts'
import { Worker } from './worker.ts'

/** Runs the API, the worker or both, until a signal ends them. */
export async function startService(
  config: Config,
  lifetime: Lifetime,
  command: string,
  parts: { api: boolean; worker: boolean },
  begun: BegunStart | null = null,
): Promise<void> {
  const signal = begun?.signal ?? lifetime.untilSignal()
  // Tells scripts/run.mjs, which waits for it, that the program is loaded.
  process.send?.('loaded')
  // Nothing waits for this build: a console that cannot be built must not stop the API.
  const built = parts.api ? (parts.worker ? buildConsole(begun?.console) : findBuiltConsole()) : null
  const openServer = () => openContext(config, lifetime, asServer(config, command, parts), begun?.database)
  const { ctx, lock } = await (config.databaseUrl ? openServer() : showProgress(`Starting PostgreSQL in ${config.dir}`, openServer))
  await ctx.wake.listen(ctx.db.url)

  const app = parts.api ? await buildApp(ctx) : null
  if (app) {
    await app.listen({ host: config.host, port: config.port }).catch(error => {
      if ((error as { code?: string }).code !== 'EADDRINUSE') throw error
      throw new Error(`Port ${config.port} is taken. Choose another: PORT=8081 npm start`)
    })
    config.port = (app.server.address() as { port: number }).port
  }
  // Links are made by the worker too, so one that runs alone assumes the address that the API would have here.
  config.baseUrl ||= addressOf(config)
  if (parts.api) await lock?.answersAt(addressOf(config))
  if (parts.worker) {
    const worker = new Worker(ctx)
    await worker.start()
    lifetime.add('worker', () => worker.stop())
  }
  if (app) lifetime.add('app', () => app.close())
  const shown = built
    ?.then(folder => consoleOf(ctx).serve(folder))
    .catch(error => ctx.log.error({ err: error }, 'the console is not served'))

  if (!config.databaseUrl) {
    const local = await ensureDemo(ctx)
    await shown
    console.log(
      `\n  Overture ${VERSION} is running at ${config.baseUrl}\n  Sign in (once): ${local.consoleUrl}\n  API reference: ${config.baseUrl}/docs\n  Tokens and ids: ${local.file}\n\n  Ctrl-C stops it.\n`,
    )
  } else {
    ctx.log.info({ api: parts.api, worker: parts.worker, baseUrl: config.baseUrl }, 'started')
  }
  // Otherwise the first brief would wait for the vocabulary. A worker that runs alone may never get a brief.
  if (parts.api && parts.worker) setImmediate(() => void import('#brief-reader').then(({ warmUp }) => warmUp()))
  await signal
  console.log('\nStopping ...')
}
