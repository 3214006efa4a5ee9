import assert from 'node:assert/strict'
import { createWriteStream, existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { before, describe, it } from 'node:test'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import { ArchiveWriter, FORMAT } from '../../src/app/backup/archive.ts'
import { INSTALLATION_COMMANDS } from '../../src/app/installation-commands.ts'
import { fingerprintOf, openInstallationKeys } from '../../src/app/installation-keys.ts'
import { migrationNames } from '../../src/db/migrate.ts'
import { makeReadyCampaign } from '../factories.ts'
import { createTestDatabase, startOverture, TEST_SECRET } from '../harness.ts'
import { InProcess } from './in-process.ts'

const KEY = TEST_SECRET

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>, name = 'test'): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: name })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** The content of each table and each sequence, as one text. */
const contentsOf = (url: string): Promise<Record<string, string>> =>
  withClient(url, async client => {
    const { rows } = await client.query(
      `select relname as name, relkind as kind from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'S')`,
    )
    const contents: Record<string, string> = {}
    for (const { name, kind } of rows) {
      const read =
        kind === 'S'
          ? 'select last_value::text, is_called from'
          : 'select count(*)::int, md5(string_agg(t::text, chr(10) order by t::text)) from'
      contents[name] = JSON.stringify((await client.query(`${read} ${name} t`)).rows[0])
    }
    return contents
  })

const headOfToday = async () => ({
  format: FORMAT,
  createdAt: '2026-01-01T00:00:00.000Z',
  version: '0.1.0',
  migrations: await migrationNames(),
  fingerprint: null,
})

const sequenceOf = (name: string, lastValue = '9') => ({ name, lastValue, isCalled: true })

/** The fields of an archive, correct or not. Omitted fields are correct. */
interface Forged {
  head?: unknown
  tables?: readonly { name: unknown; columns: readonly string[]; rows: string }[]
  end?: unknown
  tail?: object
}

async function writeForged(archive: ArchiveWriter, { head, tables = [], end, tail }: Forged): Promise<void> {
  await archive.writeJson('H', head)
  let rowCount = 0
  for (const { rows, ...table } of tables) {
    const count = rows.split('\n').length - 1
    await archive.writeJson('T', table)
    await archive.writeRows(Buffer.from(rows))
    await archive.writeJson('E', end ?? { rowCount: count })
    rowCount += count
  }
  await archive.end({ sequences: [], tableCount: tables.length, rowCount, ...tail })
}

