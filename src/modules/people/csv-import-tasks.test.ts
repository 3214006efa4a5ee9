import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { eventually } from '../../../test/faults/eventually.ts'
import { createTestDatabase } from '../../../test/harness.ts'
import { ScriptedSmtp } from '../../../test/mail/smtp-script.ts'
import { countPeople, openTestContext } from '../../../test/people.ts'
import type { Tx } from '../../db/sql.ts'
import { importFile } from './csv-import-tasks.ts'
import { describeMapping, mapColumns, readHead } from './people-file.ts'
import { findPeople } from './queries.ts'

const dir = await mkdtemp(join(tmpdir(), 'overture-csv-'))

async function fileOf(name: string, text: string): Promise<string> {
  const file = join(dir, name)
  await writeFile(file, text)
  return file
}

test('columns are recognized by common names, and an explicit mapping wins', () => {
  const headers = [
    'First Name',
    'Surname',
    'E-Mail',
    'Position',
    'Organization Name',
    'Website',
    '# Employees',
    'Company Country',
    'Notes',
    'Private',
  ]
  const { columns, unused } = mapColumns(headers, ['email=Private'])
  assert.deepEqual(columns, {
    firstName: 0,
    lastName: 1,
    email: 9,
    jobTitle: 3,
    company: 4,
    companyDomain: 5,
    employees: 6,
    companyCountry: 7,
  })
  assert.deepEqual(unused, ['E-Mail', 'Notes'])
  assert.throws(() => mapColumns(['Foo', 'Bar']), /No column looks like an email address/)
  assert.throws(() => mapColumns(['Mail'], ['emial=Mail']), /did you mean email/)
  assert.throws(() => mapColumns(['Mail'], ['email=Post']), /no column "Post"/)
})

test('a missing file, a folder or an empty file is reported as wrong usage', async () => {
  const empty = join(dir, 'empty.csv')
  await writeFile(empty, '')
  for (const [file, why] of [
    ['/no/such/file.csv', 'cannot be read: there is no such file or folder.'],
    [tmpdir(), 'is not a file.'],
    [empty, 'is empty.'],
  ] as const) {
    await assert.rejects(readHead(file), { exitCode: 2, message: `${file} ${why}` })
  }
})

test('a file whose header cannot be told from its rows is refused, and none of its rows is lost', async () => {
  for (const [content, why] of [
    [`email,${'c'.repeat(1_100_000)}\nann@a.com\n`, /header .* cannot be read: the row is longer than 1 MiB/],
    ['email,"first\nann@a.com,Ann\nbob@b.com,"Bob"\n', /header .* cannot be read: a quote is not closed/],
  ] as const) {
    const file = join(dir, 'header.csv')
    await writeFile(file, content)
    await assert.rejects(readHead(file), { exitCode: 2, message: why })
  }
})

test('the columns of a file are shown without what a terminal would obey', () => {
  const headers = ['email', '\u001b]0;owned\u0007', '\u202eeman']
  assert.match(describeMapping(headers, mapColumns(headers)), /left out: \]0;owned, eman$/)
})

test('the rejected rows of an earlier import stay, also behind a link', async () => {
  const ctx = openTestContext(await createTestDatabase(), dir)
  const file = await fileOf('kept.csv', 'email\nbad\n')
  const kept = await fileOf('corrected.csv', 'email\nann@kept.com\n')
  await symlink(kept, join(dir, 'kept.rejected.csv'))
  const { rejectedFile } = await importFile(ctx, { file })
  assert.equal(rejectedFile, join(dir, 'kept.rejected-2.csv'))
  assert.match(await readFile(rejectedFile, 'utf8'), /^bad,1,/m)
  assert.equal((await stat(rejectedFile)).mode & 0o777, 0o600)
  assert.equal(await readFile(kept, 'utf8'), 'email\nann@kept.com\n')
})

