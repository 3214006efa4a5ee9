import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { makeCampaign } from '../factories.ts'
import { type Overture, startOverture } from '../harness.ts'

interface Lead {
  email: string
  [field: string]: unknown
}

let overture: Overture

before(async () => {
  overture = await startOverture()
})

const importPath = async (name: string) => `${overture.home}/campaigns/${(await makeCampaign(overture, { name })).id}/leads/import`

async function importFile(path: string, file: string) {
  const headers = { 'content-type': 'text/csv', prefer: 'wait=20' }
  const accepted = await overture.client.whenDone(overture.client.post(`${path}/csv?onDuplicate=update`, undefined, { raw: file, headers }))
  assert.equal(accepted.status, 200, JSON.stringify(accepted.body))
  return (await overture.client.get(`/v1/operations/${accepted.body.id}`)).body
}

const importList = (path: string, leads: Lead[]) => overture.client.operate('POST', path, { leads, onDuplicate: 'update' })

const leadOf = async (path: string, email: string) =>
  (await overture.client.get(`${path.replace('/import', '')}?email=${encodeURIComponent(email)}`)).body.data[0]

type Counts = Record<'importedCount' | 'updatedCount' | 'duplicateCount' | 'suppressedCount' | 'invalidCount', number>
const countsOf = ({ result }: { result: Counts }) => [
  result.importedCount,
  result.updatedCount,
  result.duplicateCount,
  result.suppressedCount,
  result.invalidCount,
]

