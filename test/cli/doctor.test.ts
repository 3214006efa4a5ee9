import assert from 'node:assert/strict'
import { chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { readLocalFile } from '../../src/app/account-commands.ts'
import { examineMicrosoft } from '../../src/app/doctor.ts'
import { INSTALLATION_COMMANDS } from '../../src/app/installation-commands.ts'
import { makeProvider } from '../factories.ts'
import { createTestDatabase, type Overture, startOverture, TEST_SECRET } from '../harness.ts'
import { TestImapServer } from '../mail/imap-server.ts'
import { ScriptedSmtp } from '../mail/smtp-script.ts'
import { startNameServer } from '../name-server.ts'
import { InProcess } from './in-process.ts'

interface Finding {
  name: string
  status: 'ok' | 'warn' | 'fail'
  text: string
  fix: string | null
}

const KEY = TEST_SECRET

// Not in a hook, because a hook's cleanups run when the hook ends.
const names = await startNameServer({})
after(() => names.stop())

describe('the doctor', () => {
  let overture: Overture
  let line: InProcess
  let env: Record<string, string>
  before(async () => {
    overture = await startOverture()
    line = new InProcess(overture, INSTALLATION_COMMANDS)
    env = {
      DATABASE_URL: overture.databaseUrl,
      OVERTURE_SECRET_KEY: KEY.toString('base64'),
      OVERTURE_DNS_SERVERS: names.address,
      OVERTURE_BASE_URL: overture.baseUrl,
      PORT: new URL(overture.baseUrl).port,
    }
  })

  const examine = async (more: Record<string, string> = {}) => {
    const { code, out } = await line.run(['doctor', '--json'], { env: { ...env, ...more } })
    const { findings } = JSON.parse(out) as { findings: Finding[] }
    return { code, of: (name: string) => findings.find(finding => finding.name === name)! }
  }

  it('finds no problem in a healthy service', async () => {
    const { code, out, err } = await line.run(['doctor'], { env })
    assert.equal(code, 0, out + err)
    assert.doesNotMatch(out, /^fail/m)
    for (const name of [
      'database: PostgreSQL 18',
      'clock',
      'connections',
      'migrations',
      'secret key: matches',
      'workers: 1 running',
      'queue',
      'dns',
      'base url',
      'disk',
      'node',
      'service',
      'version',
      'token',
    ]) {
      assert.match(out, new RegExp(`^ok {4}${name}`, 'm'))
    }
    assert.match(out, new RegExp(`port: Overture .* is running at ${overture.baseUrl}`))
  })

  it('names the secret key that the database needs', async () => {
    const { code, of } = await examine({ OVERTURE_SECRET_KEY: Buffer.alloc(32, 4).toString('base64') })
    assert.equal(code, 1)
    assert.match(of('secret key').text, /^the database needs the key [0-9a-f]{12}, but the configured key is [0-9a-f]{12}$/)
    const rotated = await examine({
      OVERTURE_SECRET_KEY: Buffer.alloc(32, 4).toString('base64'),
      OVERTURE_PREVIOUS_SECRET_KEY: env.OVERTURE_SECRET_KEY!,
    })
    assert.deepEqual([rotated.of('secret key').status, rotated.of('secret key').fix], ['warn', 'overture secret rotate'])
  })

  it('reports a missing or empty database and missing workers, each with a command', async () => {
    const away = await examine({ DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' })
    assert.equal(away.of('database').status, 'fail')
    const empty = await examine({ DATABASE_URL: await createTestDatabase({ isEmpty: true }) })
    assert.deepEqual([empty.of('migrations').status, empty.of('migrations').fix], ['fail', 'overture migrate'])
    const idle = await examine({ DATABASE_URL: await createTestDatabase() })
    assert.deepEqual([idle.of('workers').status, idle.of('workers').fix], ['warn', 'overture worker'])
    const standby = await examine({ DATABASE_URL: `${overture.databaseUrl}&options=-c%20default_transaction_read_only%3Don` })
    assert.equal(standby.of('database').status, 'fail')
    assert.match(standby.of('database').text, /is read-only/)
    assert.equal((await examine({ OVERTURE_SECRET_KEY: '' })).of('settings').status, 'fail')
  })

  it('names the owner of a folder that it cannot look into, and reads past a damaged file', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'overture-doctor-'))
    after(() => rm(dir, { recursive: true }))
    for (const text of ['null', '{}', `{"baseUrl": "", "token": "", "workspaceId": "${overture.workspaceId}"}`, '{"baseUrl": "http']) {
      await writeFile(join(dir, 'local.json'), text)
      assert.equal(await readLocalFile(dir), null)
    }
    const of = async (folder: string) => {
      const { out } = await line.run(['doctor', '--json'], { env: { OVERTURE_DIR: folder } })
      return (JSON.parse(out) as { findings: Finding[] }).findings.filter(({ name }) => ['folder', 'database', 'port'].includes(name))
    }
    const [port, database] = await of(dir)
    assert.deepEqual([database!.name, database!.status], ['database', 'warn'])
    assert.doesNotMatch(port!.text, /JSON/)
    const isRoot = process.getuid?.() === 0
    if (isRoot) await chown(dir, 65_534, 65_534)
    const owner = isRoot ? 65_534 : 0
    const { name, status, text, fix } = (await of(isRoot ? dir : '/')).find(finding => finding.name !== 'port')!
    assert.deepEqual([name, status, fix], ['folder', 'fail', `sudo -u '#${owner}' overture doctor`])
    assert.ok(text.endsWith(`belongs to another user (${owner})`))
  })

  it('waits only for the greeting of each mail server', async () => {
    const smtp = await ScriptedSmtp.start()
    const imap = await TestImapServer.start({ user: 'ada', password: 'secret' })
    const mute = createServer(socket => socket.on('error', () => {}).end('554 go away\r\n'))
    await new Promise<void>(resolve => mute.listen(0, '127.0.0.1', resolve))
    after(async () => {
      mute.close()
      await smtp.close()
      await imap.close()
    })
    const server = (port: number) => ({ host: '127.0.0.1', port, secure: false })
    const credentials = { username: 'ada', password: 'secret' }
    const bad = (mute.address() as { port: number }).port
    await makeProvider(overture, { kind: 'smtp', settings: { smtp: server(smtp.port), imap: server(imap.port) }, credentials })
    await makeProvider(overture, { kind: 'smtp', settings: { smtp: server(bad), imap: server(imap.port) }, credentials })
    const { code, of } = await examine()
    assert.equal(code, 1)
    assert.match(of(`mail server 127.0.0.1:${smtp.port}`).text, /SMTP of 1 mailbox: ready/)
    assert.match(of(`mail server 127.0.0.1:${imap.port}`).text, /IMAP of 2 mailboxes: ready/)
    assert.match(of(`mail server 127.0.0.1:${bad}`).text, /unexpected greeting "554 go away"/)
  })

  it('warns about Microsoft mailboxes that may sign in by password', async () => {
    const client = new pg.Client({ connectionString: overture.databaseUrl })
    await client.connect()
    after(() => client.end())
    assert.deepEqual(await examineMicrosoft(client), [])
    const smtp = { host: 'smtp.office365.com', port: 587, secure: false }
    const { id } = await makeProvider(overture, { kind: 'smtp', settings: { smtp }, credentials: { username: 'ada', password: 'secret' } })
    const [found] = await examineMicrosoft(client)
    assert.equal(found!.status, 'warn')
    assert.match(found!.text, /^1 mailbox at Microsoft may sign in by password, because no consent is stored\. .*December 2026.*by consent/)
    await client.query("update providers set consent = '{}' where id = $1", [id])
    assert.deepEqual(await examineMicrosoft(client), [])
    await overture.client.delete(`${overture.home}/providers/${id}`)
  })

  it('checks the machine before the first start', async () => {
    const bare = new InProcess(undefined, INSTALLATION_COMMANDS)
    const settings = { OVERTURE_DNS_SERVERS: '127.0.0.1:9', PORT: '0' }
    const { code, out } = await bare.run(['doctor'], { env: settings })
    assert.equal(code, 1)
    assert.match(out, /^fail {2}dns: 127\.0\.0\.1:9 do not respond: .*ECONNREFUSED.*\n {6}-> set OVERTURE_DNS_SERVERS/m)
    assert.match(out, /^warn {2}database: there is no installation in .* yet\n {6}-> overture start$/m)
    assert.match(out, /^ok {4}disk/m)
    assert.match(out, /^ok {4}service: not signed in$/m)
  })

  it('reports a failed sign-in and the next command, instead of treating it as a first start', async () => {
    const bare = new InProcess(undefined, INSTALLATION_COMMANDS)
    const profiles = join(bare.home, 'profiles.json')
    const service = async (given: { args?: string[]; env?: Record<string, string> }) => {
      const { code, out } = await bare.run(['doctor', ...(given.args ?? [])], { env: { PORT: '0', ...given.env } })
      assert.equal(code, 1, out)
      assert.doesNotMatch(out, /^ok/m)
      return out
    }
    assert.match(await service({ args: ['--profile', 'nope'] }), /^fail {2}service: .*"nope".*\n {6}-> overture login --profile nope /)
    const url = 'http://127.0.0.1:9'
    assert.match(
      await service({ env: { OVERTURE_URL: url } }),
      /^fail {2}service: There is no token for .*\n {6}-> overture login --url http/,
    )
    for (const text of ['{', 'null', '{"profiles":1}']) {
      await writeFile(profiles, text, { mode: 0o600 })
      assert.match(
        await service({ env: { OVERTURE_PROFILE: profiles } }),
        /^fail {2}service: .*profiles\.json.*\n {6}-> rm .* && overture login$/m,
      )
    }
    const here = await line.run(['doctor', '--profile', 'nope'], { env })
    assert.match(here.out, /^fail {2}service: .*"nope"/m)
  })

  it('finds a port in use and a base URL that does not work', async () => {
    const other = createServer(socket => socket.on('error', () => {}).end('hello\n'))
    await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve))
    after(() => void other.close())
    const { of } = await examine({ PORT: String((other.address() as { port: number }).port), OVERTURE_BASE_URL: 'http://overture.invalid' })
    assert.equal(of('port').status, 'fail')
    assert.match(of('base url').text, /is not https/)
    const away = (await examine({ OVERTURE_BASE_URL: 'https://overture.invalid' })).of('base url')
    assert.deepEqual([away.text, away.fix], ['https://overture.invalid does not respond from here', 'overture api'])
  })

  it('finds the service of its folder on the port that it was started with', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'overture-local-'))
    try {
      const local = { workspaceId: overture.workspaceId, token: '', orgKey: '' }
      await writeFile(join(dir, 'local.json'), JSON.stringify({ ...local, baseUrl: overture.baseUrl }), { mode: 0o600 })
      const { of } = await examine({ OVERTURE_DIR: dir, PORT: '' })
      assert.match(of('port').text, new RegExp(`^Overture .* is running at ${overture.baseUrl}$`))
    } finally {
      await rm(dir, { recursive: true })
    }
  })

  it('checks only the service on a machine that only calls one', async () => {
    const { code, out } = await line.run(['doctor'])
    assert.equal(code, 0)
    assert.deepEqual(
      out
        .trim()
        .split('\n')
        .map(text => text.split(':')[0]),
      ['ok    service', 'ok    version', 'ok    token'],
    )
    const wrong = await line.run(['doctor'], { env: { OVERTURE_TOKEN: 'ovt_wrong' } })
    assert.equal(wrong.code, 1)
    assert.match(wrong.err, /Next: overture login/)
  })

  it('distinguishes a frozen database from one that is not running, and skips the token', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'overture-frozen-'))
    const silent = createServer(() => {})
    const service = createHttpServer((request, response) => {
      response.writeHead(request.url === '/healthz' ? 200 : 503, { 'content-type': 'application/json' }).end('{"version":"0.1.0"}')
    })
    try {
      await mkdir(join(dir, 'run'))
      for (const [name, text] of [
        ['secret.key', KEY.toString('base64')],
        ['postgres.password', 'secret'],
      ] as const) {
        await writeFile(join(dir, name), text, { mode: 0o600 })
      }
      await new Promise<void>(resolve => service.listen(0, '127.0.0.1', resolve))
      const { port } = service.address() as { port: number }
      const here = { DATABASE_URL: '', OVERTURE_DIR: dir, OVERTURE_URL: `http://127.0.0.1:${port}`, OVERTURE_TOKEN: overture.client.token }
      const away = (await examine(here)).of('database')
      assert.deepEqual([away.status, away.fix], ['warn', 'overture start'])
      await new Promise<void>(resolve => silent.listen(join(dir, 'run', '.s.PGSQL.5432'), resolve))
      const { code, of } = await examine(here)
      assert.deepEqual([code, of('database').status, of('token')], [1, 'fail', undefined])
      assert.match(of('database').text, /is running but does not respond/)
      assert.equal(of('service').fix, 'fix the failures above')
    } finally {
      silent.close()
      service.close()
      await rm(dir, { recursive: true })
    }
  })
})