test('a file is imported with its rejected rows and their reasons saved next to it', async () => {
  const ctx = openTestContext(await createTestDatabase(), dir)
  const file = await fileOf(
    'people.csv',
    '\uFEFFName;E-Mail;Titel;Firma;Branche;Mitarbeiter;Stadt;Land\r\n' +
      '"Müller, Anna";anna@beispiel.de;Geschäftsführerin;Beispiel GmbH;Software;51-200;München;Deutschland\r\n' +
      'Ohne Adresse;;CEO;;;;;\r\n' +
      'Kaputt;kaputt@;CEO;"Zwei\r\nZeilen";;;;\r\n' +
      'Anna;ANNA@beispiel.de;;;Töpferei;;;\r\n',
  )
  const result = await importFile(ctx, { file })
  assert.deepEqual([result.rowCount, result.insertedCount, result.updatedCount, result.rejectedCount, result.finished], [4, 1, 0, 2, true])
  assert.deepEqual(result.unread, { industry: 1 })
  const [anna] = await findPeople(ctx.db, [1])
  assert.deepEqual(
    [anna!.email, anna!.jobTitle, anna!.seniority, anna!.company, anna!.industry, anna!.companySize, anna!.city, anna!.country],
    ['anna@beispiel.de', 'Geschäftsführerin', 'c_suite', 'Beispiel GmbH', 'software', '51-200', 'Munich', 'DE'],
  )
  const rejected = (await readFile(result.rejectedFile, 'utf8')).split('\r\n')
  assert.equal(rejected[0], 'Name,E-Mail,Titel,Firma,Branche,Mitarbeiter,Stadt,Land,row,reason')
  assert.match(rejected[1]!, /^Ohne Adresse,,CEO,.*,2,has neither an email address/)
  assert.match(rejected[2]!, /^Kaputt,kaputt@,CEO,"Zwei/)
  assert.match(rejected[3]!, /,3,not a valid email address$/)
})

test('corrected rejected rows are imported with their own values, and are the same file when rejected again', async () => {
  const ctx = openTestContext(await createTestDatabase(), dir)
  const file = await fileOf('signs.csv', `email,name,phone,"company,=x"\nbad,"'@Ann Archer",+49 30 1234,x\nworse,"Bob; -B",'+1,"\n=y"\n`)
  const first = await importFile(ctx, { file, map: ['company=company,=x'] })
  const rejected = await readFile(first.rejectedFile, 'utf8')
  assert.match(rejected, /^email,name,phone,"company,'=x",row,reason\r\nbad,''@Ann Archer,'\+49 30 1234,x,1,/)
  const again = await importFile(ctx, { file: first.rejectedFile, map: ['company=company,=x'] })
  assert.equal(await readFile(again.rejectedFile, 'utf8'), rejected)
  const mended = await fileOf('mended.csv', rejected.replace('\nbad', '\nann@signs.com').replace('\nworse', '\nbob@other.com'))
  assert.equal((await importFile(ctx, { file: mended, map: ['company=company,=x'] })).insertedCount, 2)
  const people = await findPeople(ctx.db, [1, 2])
  assert.deepEqual(
    people.map(({ fullName, phone, company }) => [fullName, phone, company]),
    [
      ["'@Ann Archer", '+49 30 1234', 'x'],
      ['Bob; -B', "'+1", '=y'],
    ],
  )
})

test('an unclosed quote rejects only its own row, however long the file is', async () => {
  const ctx = openTestContext(await createTestDatabase(), dir)
  const few = await fileOf('open-quote.csv', 'email,company\nann@a.com,"A\nbob@b.com,"B"\n"cid@c.com","C\nc"\n')
  const result = await importFile(ctx, { file: few })
  assert.deepEqual([result.rowCount, result.insertedCount, result.rejectedCount], [3, 2, 1])
  assert.deepEqual((await readFile(result.rejectedFile, 'utf8')).split('\r\n'), [
    'email,company,row,reason',
    'ann@a.com,A,1,a quote is not closed',
    '',
  ])
  const filler = Array.from({ length: 4000 }, (_, n) => `q${n}@quotes.com,${'x'.repeat(300)}`)
  const many = await fileOf('open-quote-long.csv', ['email,notes', 'first@quotes.com,"open', ...filler].join('\n'))
  const { insertedCount, rejectedCount, rejectedFile } = await importFile(ctx, { file: many, batchRows: 1500 })
  assert.deepEqual([insertedCount, rejectedCount], [4000, 1])
  assert.match(
    await readFile(rejectedFile, 'utf8'),
    /first@quotes.com,open.*,1,"the row is longer than 1 MiB; a quote may not have been closed"/,
  )
})

test('an interrupted import continues after its last batch with the same result', async () => {
  const ctx = openTestContext(await createTestDatabase(), dir)
  const lines = Array.from({ length: 95 }, (_, index) =>
    index % 10 === 3 ? `broken${index},X,Y` : `p${index}@firm${index % 7}.com,Person ${index},Manager`,
  )
  const file = await fileOf('long.csv', `email,name,title\n${lines.join('\n')}\n`)
  let batches = 0
  const db = {
    first: ctx.db.first.bind(ctx.db),
    many: ctx.db.many.bind(ctx.db),
    inTransaction: (work: (tx: Tx) => Promise<unknown>) =>
      ++batches === 4 ? Promise.reject(new Error('cut off')) : ctx.db.inTransaction(work),
  }
  const cut = importFile({ clock: ctx.clock, secrets: ctx.secrets, db: db as unknown as typeof ctx.db }, { file, batchRows: 20 })
  await assert.rejects(cut, /cut off/)
  assert.equal(await countPeople(ctx.db), 54)

  let resumedAt = 0
  const result = await importFile(ctx, { file, batchRows: 20, onResume: at => (resumedAt = at.rowCount) })
  assert.equal(resumedAt, 60)
  assert.deepEqual([result.rowCount, result.insertedCount, result.rejectedCount], [95, 85, 10])
  assert.equal(await countPeople(ctx.db), 85)
  const rejected = (await readFile(result.rejectedFile, 'utf8')).trim().split('\r\n').slice(1)
  assert.deepEqual(
    rejected.map(line => line.split(',')[0]),
    Array.from({ length: 10 }, (_, index) => `broken${index * 10 + 3}`),
  )

  assert.equal((await importFile(ctx, { file })).wasFinished, true)
  const again = await importFile(ctx, { file, again: true })
  assert.deepEqual([again.insertedCount, again.updatedCount, again.rejectedCount], [0, 0, 10])
})

test('a file with carriage returns is imported like any other, and continues after an interruption', async () => {
  const ctx = openTestContext(await createTestDatabase(), dir)
  const rows = Array.from({ length: 100 }, (_, n) => `p${n}@mac.com,Plant ${n},"two\nlines\rand more"`)
  const file = await fileOf('mac.csv', `\uFEFFemail,company,notes\r${rows.join('\r')}\r`)
  assert.deepEqual((await readHead(file)).headers, ['email', 'company', 'notes'])
  const stop = new Error('the machine is switched off')
  const switchOff = ({ rowCount }: { rowCount: number }): void => {
    if (rowCount >= 40) throw stop
  }
  await assert.rejects(importFile(ctx, { file, batchRows: 20, onProgress: switchOff }), stop)
  let resumedAt = 0
  const result = await importFile(ctx, { file, batchRows: 20, onResume: at => (resumedAt = at.rowCount) })
  assert.equal(resumedAt, 40)
  assert.deepEqual([result.rowCount, result.insertedCount, result.rejectedCount], [100, 100, 0])
  assert.equal(await countPeople(ctx.db), 100)
})

test('a batch with locked rows is merged again, without counting or rejecting twice', async () => {
  const ctx = openTestContext(await createTestDatabase(), dir)
  const file = await fileOf('locked.csv', 'email,title,company\na@acme.com,Manager,Acme\nbroken,X,Y\nb@acme.com,Manager,Acme\n')
  const holder = await ctx.db.pool.connect()
  // The position is stored last, when all else has been written.
  await holder.query('begin; lock table directory_imports in share mode')
  const importing = importFile(ctx, { file, batchRows: 2 })
  const tries = new Set<number>()
  await eventually('it has waited in vain, and waits again', async () => {
    const { rows } = await holder.query(`
      select extract(epoch from query_start)::float8 as at from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()`)
    for (const { at } of rows) tries.add(at)
    // Within a transaction it would be shown the same activity again.
    await holder.query('select pg_stat_clear_snapshot()')
    return tries.size >= 2
  })
  await holder.query('rollback')
  holder.release()
  const result = await importing
  assert.deepEqual([result.rowCount, result.insertedCount, result.rejectedCount], [3, 2, 1])
  assert.equal(await countPeople(ctx.db), 2)
  assert.equal((await readFile(result.rejectedFile, 'utf8')).trim().split('\r\n').length, 2)
})

test('addresses that cannot receive mail are rejected only with verification', async () => {
  const ctx = openTestContext(await createTestDatabase(), dir)
  const file = await fileOf('verify.csv', 'email\na@good.com\nb@nullmx.com\nc@down.com\ninfo@good.com\n')
  const dns = {
    async mailServers(domain: string) {
      if (domain === 'down.com') throw Object.assign(new Error('down'), { code: 'ESERVFAIL' })
      return domain === 'nullmx.com' ? [] : [`mx.${domain}`]
    },
    refusesMail: async (domain: string) => domain === 'nullmx.com',
    addresses: async () => [],
  }
  const result = await importFile(ctx, { file, verify: { dns } })
  assert.deepEqual([result.insertedCount, result.rejectedCount], [3, 1])
  assert.match(await readFile(result.rejectedFile, 'utf8'), /b@nullmx\.com,2,the address cannot receive mail \(nullmx\.com: null_mx\)/)
  const people = await findPeople(ctx.db, [1, 2, 3])
  assert.deepEqual(
    people.map(person => person.emailStatus),
    ['unverified', 'unverified', 'unverified'],
  )
  assert.equal((await importFile(ctx, { file, again: true })).rejectedCount, 0)
})

test("the operator can import people for one workspace: the file's verification is ignored, and the workspace must exist", async t => {
  const ctx = openTestContext(await createTestDatabase(), dir)
  const workspaceId = randomUUID()
  await ctx.db.pool.query("insert into workspaces (id, name) values ($1, 'Own')", [workspaceId])
  const file = await fileOf('own.csv', 'email,emailStatus\na@own.com,verified\nb@own.com,accept_all\n')
  const shared = await importFile(ctx, { file })
  const own = await importFile(ctx, { file, workspaceId })
  assert.deepEqual([shared.insertedCount, own.insertedCount, own.wasFinished], [2, 2, false])
  const { rows } = await ctx.db.pool.query('select match_key, owner, email_status from people order by id')
  assert.deepEqual(
    rows.map(row => [row.match_key, row.owner, row.email_status]),
    [
      ['a@own.com', 0, 'verified'],
      ['b@own.com', 0, 'accept_all'],
      ['a@own.com', 1, 'unverified'],
      ['b@own.com', 1, 'accept_all'],
    ],
  )
  await assert.rejects(importFile(ctx, { file, workspaceId: randomUUID() }), /workspace/)

  // The result of our own check is stored.
  const server = await ScriptedSmtp.start((at, line) => (at === 'RCPT' && !line.includes('<a@own.com>') ? '550 no' : undefined))
  t.after(() => server.close())
  const dns = { mailServers: async () => ['127.0.0.1'], refusesMail: async () => false, addresses: async () => [] }
  const probe = { helloName: 'overture.example', from: 'check@northwind.example', port: server.port, timeoutMs: 20_000, allowLocal: true }
  await importFile(ctx, { file, workspaceId, again: true, verify: { dns, probe } })
  const [checked] = await findPeople(ctx.db, [3])
  assert.equal(checked!.emailStatus, 'verified')
  assert.equal(await countPeople(ctx.db), 4)
})