describe('an import that updates duplicates', () => {
  it('updates a lead with every later row of its address, and counts each row once', async () => {
    await overture.client.post(`${overture.home}/suppressions`, { kind: 'email', value: 'never@twice.example' })
    const rows: Lead[] = [
      { email: 'd@twice.example', firstName: 'Ann', timezone: 'Europe/Rome', variables: { city: 'Rome', pet: 'cat' } },
      { email: 'never@twice.example' },
      { email: 'D@Twice.example', company: 'Co', lastName: 'Archer', timezone: 'Mars/North', variables: { city: 'Bonn' } },
      { email: 'nobody' },
      { email: 'other@twice.example', fullName: 'Dr. O' },
      { email: 'never@twice.example', company: 'Co' },
      { email: 'd@twice.example', jobTitle: 'Chief' },
    ]
    const fields = ['email', 'firstName', 'lastName', 'fullName', 'company', 'jobTitle', 'timezone']
    const asRow = (lead: Lead) =>
      [
        ...fields.map(name => lead[name] ?? ''),
        ...['city', 'pet'].map(name => (lead.variables as Record<string, string>)?.[name] ?? ''),
      ].join()
    const file = [[...fields, 'city', 'pet'].join(), ...rows.map(asRow)].join('\n')
    for (const [kind, run] of [
      ['file', (path: string) => importFile(path, file)],
      ['list', (path: string) => importList(path, rows)],
    ] as const) {
      const path = await importPath(`Twice in a ${kind}`)
      const first = await run(path)
      assert.deepEqual([countsOf(first), first.result.warningCount], [[2, 2, 0, 2, 1], 1], kind)
      const expected = ['Ann', 'Ann Archer', 'Co', 'Chief', 'Europe/Rome', { city: 'Bonn', pet: 'cat' }]
      const told = async () => {
        const lead = await leadOf(path, 'd@twice.example')
        return [lead.firstName, lead.fullName, lead.company, lead.jobTitle, lead.timezone, lead.variables]
      }
      assert.deepEqual(await told(), expected, kind)
      assert.deepEqual(countsOf(await run(path)), [0, 4, 0, 2, 1], kind)
      assert.deepEqual(await told(), expected, kind)
      const found = await overture.client.get(`${path.replace('/import', '')}?q=archer`)
      assert.equal(found.body.data.length, 1, 'it is found by what a later row says')
    }
  })

  it('updates them across the batches of one file, and the pieces of one list', async () => {
    const people = Array.from({ length: 1100 }, (_, n) => ({ email: `p${n}@batches.example`, variables: { note: 'ä'.repeat(500) } }))
    const late = { email: 'P3@batches.example', company: 'Late' }
    const twice = { email: 'p1099@batches.example', company: 'Soon' }
    const leads: Lead[] = [...people, late, twice]
    const file = ['email,company,note', ...leads.map(({ email, company = '' }) => `${email},${company},`)].join('\n')
    for (const [kind, run] of [
      ['file', (path: string) => importFile(path, file)],
      ['list', (path: string) => importList(path, leads)],
    ] as const) {
      const path = await importPath(`Batches of a ${kind}`)
      assert.deepEqual(countsOf(await run(path)), [1100, 2, 0, 0, 0], kind)
      assert.equal((await leadOf(path, 'p3@batches.example')).company, 'Late', kind)
      assert.equal((await leadOf(path, twice.email)).company, 'Soon', kind)
    }
  })

  it('counts and changes the same when a batch fails at its end and is repeated', async () => {
    const { ctx } = overture
    await ctx.db.pool.query('create sequence attempts')
    await ctx.db.pool.query(`
      create function fail_once() returns trigger language plpgsql
      as $$ begin
        if nextval('attempts') = 1 then raise exception 'the disk is full for once' using errcode = '40001'; end if;
        return new;
      end $$`)
    await ctx.db.pool.query(`
      create trigger failing before update on csv_uploads
      for each row when (new.row_count > 500)
      execute function fail_once()`)
    try {
      const path = await importPath('Failing once')
      const rows = Array.from({ length: 600 }, (_, n) => `p${n}@once.example,`)
      const file = ['email,company', ...rows, 'p1@once.example,Early', 'p599@once.example,Late', 'P599@once.example,', 'nobody,'].join('\n')
      assert.deepEqual(countsOf(await importFile(path, file)), [600, 3, 0, 0, 1])
      assert.equal((await leadOf(path, 'p1@once.example')).company, 'Early')
      assert.equal((await leadOf(path, 'p599@once.example')).company, 'Late')
      assert.equal((await overture.client.get(path.replace('/leads/import', ''))).body.data.totalLeads, 600)
      const { rows: attempts } = await ctx.db.pool.query('select last_value::int as count from attempts')
      assert.ok(attempts[0].count > 1, 'it failed once')
    } finally {
      await ctx.db.pool.query('drop trigger failing on csv_uploads')
    }
  })

  it('rejects a row that would give a lead more than 50 variables, within one list and across several', async () => {
    const path = await importPath('Many variables')
    const variables = (prefix: string, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`${prefix}${n}`, prefix]))
    const email = 'ann@variables.example'
    const first = await importList(path, [
      { email, variables: variables('a', 40) },
      { email, variables: variables('b', 11) },
      { email, company: 'Co', variables: variables('c', 10) },
    ])
    assert.deepEqual(countsOf(first), [1, 1, 0, 0, 1])
    assert.deepEqual(first.result.invalid, [{ index: 1, reason: 'with these variables, the lead would have more than 50' }])
    const lead = await leadOf(path, email)
    assert.deepEqual([lead.company, lead.variables], ['Co', { ...variables('a', 40), ...variables('c', 10) }])
    const second = await importFile(path, `email,a0,d0\n${email},changed,\n${email},,new\n`)
    assert.deepEqual(countsOf(second), [0, 1, 0, 0, 1])
    assert.deepEqual(second.result.invalid, [{ line: 3, reason: 'with these variables, the lead would have more than 50' }])
    assert.match(String((await overture.client.get(second.result.rejectedRowsUrl)).body), /^line,reason,email,a0,d0\r\n3,.*,new\r\n$/)
    assert.equal((await leadOf(path, email)).variables.a0, 'changed')
  })
})
