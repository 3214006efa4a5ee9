import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { showProgress } from '../cli/output.ts'

const ROOT = join(import.meta.dirname, '../..')
/** The inputs of the build. The lockfile represents the packages. */
const SOURCES = ['console/src', 'console/public', 'packages/sdk/src']
const SOURCE_FILES = [
  'console/index.html',
  'console/docs.html',
  'console/vite.config.ts',
  'console/package.json',
  'package-lock.json',
  'scripts/build-console.ts',
]

export const consoleFolder = (root: string, hash: string): string => join(root, 'console', 'dist', hash)

/** The built console in a release (`npm pack`), which has no sources. */
export const releasedConsole = (root: string): string => join(root, 'console', 'dist', 'release')

/** A release contains neither the sources of the console nor the code that builds them. */
const isRelease = !existsSync(join(ROOT, 'console', 'index.html'))

/** Names a build by the hash of its inputs, so that it is made again only when something has changed. */
export async function hashConsoleSources(root: string): Promise<string> {
  const folders = await Promise.all(
    SOURCES.map(folder => readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(() => [])),
  )
  const found = folders.flat().filter(entry => entry.isFile())
  const files = [...found.map(entry => relative(root, join(entry.parentPath, entry.name))), ...SOURCE_FILES].sort()
  const contents = await Promise.all(files.map(file => readFile(join(root, file))))
  const hash = createHash('sha256')
  for (const [index, file] of files.entries()) hash.update(`${file}\0${contents[index]!.length}\0`).update(contents[index]!)
  return hash.digest('hex').slice(0, 16)
}

/** The folder of the console that belongs to these sources, or to this release; null when it has not been built. */
export async function findBuiltConsole(): Promise<string | null> {
  try {
    const folder = isRelease ? releasedConsole(ROOT) : consoleFolder(ROOT, await hashConsoleSources(ROOT))
    return existsSync(join(folder, 'index.html')) ? folder : null
  } catch {
    return null
  }
}

/** Builds in a separate process, which frees the compiler's memory at its end and isolates failures. */
function spawnBuild(): Promise<unknown> {
  const child = spawn(process.execPath, [join(ROOT, 'scripts/build-console.ts')], { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] })
  return new Promise(resolve => child.on('exit', resolve).on('error', resolve))
}

/** Begins a build at once where there has never been one; null elsewhere. To compare the sources with a build that is there takes turns of the event loop. */
export const beginFirstBuild = (): Promise<unknown> | null => (isRelease || existsSync(join(ROOT, 'console', 'dist')) ? null : spawnBuild())

/** Builds the console if it has not been built; `begun` is a build that is under way. When it fails, it prints a sentence and returns null. */
export async function buildConsole(begun: Promise<unknown> | null = null): Promise<string | null> {
  const built = begun ? null : await findBuiltConsole()
  if (built || isRelease) return built
  const code = await showProgress('Building the console (once)', () => begun ?? spawnBuild())
  if (code !== 0) console.error('The console could not be built. The API runs without it. `npm run build` shows why.')
  return findBuiltConsole()
}
