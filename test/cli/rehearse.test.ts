import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { parse, stringify } from 'yaml'
import type { Shell } from '../../src/cli/shell.ts'
import { full } from '../full.ts'
import { startOverture } from '../harness.ts'
import { type CommandLine, commandLine } from './command.ts'
import { InProcess } from './in-process.ts'

const example = () => parse(readFileSync(new URL('../../docs/examples/campaign.yaml', import.meta.url), 'utf8'))

describe('overture rehearse', () => {
  let line: CommandLine
  let folder: string
  before(() => {
    line = commandLine()
    folder = join(line.home, 'tmp')
    mkdirSync(folder, { mode: 0o755 })
  })

  const write = (file: unknown) => writeFileSync(join(line.home, 'campaign.yaml'), stringify(file))
  // A profile or settings of the user must not be used: these lead nowhere.
  const env = () => ({
    TMPDIR: folder,
    OVERTURE_URL: 'http://127.0.0.1:9',
    OVERTURE_TOKEN: 'none',
    DATABASE_URL: 'postgres://127.0.0.1:9/none',
    OVERTURE_LLM_URL: 'http://127.0.0.1:9',
  })
  const run = (args: string[], startPrivate?: Shell['startPrivate']) =>
    new InProcess(undefined, undefined, line.home).run(['rehearse', 'campaign.yaml', ...args], {
      env: env(),
      ...(startPrivate && { startPrivate }),
    })
  /** With a service and a PostgreSQL of its own, as for a user, in this process. */
  const rehearseAlone = async (...args: string[]) => {
    const usual = process.env.TMPDIR
    process.env.TMPDIR = folder
    try {
      return await run(args)
    } finally {
      Object.assign(process.env, { TMPDIR: usual })
    }
  }
  /** With a service on the PostgreSQL of the tests. */
  const rehearse = (...args: string[]) =>
    run(args, async () => {
      const overture = await startOverture({ config: { sendsMail: false } })
      const { baseUrl: url, workspaceId } = overture
      return { url, workspaceId, token: overture.client.token, ended: new Promise(() => {}), stop: () => overture.end() }
    })

  it('plays the documented example, meets its expectations, and leaves no files, not even of a rehearsal that was killed', async () => {
    write(example())
    mkdirSync(join(folder, 'overture-private-killed', 'data'), { recursive: true })
    utimesSync(join(folder, 'overture-private-killed'), 0, 0)
    const { code, out, err } = await rehearseAlone('--junit', 'report.xml')
    assert.equal(code, 0, out + err)
    assert.match(out, /^TAP version 14\n/)
    const expected = Object.keys(example().rehearsal.expect).length
    assert.equal(out.match(/^ok \d+ - /gm)?.length, expected, out)
    assert.match(
      out,
      /# \d+ emails to \d+ leads; [1-9]\d* replied, [1-9]\d* replied automatically, [1-9]\d* unsubscribed, [1-9]\d* bounced/,
    )
    const xml = readFileSync(join(line.home, 'report.xml'), 'utf8')
    assert.ok(xml.includes(`tests="${expected}" failures="0"`), xml)
    assert.deepEqual(readdirSync(folder), [])
  })

  it('exits with 1 and names the broken expectations, with the addresses of the given list', async () => {
    writeFileSync(
      join(line.home, 'people.csv'),
      'email,First name,Company\r\nann@one.example,Ann,One\r\nben@two.example,Ben,\r\ncy@three.example,Cy,Three\r\n',
    )
    write({
      ...example(),
      rehearsal: {
        leads: 'people.csv',
        personas: { interested: 1 },
        days: 9,
        expect: { maxPerDay: 1, noUnfilledVariables: true, noSendOutsideWindow: true },
      },
    })
    const { code, out, err } = await rehearse('--json')
    assert.equal(code, 1, out + err)
    const report = JSON.parse(out)
    const byName = Object.fromEntries(report.expectations.map((each: { name: string }) => [each.name, each]))
    assert.deepEqual([report.passed, report.counts.leads, report.counts.replied], [false, 3, 1])
    assert.deepEqual([byName.maxPerDay.ok, byName.noUnfilledVariables.ok, byName.noSendOutsideWindow.ok], [false, false, true])
    assert.match(byName.maxPerDay.broken[0], /2 emails on .*; number 2 is step 1 to (ann@one|cy@three)\.example/)
    assert.match(byName.noUnfilledVariables.broken[0], /^ben@two\.example has no value/)
    assert.equal(JSON.parse(err).error.code, 'rehearsal_failed')
  })

  it('fails when rows of the list are rejected, and reports duplicates', full, async () => {
    writeFileSync(
      join(line.home, 'broken.csv'),
      'email,First name,Company\nann@one.example,Ann,One\nben@two,Ben,Two\n,Cy,Three\nANN@one.example,Ann,One\n',
    )
    write({ ...example(), rehearsal: { leads: 'broken.csv', days: 2, expect: { maxPerDay: 5 } } })
    const { code, out, err } = await rehearse('--junit', 'broken.xml')
    assert.equal(code, 1, out + err)
    assert.match(out, /^not ok 1 - everyRowIsImported \(2 rows rejected\)\n {2}# line 3: .+\n {2}# line 4: .+\nok 2 - maxPerDay/m)
    assert.match(out, /^# 1 duplicate row skipped/m)
    assert.match(err, /1 of 2 expectations failed: everyRowIsImported/)
    assert.match(readFileSync(join(line.home, 'broken.xml'), 'utf8'), /tests="2" failures="1"/)
  })

  it('reports a campaign that cannot start as an error in both formats', async () => {
    writeFileSync(join(line.home, 'nobody.csv'), 'email,First name\nann@one.example,Ann\nben@two.example,Ben\n')
    const { sequence, ...rest } = example()
    const broken = [{ ...sequence[0], variants: [{ subject: 'Hello', body: '{{ broken' }] }, ...sequence.slice(1)]
    write({ ...rest, sequence: broken, rehearsal: { leads: 'nobody.csv', days: 2 } })
    const { code, out, err } = await rehearse('--junit', 'stuck.xml')
    assert.notEqual(code, 0)
    assert.match(err, /^Error: /)
    assert.match(out, /^Bail out! .+$/m)
    assert.match(readFileSync(join(line.home, 'stuck.xml'), 'utf8'), /errors="1"[\s\S]*<error message=".+"\/>/)
  })

  it('removes everything when it is stopped midway', async () => {
    write({ ...example(), rehearsal: { leads: 100, days: 300 } })
    const running = line.follow(['rehearse', 'campaign.yaml'], { env: env() })
    await running.until('# playing')
    const { code } = await running.stop()
    assert.equal(code, 130)
    assert.deepEqual(readdirSync(folder), [])
  })

  it('removes everything when the reader of the report is gone', full, async () => {
    write({ ...example(), rehearsal: { leads: 500, days: 300 } })
    const { code, err } = await line.run(['rehearse', 'campaign.yaml'], { env: env(), output: 'gone' })
    assert.deepEqual([code, err], [0, ''])
    assert.deepEqual(readdirSync(folder), [])
  })

  it('refuses an invalid file with its line and exit code 2, before it starts anything', async () => {
    const wrongs: [(file: ReturnType<typeof example>) => void, RegExp][] = [
      [
        file => (file.rehearsal.expect.maxPerHour = 3),
        /campaign\.yaml:\d+: rehearsal\.expect has no field maxPerHour\. The fields are .*maxPerDay/,
      ],
      [file => (file.rehearsal.personas.interested = 10_000), /campaign\.yaml:\d+: \d+ personas, but only \d+ leads/],
      [file => (file.rehearsal.mailboxes = { 'eve@else.example': { dailyCap: 1 } }), /campaign\.yaml:\d+: .*eve@else\.example/],
      [file => (file.rehearsal.from = '2020-01-06'), /campaign\.yaml:\d+: rehearsal\.from is in the past/],
      [file => (file.schedule.endDate = '2020-01-06T00:00:00Z'), /campaign\.yaml:\d+: the schedule ends before/],
      [file => (file.rehearsal.leads = 'nowhere.csv'), /nowhere\.csv cannot be read/],
      [file => (file.rehearsal.leads = '/dev/zero'), /\/dev\/zero has more than 20 MB/],
      [file => delete file.sequence, /no sequence to rehearse/],
    ]
    const here = new InProcess()
    const startPrivate = () => assert.fail('a service was started')
    for (const [alter, message] of wrongs) {
      const file = example()
      alter(file)
      writeFileSync(join(here.home, 'campaign.yaml'), stringify(file))
      const { code, err } = await here.run(['rehearse', 'campaign.yaml'], { env: env(), startPrivate })
      assert.equal(code, 2, err)
      assert.match(err, message)
    }
  })
})