describe('a backup', () => {
  const line = new InProcess(undefined, INSTALLATION_COMMANDS)
  const file = join(line.home, 'all.backup')
  let source: string
  const envOf = (url: string) => ({ DATABASE_URL: url, OVERTURE_SECRET_KEY: KEY.toString('base64') })
  const restore = (url: string, ...args: string[]) => line.run(['restore', ...args], { env: envOf(url) })
  const empty = () => createTestDatabase({ isEmpty: true })

  const write = async (name: string, work: (archive: ArchiveWriter) => Promise<void>) => {
    const zip = createGzip()
    const writing = pipeline(zip, createWriteStream(join(line.home, name)))
    await work(new ArchiveWriter(zip))
    zip.end()
    await writing
  }

  before(async () => {
    const overture = await startOverture()
    source = overture.databaseUrl
    const campaign = await makeReadyCampaign(overture, 'Kept safe')
    await overture.client.operate('POST', `${overture.home}/campaigns/${campaign.id}/activate`)
    await overture.client.post(`${overture.home}/suppressions`, { kind: 'email', value: 'no\\N@more.example' })
    await overture.client.post(`${overture.home}/webhooks`, { url: overture.baseUrl, events: ['*'], description: 'tab\tline\nback\\slash' })
    await overture.stop()
    symlinkSync(join(line.home, 'readable-by-others'), `${file}.partial`)
    const { code, err } = await line.run(['backup', 'all.backup'], { env: envOf(source) })
    assert.equal(code, 0, err)
    assert.ok(!existsSync(join(line.home, 'readable-by-others')), 'the backup was written through a link')
    assert.match(err, /A restore needs the secret key with the fingerprint [0-9a-f]{12}/)
  })

  it('restores every row of every table, and every sequence', async () => {
    const target = await empty()
    const { code, out, err } = await restore(target, 'all.backup')
    assert.equal(code, 0, err)
    assert.match(out, /The secret key [0-9a-f]{12}, which the backup needs, is available/)
    assert.match(err, /1 campaigns are active/)
    assert.deepEqual(await contentsOf(target), await contentsOf(source))
    assert.equal((await openInstallationKeys(target, { secretKey: KEY })).isRotated, true)
    assert.equal(statSync(file).mode & 0o777, 0o600)
  })

  it('names the secret key that it needs when the configured one differs', async () => {
    const env = { ...envOf(await empty()), OVERTURE_SECRET_KEY: Buffer.alloc(32, 6).toString('base64') }
    const { code, out } = await line.run(['restore', 'all.backup'], { env })
    assert.equal(code, 0)
    assert.match(
      out,
      /The data needs the secret key with the fingerprint [0-9a-f]{12}, which this installation does not have: set OVERTURE_SECRET_KEY/,
    )
  })

  it('can be checked together with its key, without a database', async () => {
    const check = (env: Record<string, string>, ...args: string[]) => line.run(['restore', 'all.backup', '--check', ...args], { env })
    const own = { OVERTURE_SECRET_KEY: KEY.toString('base64') }
    const other = { OVERTURE_SECRET_KEY: Buffer.alloc(32, 6).toString('base64') }
    const fingerprint = fingerprintOf(KEY)
    const [unset, right, wrong] = [await check({}), await check(own), await check(other)]
    for (const { out } of [unset, right, wrong])
      assert.ok(out.includes(`The backup needs the secret key with the fingerprint ${fingerprint}.\n`), out)
    assert.deepEqual([unset.code, right.code, wrong.code], [0, 0, 5])
    assert.match(unset.out, /OVERTURE_SECRET_KEY is not set/)
    assert.match(right.out, /OVERTURE_SECRET_KEY is that key\.$/m)
    assert.match(wrong.err, new RegExp(`another key: its fingerprint is [0-9a-f]{12}, and the backup needs ${fingerprint}\\.`))
    assert.equal(JSON.parse((await check(own, '--json')).out).isKeyHere, true)
  })

  it('is restored into a database with data only with --replace', async () => {
    const target = await empty()
    await withClient(target, client => client.query('create table precious (id int); insert into precious values (1)'))
    const refused = await restore(target, 'all.backup')
    assert.equal(refused.code, 5)
    assert.match(refused.err, /precious have rows[\s\S]*Next: .*--replace/)
    assert.deepEqual(Object.keys(await contentsOf(target)), ['precious'])
    assert.equal((await restore(target, 'all.backup', '--replace')).code, 0)
    assert.deepEqual(await contentsOf(target), await contentsOf(source))
    const fresh = await createTestDatabase()
    assert.equal((await restore(fresh, 'all.backup')).code, 0)
  })

  it('changes nothing when the file is truncated, changed or not a backup', async () => {
    const target = await empty()
    const whole = readFileSync(file)
    const flipped = Buffer.from(whole)
    flipped[Math.floor(whole.length / 2)]! ^= 0xff
    const cuts = [0, 9, 100, Math.floor(whole.length / 2), whole.length - 9, whole.length - 1].map(length => whole.subarray(0, length))
    for (const bytes of [...cuts, flipped, Buffer.from('email\nann@example.com\n')]) {
      writeFileSync(join(line.home, 'broken.backup'), bytes)
      for (const args of [[], ['--replace'], ['--check']]) {
        const { code, err } = await restore(target, 'broken.backup', ...args)
        assert.equal(code, 1, `${bytes.length} of ${whole.length} bytes: ${err}`)
        assert.match(err, /cannot be restored/)
      }
    }
    assert.deepEqual(await contentsOf(target), {})
    assert.equal((await restore(target, 'all.backup', '--check')).code, 0)
    assert.deepEqual(await contentsOf(target), {})
  })

  it('of an older build is refused with an explanation, and so is its database', async () => {
    const old = await empty()
    const made = "create table migrations (name text primary key); insert into migrations values ('0001_foundation.sql')"
    await withClient(old, client => client.query(made))
    assert.equal((await line.run(['backup', 'old.backup'], { env: envOf(old) })).code, 0)
    const target = await empty()
    const refused = await restore(target, 'old.backup')
    assert.equal(refused.code, 5)
    assert.match(refused.err, /The backup comes from an older build of Overture, whose data this version cannot read\.$/m)
    assert.deepEqual(await contentsOf(target), {})
  })

  it('that names anything but tables, columns and sequences of Overture is refused, and none of it runs', async () => {
    const target = await empty()
    const head = await headOfToday()
    const forge = (tables: readonly { name: string; columns: readonly string[]; rows: string }[], sequence?: string, last?: string) =>
      write('hostile.backup', archive =>
        writeForged(archive, { head, tables, tail: sequence ? { sequences: [sequenceOf(sequence, last)] } : {} }),
      )
    const rows = head.migrations.map(name => `${name}\t2026-01-01\n`).join('')
    const migrations = { name: 'migrations', columns: ['name', 'applied_at'], rows }
    // A catalog of PostgreSQL, where a superuser could define functions and triggers.
    const catalog = { name: 'pg_description', columns: ['objoid', 'classoid', 'objsubid', 'description'], rows: '1\t1\t0\tplanted\n' }
    for (const [tables, sequence, why] of [
      [[catalog], undefined, /a table that Overture does not have: pg_description/],
      [[{ ...catalog, name: 'pg_catalog.pg_description' }], undefined, /a table that Overture does not have/],
      [[{ name: 'users"; drop table users; --', columns: ['id'], rows: '' }], undefined, /a table that Overture does not have/],
      [[{ name: 'users', columns: ['id', 'xmin'], rows: '' }], undefined, /a column that users does not have: xmin/],
      [[migrations], 'pg_toast.any', /a sequence that Overture does not have: pg_toast\.any/],
      [[{ ...migrations, rows: `${rows}0002_unknown.sql\t2026-01-01\n` }], undefined, /its migrations do not match/],
      [[{ name: 'users', columns: ['id'], rows: '' }], undefined, /the column \w+ of users is missing/],
      [[migrations, { ...migrations, rows: '' }], undefined, /it contains the table migrations twice/],
      [[{ ...migrations, rows: 'a\tb\n' }], undefined, /the rows of migrations are not valid: invalid input syntax/],
      [[migrations], undefined, /the table \w+ is missing/],
    ] as const) {
      await forge(tables, sequence)
      const { code, err } = await restore(target, 'hostile.backup')
      assert.match(err, why)
      assert.match(err, /cannot be restored: /)
      assert.equal(code, 1)
    }
    await forge([migrations], 'worker_ids', '9'.repeat(18))
    assert.match((await restore(target, 'hostile.backup')).err, /cannot be restored: the sequence worker_ids is not valid: setval/)
    assert.deepEqual(await contentsOf(target), {})
  })

  it('with false frames is refused when it is checked, and prints nothing that a terminal obeys', async () => {
    const head = await headOfToday()
    const tables = [{ name: 'migrations', columns: ['name'], rows: head.migrations.map(name => `${name}\n`).join('') }]
    const obeyed = '\u001b]0;owned\u0007'
    const forgeries: [RegExp, Forged][] = [
      [/does not know its format/, { head: { ...head, format: `${FORMAT}${obeyed}` } }],
      [/createdAt is not valid/, { head: { ...head, createdAt: obeyed } }],
      [/createdAt is not valid/, { head: { ...head, createdAt: { toString: 'x' } } }],
      [/fingerprint is not valid/, { head: { ...head, fingerprint: obeyed } }],
      [/migrations is not valid/, { head: { ...head, migrations: [...head.migrations, head.migrations[0]] } }],
      [/newer version of Overture/, { head: { ...head, version: obeyed, migrations: [...head.migrations, `9999${obeyed}.sql`] } }],
      [/it cannot be read/, { head: null }],
      [/columns is not valid/, { tables: [{ ...tables[0]!, columns: [] }] }],
      [/name is not valid/, { tables: [{ ...tables[0]!, name: ['migrations'] }] }],
      [/rowCount is not valid/, { tail: { rowCount: '1' } }],
      [/rowCount is not valid/, { tail: { rowCount: -1 } }],
      [/another number of tables or rows/, { tail: { rowCount: 2 ** 52 } }],
      [/another number of tables or rows/, { tail: { tableCount: 7 } }],
      [/another number of rows/, { end: { rowCount: 4 } }],
      [/rowCount is not valid/, { end: { rowCount: `4${obeyed}` } }],
      [/sequences is not valid/, { tail: { sequences: { length: 1 } } }],
      [/sequences is not valid/, { tail: { sequences: [sequenceOf('x'), sequenceOf('x')] } }],
      [/it is not a backup/, { head: { ...head, filling: 'x'.repeat(2 ** 20) } }],
      [/sequences is not valid/, { tail: { sequences: [{ ...sequenceOf('x'), lastValue: '1; drop table users' }] } }],
    ]
    for (const [why, forged] of forgeries) {
      await write('forged.backup', archive => writeForged(archive, { head, tables, ...forged }))
      const { code, out, err } = await line.run(['restore', 'forged.backup', '--check'], {})
      assert.match(err, why, JSON.stringify(forged))
      assert.notEqual(code, 0)
      assert.ok(!`${out}${err}`.includes('\u001b'), JSON.stringify(out + err))
    }
    for (const order of ['HH', 'TE', 'HE', 'HTT', 'HTED', 'HZZ']) {
      await write('forged.backup', async archive => {
        for (const type of order) {
          if (type === 'Z') await archive.writeJson('Z', {})
          else await archive.writeJson(type as 'H', type === 'H' ? head : type === 'T' ? tables[0] : { rowCount: 0 })
        }
        await archive.end({ sequences: [], tableCount: 0, rowCount: 0 })
      })
      const { err } = await line.run(['restore', 'forged.backup', '--check'], {})
      assert.match(err, /not in their order|cannot be read/, order)
    }
    const unknown = { name: `pg_description${obeyed}`, columns: ['objoid'], rows: '' }
    for (const [forged, why] of [
      [tables, /these tables are missing: users, .*\bplans\b/],
      [[...tables, unknown], /it contains a table that Overture does not have: pg_description/],
    ] as const) {
      await write('forged.backup', archive => writeForged(archive, { head, tables: forged }))
      const { code, err } = await line.run(['restore', 'forged.backup', '--check'], {})
      assert.match(err, why)
      assert.ok(!/missing.*\bmigrations\b/.test(err) && !err.includes('\u001b'), err)
      assert.equal(code, 1)
    }
  })

  it('is refused with an explanation when the folder or the file does not exist', async () => {
    const nowhere = await line.run(['backup', 'no/such/folder/all.backup'], { env: envOf(source) })
    assert.equal(nowhere.code, 1)
    assert.match(nowhere.err, /all\.backup\.partial: there is no such file or folder\.$/m)
    const folder = await line.run(['restore', '.'], { env: envOf(source) })
    assert.equal(folder.code, 2)
    assert.match(folder.err, / is not a file\.$/m)
  })

  it('is not restored while the service runs, and does not overwrite another backup', async () => {
    const target = await empty()
    await withClient(target, async () => assert.equal((await restore(target, 'all.backup', '--replace')).code, 5), 'overture-worker')
    const again = await line.run(['backup', 'all.backup'], { env: envOf(source) })
    assert.equal(again.code, 5)
    assert.match(again.err, /Next: overture backup all\.backup --replace/)
    assert.equal((await line.run(['backup', 'none.backup'], { env: envOf(target) })).code, 4)
    assert.equal((await line.run(['restore', 'absent.backup'], { env: envOf(target) })).code, 2)
  })

  it('moves an installation between its own database and the embedded one', async () => {
    const there = await line.run(['restore', 'all.backup'])
    assert.equal(there.code, 0, there.err)
    assert.match(there.out, /which this installation does not have: save it as .*secret\.key before the next start/)
    const back = await line.json(['backup', 'embedded.backup'])
    const target = await empty()
    assert.equal((await restore(target, 'embedded.backup')).code, 0)
    assert.equal(back.rowCount > 0, true)
    assert.deepEqual(await contentsOf(target), await contentsOf(source))
  })
})
