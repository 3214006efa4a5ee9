import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { EmbeddedPostgres, nobody } from './embedded.ts'

const isRoot = process.getuid?.() === 0
const asRoot = { skip: isRoot ? false : 'only root can play another user' }
const STRANGER = 54_321

const places: string[] = []
after(async () => {
  for (const place of places) await rm(place, { recursive: true, force: true })
})

async function makeFolder(mode = 0o755): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'overture-embedded-'))
  await chmod(folder, mode)
  places.push(folder)
  return join(folder, 'home')
}

async function start(dir: string): Promise<EmbeddedPostgres> {
  const server = await EmbeddedPostgres.start(dir, { fsync: 'off' })
  const moved = await readFile(join(dir, 'moved-to'), 'utf8').catch(() => null)
  if (moved) places.push(moved.trim())
  return server
}

async function ask(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

const socketOf = (server: EmbeddedPostgres): string => decodeURIComponent(/host=(.*)$/.exec(server.url('postgres'))![1]!)
const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8)

describe('the embedded PostgreSQL', () => {
  // One server for what does not change it: to make one takes most of the time.
  let dir: string
  let server: EmbeddedPostgres
  before(async () => {
    dir = await makeFolder()
    server = await start(dir)
  })
  after(() => server?.stop())

  it('requires its password, which only its owner can read, like the log and the folders', async () => {
    assert.deepEqual(await ask(server.url('postgres'), 'select 1 as one'), [{ one: 1 }])
    const withoutPassword = server.url('postgres').replace(/overture:[^@]+@/, 'overture@')
    await assert.rejects(ask(withoutPassword, 'select 1'), /password/)
    await assert.rejects(ask(server.url('postgres').replace(/overture:[^@]+@/, 'overture:wrong@'), 'select 1'), /authentication failed/)
    assert.deepEqual(await ask(server.url('postgres'), 'show listen_addresses'), [{ listen_addresses: '' }])
    assert.equal(await readFile(join(dir, 'data', 'pg_hba.conf'), 'utf8'), 'local all overture scram-sha-256\n')
    for (const file of ['postgres.log', 'postgres.password']) assert.equal(await modeOf(join(dir, file)), '600', file)
    assert.equal(await modeOf(socketOf(server)), '700')
    // The user that root lends the server to has no account, and may walk through the folder, not look into it.
    assert.equal(await modeOf(dir), isRoot ? '710' : '700')
  })

  it('uses a role that cannot read files, run programs or become a superuser', async () => {
    await server.createDatabase('own')
    const url = server.url('own')
    assert.deepEqual(await ask(url, 'select rolsuper, rolcreaterole, rolbypassrls from pg_roles where rolname = current_user'), [
      { rolsuper: false, rolcreaterole: false, rolbypassrls: false },
    ])
    await ask(url, 'create table kept (id int); create extension pg_trgm')
    for (const text of [
      `copy kept from program 'echo 1'`,
      `select pg_read_file('postgresql.conf')`,
      'set role postgres',
      'alter role overture superuser',
      `alter system set listen_addresses = '*'`,
    ])
      await assert.rejects(ask(url, text), /permission denied/, text)
    await assert.rejects(ask(url.replace(/overture:[^@]+@/, 'postgres@'), 'select 1'), /no pg_hba.conf entry/)
  })

  it('refuses a folder of another user, and a redirection note by another user', asRoot, async () => {
    const foreign = await makeFolder()
    await mkdir(foreign)
    await chown(foreign, STRANGER, STRANGER)
    await assert.rejects(start(foreign), /belongs to another user \(54321\)/)
    assert.deepEqual(await readdir(foreign), [])

    const link = await makeFolder()
    await symlink(foreign, link)
    await assert.rejects(start(link), /belongs to another user/)

    const trapped = await makeFolder()
    await mkdir(trapped)
    await writeFile(join(trapped, 'moved-to'), `${foreign}\n`)
    await assert.rejects(start(trapped), /belongs to another user/)
    assert.deepEqual(await readdir(foreign), [])
    await chown(join(trapped, 'moved-to'), STRANGER, STRANGER)
    await assert.rejects(start(trapped), /belongs to another user/)
  })

  /** The user id of a server that root has started, which neither an account nor another server may have. */
  async function userOf(ofFolder: string, { pid }: EmbeddedPostgres): Promise<number> {
    const status = await readFile(`/proc/${pid}/status`, 'utf8')
    const user = Number(/^Uid:\s+(\d+)/m.exec(status)![1])
    assert.match(status, /^Groups:\s*$/m)
    const moved = await readFile(join(ofFolder, 'moved-to'), 'utf8').catch(() => ofFolder)
    const data = join(moved.trim(), 'data')
    assert.equal((await stat(data)).uid, user)
    assert.notEqual(spawnSync('ls', [data], { uid: await nobody(), gid: await nobody() }).status, 0)
    assert.notEqual(spawnSync('cat', [join(ofFolder, 'postgres.password')], { uid: user, gid: user }).status, 0)
    assert.doesNotMatch(await readFile('/etc/passwd', 'utf8'), new RegExp(`^[^:]*:[^:]*:${user}:`, 'm'))
    return user
  }

  it('creates no folder with a predictable name in the temporary directory, and runs under a user id of its own', async () => {
    // If root's server cannot enter a folder, its data has to be elsewhere.
    const deep = join(await makeFolder(0o700), 'a-deep-project-folder'.repeat(6))
    const short = createHash('sha1').update(deep).digest('hex').slice(0, 12)
    const traps = [join('/tmp', `overture-${short}`), join('/var/tmp', `overture-${short}`)]
    places.push(...traps)
    for (const trap of traps) {
      await mkdir(trap, { mode: 0o777 })
      if (isRoot) await chown(trap, STRANGER, STRANGER)
    }
    const second = await start(deep)
    try {
      const socket = socketOf(second)
      assert.ok(!traps.some(trap => socket.startsWith(trap)), socket)
      assert.equal(await modeOf(socket), '700')
      for (const trap of traps) assert.deepEqual(await readdir(trap), [])
      if (isRoot) {
        const users = [await userOf(dir, server), await userOf(deep, second), 0, await nobody()]
        assert.equal(new Set(users).size, 4)
      }
    } finally {
      await second.stop()
    }
    const again = await start(deep)
    try {
      assert.equal(await EmbeddedPostgres.findRunning(deep, 'postgres'), again.url('postgres'))
    } finally {
      await again.stop()
    }
  })

  // The last one: it ends and removes the server.
  it('sets a new password if the password file was lost', async () => {
    await server.stop()
    const before = await readFile(join(dir, 'postgres.password'), 'utf8')
    await rm(join(dir, 'postgres.password'))
    server = await start(dir)
    assert.deepEqual(await ask(server.url('postgres'), 'select 1 as one'), [{ one: 1 }])
    assert.notEqual(await readFile(join(dir, 'postgres.password'), 'utf8'), before)
    await assert.rejects(ask(server.url('postgres').replace(/overture:[^@]+@/, `overture:${before}@`), 'select 1'), /authentication/)
    await server.stop()
    assert.ok(existsSync(dir))
    await server.remove()
    assert.ok(!existsSync(dir))
  })
})
