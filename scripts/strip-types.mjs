// Node strips the types of our sources itself, but not below a folder called node_modules, which is where `npx overture`
// installs us. Loaded with --import, so that threads also have it.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import module, { registerHooks } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = new URL('..', import.meta.url).href
const cache = process.env.NODE_COMPILE_CACHE && join(process.env.NODE_COMPILE_CACHE, 'stripped')

registerHooks({
  load(url, context, next) {
    if (!url.startsWith(root) || !url.endsWith('.ts') || url.slice(root.length).includes('node_modules/')) return next(url, context)
    return { format: 'module', shortCircuit: true, source: strip(readFileSync(fileURLToPath(url), 'utf8')) }
  },
})

/** The stripping tool takes longer to load than a short command takes to run, so its output is cached by its input. */
function strip(source) {
  if (!cache) return module.stripTypeScriptTypes(source)
  const file = join(cache, `${createHash('sha256').update(`${process.version}\n${source}`).digest('hex')}.mjs`)
  try {
    return readFileSync(file, 'utf8')
  } catch {
    const stripped = module.stripTypeScriptTypes(source)
    keep(file, stripped)
    return stripped
  }
}

function keep(file, text) {
  try {
    mkdirSync(cache, { recursive: true, mode: 0o700 })
    writeFileSync(`${file}.${process.pid}`, text, { mode: 0o600 })
    renameSync(`${file}.${process.pid}`, file)
  } catch {
    // A read-only home folder only costs time.
  }
}
