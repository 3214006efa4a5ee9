import { type ChildProcess, spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { join } from 'node:path'

/**
 * `npm run dev`: the service, restarted when its sources change, and the console from Vite, with live reload.
 * Node's own `--watch` is not used, because it makes our worker threads send messages about their imports.
 */
const root = join(import.meta.dirname, '..')
const port = process.env.PORT ?? '8080'
const QUIET_MS = 200

let service: ChildProcess
let isEnding = false
let isStartingAgain = false

function start(): void {
  isStartingAgain = false
  service = spawn(process.execPath, ['src/main.ts', 'start'], { cwd: root, stdio: 'inherit', env: { ...process.env, PORT: port } })
  service.on('exit', code => {
    if (isStartingAgain) start()
    else if (isEnding) process.exit(code ?? 0)
    else console.log('The service has ended. It starts again when a source changes.')
  })
}

let timer: ReturnType<typeof setTimeout> | undefined
watch(join(root, 'src'), { recursive: true }, () => {
  clearTimeout(timer)
  timer = setTimeout(() => {
    if (service.exitCode !== null) return start()
    isStartingAgain = true
    service.kill('SIGTERM')
  }, QUIET_MS)
})

start()
process.env.OVERTURE_DEV_SERVICE = `http://127.0.0.1:${port}`
const { createServer } = await import('vite')
const vite = await createServer({ configFile: join(root, 'console', 'vite.config.ts') })
await vite.listen()
vite.printUrls()

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, async () => {
    isEnding = true
    isStartingAgain = false
    await vite.close()
    if (service.exitCode !== null) process.exit(0)
    service.kill('SIGTERM')
  })
}
