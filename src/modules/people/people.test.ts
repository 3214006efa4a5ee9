import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/harness.ts'
import { openTestContext, peopleOf } from '../../../test/people.ts'
import { sql } from '../../db/sql.ts'
import { erasePeople, mergeIntoDirectory } from './people.ts'
import type { RawPerson } from './person-input.ts'
import { findPeople } from './queries.ts'

const now = new Date('2026-03-02T08:00:00Z')
const ctx = openTestContext(await createTestDatabase(), tmpdir())
const merge = (rows: RawPerson[], source = 'test') =>
  ctx.db.inTransaction(tx => mergeIntoDirectory(tx, peopleOf(rows), { source, now, secrets: ctx.secrets }))
const everybody = async () =>
  findPeople(
    ctx.db,
    Array.from({ length: 100 }, (_, index) => index + 1),
  )
const rows = (text: string) => ctx.db.many<Record<string, unknown>>(sql(text))

test('an address is one person in any case, and a later record keeps fields that it omits', async () => {
  const first = await merge([
    {
      email: 'Jane.Doe@Acme.com',
      firstName: 'Jane',
      lastName: 'Doe',
      jobTitle: 'Head of Marketing',
      city: 'Munich',
      country: 'Germany',
      company: 'Acme GmbH',
    },
  ])
  assert.deepEqual(first, { insertedCount: 1, updatedCount: 0, unchangedCount: 0, erased: [], version: 1 })
  const second = await merge([{ email: 'jane.doe@acme.COM', jobTitle: 'CMO', emailStatus: 'valid' }])
  assert.deepEqual(second, { insertedCount: 0, updatedCount: 1, unchangedCount: 0, erased: [], version: 2 })
  const [jane, ...others] = await everybody()
  assert.equal(others.length, 0)
  assert.equal(jane!.fullName, 'Jane Doe')
  assert.equal(jane!.jobTitle, 'CMO')
  assert.equal(jane!.seniority, 'c_suite')
  assert.equal(jane!.department, 'marketing')
  assert.equal(jane!.emailStatus, 'verified')
  assert.deepEqual([jane!.city, jane!.country, jane!.company], ['Munich', 'DE', 'Acme GmbH'])
})

test('importing the same data changes nothing and creates no version', async () => {
  const again = await merge([{ email: 'jane.doe@acme.com', jobTitle: 'CMO', company: 'Acme GmbH' }])
  assert.deepEqual(again, { insertedCount: 0, updatedCount: 0, unchangedCount: 1, erased: [], version: 2 })
})

test('one address twice in a batch is one person with the data of both', async () => {
  const result = await merge([
    { email: 'max@acme.com', firstName: 'Max', jobTitle: 'Engineer' },
    { email: 'MAX@acme.com', lastName: 'Muster', jobTitle: '' },
  ])
  assert.equal(result.insertedCount, 1)
  const max = (await everybody()).find(person => person.email?.toLowerCase() === 'max@acme.com')!
  assert.deepEqual([max.firstName, max.lastName, max.jobTitle], ['Max', 'Muster', 'Engineer'])
})

test('people of one domain work for one company, and its website takes precedence over an address', async () => {
  await merge([
    { email: 'a@shop.blue.com', company: 'Blue', companyDomain: 'https://www.blue.com/about', employees: '120' },
    { email: 'b@blue.com', employees: '1,001-5,000' },
    { email: 'c@blue.co.uk', company: 'Blue', companyDomain: 'blue.com' },
    { email: 'd@blue.co.uk' },
    { email: 'e@gmail.com' },
  ])
  const people = await rows(
    `select email, c.match_key, c.employees, c.size from people p left join companies c on c.id = p.company_id where email ~ '^[a-e]@' order by email`,
  )
  assert.deepEqual(
    people.map(person => person.match_key),
    ['d:blue.com', 'd:blue.com', 'd:blue.com', 'd:blue.co.uk', null],
  )
  assert.equal(people[0]!.size, '1001-5000')
  assert.equal(people[0]!.employees, null)
  // Seen once with Blue, the domain leads later people to Blue.
  await merge([{ email: 'f@green.org', company: 'Green', companyDomain: 'green.example.com' }])
  await merge([{ email: 'g@green.org' }])
  const [f, g] = await rows(`select company_id from people where email ~ '^[fg]@' order by email`)
  assert.equal(f!.company_id, g!.company_id)
})

test('a person without an address needs a name and a company', async () => {
  const { insertedCount } = await merge([{ fullName: 'No Mail', company: 'Acme', companyDomain: 'acme.com' }])
  assert.equal(insertedCount, 1)
  assert.equal((await merge([{ fullName: 'no mail', companyDomain: 'acme.com' }])).insertedCount, 0)
  assert.throws(() => peopleOf([{ fullName: 'No Mail' }]), /neither an email address nor a name with a company/)
  assert.throws(() => peopleOf([{ email: 'nonsense' }]), /not a valid email address/)
})

test('an erased person leaves only a number', async () => {
  assert.equal(await ctx.db.inTransaction(tx => erasePeople(tx, ctx.secrets, [' Jane.Doe@ACME.com '], now)), 1)
  const [newest] = await rows('select max(version) as version from directory_versions')
  const [row] = await rows('select * from people where id = 1')
  const { id, match_key, email_status, source, imported_at, deleted, version: rowVersion, ...rest } = row!
  assert.deepEqual([id, match_key, email_status, source, deleted, rowVersion], [1, '!1', 'missing', 'erased', true, newest!.version])
  assert.ok(imported_at)
  assert.ok(Object.values(rest).every(value => value === null))
  assert.equal(
    (await everybody()).some(person => person.id === 1),
    false,
  )
})

test('an erased person is not imported again, but others in the same import are', async () => {
  const again = await merge([{ email: 'friend@acme.com' }, { email: 'jane.doe@acme.com', fullName: 'Jane Doe' }])
  assert.deepEqual([again.insertedCount, again.updatedCount, again.erased], [1, 0, [1]])
  assert.deepEqual(await rows("select id from people where match_key = 'jane.doe@acme.com'"), [])
})

test('versions and ids have no gaps, however many imports run at once', async () => {
  const before = await rows('select max(version)::int as version from directory_versions')
  const imports = Array.from({ length: 6 }, (_, number) =>
    merge(Array.from({ length: 20 }, (_, index) => ({ email: `p${number}-${index}@many${index % 3}.com`, jobTitle: `Title ${index}` }))),
  )
  const versions = (await Promise.all(imports)).map(result => result.version).sort((a, b) => a - b)
  assert.deepEqual(
    versions,
    Array.from({ length: 6 }, (_, index) => Number(before[0]!.version) + 1 + index),
  )
  for (const table of ['people', 'companies', 'titles', 'places']) {
    const [count] = await rows(`select count(*)::int as count, max(id) as max from ${table}`)
    assert.equal(count!.count, count!.max, table)
  }
})
