import { spawn } from 'node:child_process'
import { join } from 'node:path'

/** `npm run dev`: the service, started again when its sources change, and the console from Vite, which changes under the eyes. */
const root = join(import.meta.dirname, '..')
const port = process.env.PORT ?? '8080'
const service = spawn(process.execPath, ['--watch-path=src', '--watch-preserve-output', 'src/main.ts', 'start'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, PORT: port },
})

process.env.OVERTURE_DEV_SERVICE = `http://127.0.0.1:${port}`
const { createServer } = await import('vite')
const vite = await createServer({ configFile: join(root, 'console', 'vite.config.ts') })
await vite.listen()
vite.printUrls()

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    service.kill('SIGTERM')
    void vite.close()
  })
}
service.on('exit', async code => {
  await vite.close()
  process.exit(code ?? 0)
})
