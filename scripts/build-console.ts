import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { consoleFolder, hashConsoleSources, releasedConsole } from '../src/app/console-build.ts'
import { isAlive } from '../src/db/embedded.ts'

/**
 * Builds the console into `console/dist/<hash of its sources>`; does nothing if that exists. A build is made next to
 * it and moved there when complete, so that no incomplete build is served, even if two processes build at the same time.
 * With `--release`, also into `console/dist/release`, which `npm pack` includes.
 */
const root = join(import.meta.dirname, '..')
const COMPRESSED = new Set(['.js', '.css', '.html', '.svg'])
const toGzip = promisify(gzip)
const toBrotli = promisify(brotliCompress)

async function compress(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile() && COMPRESSED.has(extname(entry.name)))
  await Promise.all(
    files.map(async entry => {
      const file = join(entry.parentPath, entry.name)
      const content = await readFile(file)
      // A first start waits for this. The next compression level takes four times as long, for 0.1%.
      const brotli = await toBrotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 7, [constants.BROTLI_PARAM_LGWIN]: 22 } })
      await Promise.all([writeFile(`${file}.br`, brotli), writeFile(`${file}.gz`, await toGzip(content, { level: 9 }))])
    }),
  )
}

/** A killed build leaves its folder. */
function isAbandoned(name: string): boolean {
  const pid = Number(/^making-(\d+)$/.exec(name)?.[1])
  return pid > 0 && (pid === process.pid || !isAlive(pid))
}

async function build(hash: string, target: string): Promise<void> {
  const dist = join(root, 'console', 'dist')
  const before = await readdir(dist).catch((): string[] => [])
  if (before.includes(hash)) return
  for (const name of before) if (isAbandoned(name)) await rm(join(dist, name), { recursive: true, force: true })
  const started = performance.now()
  const { build: viteBuild } = await import('vite')
  const making = join(dist, `making-${process.pid}`)
  await mkdir(dist, { recursive: true })
  try {
    await viteBuild({
      configFile: join(root, 'console', 'vite.config.ts'),
      logLevel: 'warn',
      build: { outDir: making, emptyOutDir: true },
    })
    await compress(making)
    await rename(making, target).catch(async error => {
      // Another process was faster, with the same result.
      if (!['EEXIST', 'ENOTEMPTY'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    })
  } finally {
    await rm(making, { recursive: true, force: true })
  }
  // Running processes may still serve the last one; older ones are not needed any more.
  const builds = before.filter(name => /^[0-9a-f]{16}$/.test(name))
  for (const name of builds.slice(0, -1)) await rm(join(dist, name), { recursive: true, force: true })
  console.log(`Built the console in ${((performance.now() - started) / 1000).toFixed(1)} s.`)
}

const hash = await hashConsoleSources(root)
const target = consoleFolder(root, hash)
await build(hash, target)
if (process.argv.includes('--release')) {
  await rm(releasedConsole(root), { recursive: true, force: true })
  await cp(target, releasedConsole(root), { recursive: true })
}
