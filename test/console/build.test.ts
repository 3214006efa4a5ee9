import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cp, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { before, describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { request } from 'undici'
import { buildConsole } from '../../src/app/console-build.ts'
import { consoleOf } from '../../src/app/server.ts'
import { eventually } from '../faults/eventually.ts'
import { makeFolder, Program, ROOT } from '../faults/processes.ts'
import { full } from '../full.ts'
import { createTestDatabase, type Overture, startOverture } from '../harness.ts'

interface Chunk {
  file: string
  css?: string[]
  imports?: string[]
  isDynamicEntry?: boolean
}

const FIRST_ROUTE_BYTES = 220_000

/** The output of `npm pack --json`, after the output of its scripts. */
const readPacked = (output: string) => JSON.parse(output.slice(output.indexOf('['))) as [{ filename: string; files: { path: string }[] }]

function findNeedless(output: string): string[] {
  const paths = readPacked(output)[0].files.map(({ path }) => path)
  assert.ok(paths.includes('src/main.ts'))
  return paths.filter(path => /^(test|bench|console\/src)\/|\.test\.ts$|\.png$/.test(path))
}

describe('the built console', () => {
  let folder: string
  let manifest: Record<string, Chunk>
  let overture: Overture

  before(async () => {
    folder = (await buildConsole())!
    assert.ok(folder, 'the console could not be built')
    manifest = JSON.parse(await readFile(join(folder, '.vite/manifest.json'), 'utf8'))
    overture = await startOverture({ worker: false })
    await consoleOf(overture.ctx).serve(folder)
  })

  const get = async (path: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' | 'POST' = 'GET') => {
    const { statusCode, headers: answered, body } = await request(overture.baseUrl + path, { method, headers })
    return { status: statusCode, headers: answered as Record<string, string>, bytes: Buffer.from(await body.arrayBuffer()) }
  }

  /** The files that a browser loads before this chunk runs. */
  function loadedFor(...names: string[]): Set<string> {
    const seen = new Set<string>()
    const visit = (name: string) => {
      if (seen.has(name)) return
      seen.add(name)
      for (const next of manifest[name]!.imports ?? []) visit(next)
    }
    names.forEach(visit)
    return new Set([...seen].map(name => manifest[name]!.file))
  }

  it('loads at most 220 KB of compressed JavaScript for the first route', async () => {
    const files = [...loadedFor('index.html', 'src/app/shell.tsx', 'src/screens/home/home-screen.tsx')].filter(file => file.endsWith('.js'))
    const sizes = await Promise.all(files.map(async file => (await readFile(join(folder, `${file}.gz`))).length))
    const total = sizes.reduce((sum, size) => sum + size, 0)
    assert.ok(total <= FIRST_ROUTE_BYTES, `${total} bytes: ${files.map((file, at) => `${file} ${sizes[at]}`).join(', ')}`)
  })

  it('loads the code of a screen with the screen', () => {
    const first = loadedFor('index.html', 'src/app/shell.tsx')
    const screens = Object.keys(manifest).filter(name => manifest[name]!.isDynamicEntry && name.startsWith('src/screens/'))
    assert.ok(screens.length >= 25)
    for (const screen of screens) assert.ok(!first.has(manifest[screen]!.file), `${screen} is loaded before it is opened`)
  })

  it('shows the reference to browsers without a session, and as one plain page to clients without scripts', async () => {
    const app = await get('/docs', { accept: 'text/html,*/*;q=0.8' })
    assert.equal(app.status, 200)
    assert.match(app.headers['content-security-policy']!, /script-src 'self'/)
    assert.match(app.headers.vary!, /\baccept\b/)
    assert.match(app.bytes.toString(), /<noscript>.*\/docs\/plain/)
    for (const [path, accept] of [
      ['/docs', '*/*'],
      ['/docs/plain', 'text/html'],
    ] as const) {
      const { headers, bytes } = await get(path, { accept })
      assert.match(bytes.toString(), /\/v1\/operations\/\{operationId\}/)
      assert.match(headers['content-security-policy']!, /default-src 'none'/)
    }
    const whole = await get('/openapi.json')
    const zipped = await get('/openapi.json', { 'accept-encoding': 'br, gzip' })
    assert.deepEqual(gunzipSync(zipped.bytes), whole.bytes)
    assert.equal((await get('/openapi.json', { 'accept-encoding': 'gzip;q=0' })).headers['content-encoding'], undefined)
  })

  it('is rebuilt only when its sources have changed', async () => {
    const before = await stat(join(folder, 'index.html'))
    assert.equal(await buildConsole(), folder)
    assert.equal((await stat(join(folder, 'index.html'))).mtimeMs, before.mtimeMs)
  })

  it('is served for its own paths with a policy that allows no inline script and no other host', async () => {
    for (const path of ['/', '/campaigns', '/campaigns/0197b1c2-0000-7000-8000-000000000001', '/sign-in?code=x', '/developers/webhooks']) {
      const { status, headers, bytes } = await get(path, { accept: 'text/html' })
      assert.equal(status, 200, path)
      assert.match(headers['content-type']!, /^text\/html/)
      assert.equal(headers['cache-control'], 'no-cache')
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.equal(headers['referrer-policy'], 'same-origin')
      const policy = headers['content-security-policy']!
      for (const rule of [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "frame-ancestors 'none'",
        "object-src 'none'",
        "base-uri 'none'",
      ])
        assert.ok(policy.split('; ').includes(rule), `${rule} is missing`)
      assert.doesNotMatch(bytes.toString(), /<script(?![^>]*\bsrc=)|\son\w+=|https?:\/\//, path)
    }
  })

  it('serves hashed files as immutable and compressed, and other files only when they changed', async () => {
    const path = `/${manifest['index.html']!.file}`
    const plain = await get(path)
    assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(plain.headers['content-encoding'], undefined)
    const zipped = await get(path, { 'accept-encoding': 'gzip, br;q=0' })
    assert.equal(zipped.headers['content-encoding'], 'gzip')
    assert.deepEqual(gunzipSync(zipped.bytes), plain.bytes)
    const best = await get(path, { 'accept-encoding': 'gzip, deflate, br' })
    assert.equal(best.headers['content-encoding'], 'br')
    assert.ok(best.bytes.length < zipped.bytes.length)
    assert.equal(new Set([plain, zipped, best].map(({ headers }) => headers.etag)).size, 3)
    const page = await get('/')
    const again = await get('/', { 'if-none-match': page.headers.etag! })
    assert.equal(again.status, 304)
    assert.equal(again.bytes.length, 0)
    const head = await get(path, {}, 'HEAD')
    assert.equal(head.bytes.length, 0)
    assert.equal(Number(head.headers['content-length']), plain.bytes.length)
  })

  it('is served as it was when the process started, even after its files were replaced', async () => {
    const other = await startOverture({ worker: false })
    const copy = join(await makeFolder(), 'console')
    await cp(folder, copy, { recursive: true })
    await consoleOf(other.ctx).serve(copy)
    await rm(copy, { recursive: true })
    for (const path of ['/', `/${manifest['index.html']!.file}`]) {
      const { statusCode, body } = await request(other.baseUrl + path, { headers: { accept: 'text/html', 'accept-encoding': 'br' } })
      assert.deepEqual([statusCode, Buffer.from(await body.arrayBuffer())], [200, (await get(path, { 'accept-encoding': 'br' })).bytes])
    }
  })

  it('leaves every other path to the API, and serves no file outside of its folder', async () => {
    const outside = ['/v1/nothing', '/assets/nothing.js', '/assets/..%2f..%2f..%2f..%2fpackage.json']
    for (const path of outside) {
      const { status, headers, bytes } = await get(path, { accept: 'text/html' })
      assert.equal(status, 404, path)
      assert.match(headers['content-type']!, /^application\/json/, path)
      assert.equal(JSON.parse(bytes.toString()).error.code, 'not_found')
    }
    assert.equal((await get('/campaigns', {}, 'POST')).status, 405)
  })

  it('returns a friendly page in their language to people, and the error envelope to programs, for unknown paths', async () => {
    for (const path of [
      '/nothing',
      '/.vite/manifest.json',
      '/index.html.gz',
      '/assets/../index.html.br',
      '/assets/%2e%2e/%2e%2e/package.json',
      '/campaignsx',
      '/v1x',
    ]) {
      const page = await get(path, { accept: 'text/html', 'accept-language': 'es' })
      assert.equal(page.status, 404, path)
      assert.match(page.headers['content-type']!, /^text\/html/, path)
      assert.match(page.headers['content-security-policy']!, /^default-src 'none'/)
      assert.match(page.bytes.toString(), /<html lang="es">.*No hay nada en esta dirección/)
      for (const accept of ['*/*', 'application/json', 'application/json, text/html;q=0.5']) {
        const { status, bytes } = await get(path, { accept })
        assert.deepEqual([status, JSON.parse(bytes.toString()).error.code], [404, 'not_found'], accept)
      }
    }
  })

  it('returns the URLs of the API to programs that request JSON at /', async () => {
    const { status, bytes } = await get('/', { accept: 'application/json' })
    assert.equal(status, 200)
    assert.equal(JSON.parse(bytes.toString()).openapi, '/openapi.json')
  })

  it('is replaced by a page with links while it is not built', async () => {
    const bare = await startOverture({ worker: false })
    const page = await fetch(`${bare.baseUrl}/campaigns`, { headers: { accept: 'text/html' } })
    assert.equal(page.status, 200)
    assert.match(await page.text(), /API reference/)
    assert.equal((await fetch(`${bare.baseUrl}/assets/index.js`)).status, 404)
    const docs = await fetch(`${bare.baseUrl}/docs`, { headers: { accept: 'text/html' } })
    assert.match(await docs.text(), /\/v1\/operations\/\{operationId\}/)
  })

  it('is packed without tests, benchmarks, sources and pictures', () => {
    const { stdout } = spawnSync('npm', ['pack', '--json', '--dry-run', '--ignore-scripts'], { cwd: ROOT, encoding: 'utf8' })
    assert.deepEqual(findNeedless(stdout), [])
  })

  // The packed files themselves are checked in every run, above.
  it('is included in a release, which starts without sources and with its listed packages only', full, async () => {
    const folder = await makeFolder()
    const { stdout } = spawnSync('npm', ['pack', '--json', '--pack-destination', folder], { cwd: ROOT, encoding: 'utf8' })
    const [{ filename }] = readPacked(stdout)
    assert.deepEqual(findNeedless(stdout), [])
    const home = join(folder, 'node_modules/overture')
    await mkdir(home, { recursive: true })
    spawnSync('tar', ['xzf', join(folder, filename), '--strip-components=1', '-C', home])
    const { dependencies } = JSON.parse(await readFile(join(home, 'package.json'), 'utf8')) as { dependencies: Record<string, string> }
    for (const name of Object.keys(dependencies)) {
      await mkdir(dirname(join(folder, 'node_modules', name)), { recursive: true })
      await symlink(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))
    }
    const program = new Program(process.execPath, [join(home, 'scripts/run.mjs'), 'start'], {
      DATABASE_URL: await createTestDatabase(),
      OVERTURE_SECRET_KEY: randomBytes(32).toString('base64'),
      PORT: '0',
    })
    try {
      const [, base] = await program.says(/"baseUrl":"([^"]+)","msg":"started"/)
      // Nothing waits for the console: for a moment there is a page in its place.
      const [, script] = await eventually('the console is there', async () => {
        const page = await fetch(`${base}/campaigns`, { headers: { accept: 'text/html' } })
        return /<script[^>]*src="([^"]+)"/.exec(await page.text())
      })
      assert.equal((await fetch(`${base}${script}`)).status, 200)
      assert.match(await (await fetch(`${base}/llms.txt`)).text(), /docs\/guides\/agents\.md/)
    } finally {
      await program.end()
    }
  })

  // Every run: 'is replaced by a page with links while it is not built'.
  it('leaves the API running and reports it, if its build fails', full, async () => {
    const copy = await makeFolder()
    for (const name of [
      'src',
      'scripts',
      'migrations',
      'packages',
      'docs',
      'skills',
      'console/src',
      'openapi.json',
      'package.json',
      'package-lock.json',
      'console/package.json',
    ])
      await cp(join(ROOT, name), join(copy, name), { recursive: true, filter: source => !/node_modules|\/dist$/.test(source) })
    for (const name of ['console/index.html', 'console/docs.html']) await cp(join(ROOT, name), join(copy, name))
    await writeFile(join(copy, 'console/vite.config.ts'), 'throw new Error("somebody is editing this")\n')
    await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
    const program = new Program(process.execPath, [join(copy, 'src/main.ts'), 'start'], {
      DATABASE_URL: await createTestDatabase(),
      OVERTURE_SECRET_KEY: randomBytes(32).toString('base64'),
      PORT: '0',
    })
    try {
      await program.says(/The console could not be built\. The API runs without it/)
      const [, base] = await program.says(/"baseUrl":"([^"]+)","msg":"started"/)
      const open = (path: string) => fetch(`${base}${path}`, { headers: { accept: 'text/html' } })
      // Pages are 503 until the failed build is known to the server, a moment after it was reported.
      await eventually('the pages are served', async () => (await open('/docs')).ok)
      const [docs, page] = await Promise.all(['/docs', '/campaigns'].map(open))
      assert.deepEqual([docs!.status, page!.status], [200, 200])
      assert.match(await docs!.text(), /\/v1\/operations\/\{operationId\}/)
      assert.match(await page!.text(), /API reference/)
    } finally {
      await program.end()
    }
  })
})
