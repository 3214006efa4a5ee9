import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/harness.ts'
import { openTestContext, peopleOf } from '../../../test/people.ts'
import type { Context } from '../../context/context.ts'
import { sql } from '../../db/client.ts'
import { type CompaniesAhead, findCompaniesAhead } from './merge-ahead.ts'
import { MergeInput } from './merge-input.ts'
import { fingerprintOf, MergeMemory } from './merge-memory.ts'
import { mergeIntoDirectory } from './people.ts'
import type { RawPerson } from './person-input.ts'
import type { NewCompany } from './schema.ts'

const now = new Date('2026-03-02T08:00:00Z')

const merge = (ctx: Context, rows: RawPerson[], memory?: MergeMemory) =>
  ctx.db.inTransaction(tx => mergeIntoDirectory(tx, peopleOf(rows), { source: 'test', now, secrets: ctx.secrets }, memory))

/** Everything that the directory holds. */
async function contentsOf(ctx: Context): Promise<unknown> {
  const tables = ['titles', 'places', 'companies', 'people'].map(name => `select * from ${name} order by id`)
  const all = []
  for (const text of [
    ...tables,
    'select * from company_domains order by domain',
    'select version, source from directory_versions order by version',
  ])
    all.push(await ctx.db.many(sql(text)))
  return all
}

/** Rows that repeat and contradict each other, about few companies, by a generator that always gives the same. */
function inventRows(count: number): RawPerson[] {
  let state = 42
  const below = (limit: number): number => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  const of = <T>(values: readonly T[]): T => values[below(values.length)]!
  return Array.from({ length: count }, () => {
    const firm = below(8)
    const host = of([`firm${firm}.com`, `firm${firm}.com`, `mail-firm${below(3)}.com`, 'gmail.com'])
    return {
      email: `p${below(60)}@${host}`,
      jobTitle: of(['CEO', 'Head of Sales', 'Engineer', '']),
      company: of([`Firm ${firm}`, `Firm ${firm} GmbH`, '']),
      companyDomain: of([`firm${firm}.com`, `https://www.firm${firm}.com/about`, '']),
      employees: of(['51-200', '120', '']),
      industry: of(['Software', 'Banking', '']),
      companyCity: of(['Berlin', '']),
      companyCountry: 'Germany',
      tags: of(['b2b, saas', '']),
    }
  })
}

test('an import that remembers what it has merged leaves the same directory as one that asks every time', async () => {
  const remembering = openTestContext(await createTestDatabase(), tmpdir())
  const asking = openTestContext(await createTestDatabase(), tmpdir())
  const rows = inventRows(600)
  const memory = new MergeMemory()
  for (let from = 0; from < rows.length; from += 15) {
    const batch = rows.slice(from, from + 15)
    assert.deepEqual(await merge(remembering, batch, memory), await merge(asking, batch))
  }
  assert.deepEqual(await contentsOf(remembering), await contentsOf(asking))
})

test('an import that looks up companies ahead leaves the same directory as one that asks in turn, also when others import in between', async () => {
  const early = openTestContext(await createTestDatabase(), tmpdir())
  const asking = openTestContext(await createTestDatabase(), tmpdir())
  const rows = inventRows(900)
  const memory = new MergeMemory()
  const inputs = Array.from({ length: 60 }, (_, n) => MergeInput.of(peopleOf(rows.slice(n * 15, n * 15 + 15))))
  let aheadOfNext: CompaniesAhead | undefined
  const lookedUp = { sure: 0, unsure: 0 }
  for (const [n, input] of inputs.entries()) {
    const next = inputs[n + 1]
    const onStoring = (owner: number): void => {
      if (!next) return
      aheadOfNext = findCompaniesAhead(early.db, next, memory, owner)
      lookedUp.unsure += aheadOfNext.unsure.length
      lookedUp.sure += aheadOfNext.companies.length - aheadOfNext.unsure.length
    }
    const batch = { source: 'test', now, secrets: early.secrets, ahead: aheadOfNext, onStoring }
    const merged = await early.db.inTransaction(tx => mergeIntoDirectory(tx, input, batch, memory))
    assert.deepEqual(merged, await merge(asking, rows.slice(n * 15, n * 15 + 15)))
    if (n % 7 !== 3) continue
    const others = inventRows(1200).slice(900 + n, 905 + n)
    assert.deepEqual(await merge(early, others), await merge(asking, others))
  }
  assert.ok(lookedUp.sure > 50 && lookedUp.unsure > 5, `both kinds occur: ${JSON.stringify(lookedUp)}`)
  assert.deepEqual(await contentsOf(early), await contentsOf(asking))
})

test('companies are looked up ahead once for each batch while only new people are stored, and the directory is the same', async () => {
  const early = openTestContext(await createTestDatabase(), tmpdir())
  const asking = openTestContext(await createTestDatabase(), tmpdir())
  const memory = new MergeMemory()
  const newRows = (from: number, to: number): RawPerson[] =>
    Array.from({ length: to - from }, (_, n) => ({
      email: `p${from + n}@c${(from + n) % 70}.com`,
      company: `Company ${(from + n) % 70}`,
      jobTitle: `Title ${(from + n) % 90}`,
      city: 'Berlin',
      country: 'Germany',
    }))
  // The people of the third batch are so many that the others wait for their turn when the look-up begins.
  const batches = [newRows(0, 20), newRows(20, 40), newRows(40, 2000), newRows(2000, 2030)]
  const inputs = batches.map(rows => MergeInput.of(peopleOf(rows)))
  let ahead: CompaniesAhead | undefined
  for (const [n, input] of inputs.entries()) {
    let calls = 0
    const given = ahead
    const onStoring = (owner: number): void => {
      calls++
      if (inputs[n + 1]) ahead = findCompaniesAhead(early.db, inputs[n + 1]!, memory, owner)
    }
    const batch = { source: 'test', now, secrets: early.secrets, ahead: given, onStoring }
    const merged = await early.db.inTransaction(tx => mergeIntoDirectory(tx, input, batch, memory))
    assert.deepEqual(merged, await merge(asking, batches[n]!))
    assert.equal(calls, 1)
  }
  assert.deepEqual(await contentsOf(early), await contentsOf(asking))
})

test('what somebody else changes between two batches is not taken for what was merged before', async () => {
  const ctx = openTestContext(await createTestDatabase(), tmpdir())
  const memory = new MergeMemory()
  const said = { company: 'Acme', companyDomain: 'acme.com', employees: '51-200' }
  await merge(ctx, [{ email: 'a@acme.com', ...said }], memory)
  await merge(ctx, [{ email: 'x@acme.com', company: 'Acme', companyDomain: 'acme.com', employees: '201-500' }])
  await merge(ctx, [{ email: 'b@acme.com', ...said }], memory)
  assert.deepEqual(await ctx.db.many(sql('select name, size from companies')), [{ name: 'Acme', size: '51-200' }])
})

test('a batch that was expected to be new and has known people is merged as if they had been looked for', async () => {
  const guessing = openTestContext(await createTestDatabase(), tmpdir())
  const asking = openTestContext(await createTestDatabase(), tmpdir())
  const memory = new MergeMemory()
  const people = (from: number, to: number): RawPerson[] =>
    Array.from({ length: to - from }, (_, n) => ({ email: `p${from + n}@firm${n % 50}.com`, jobTitle: `Title ${n % 7}`, company: 'Firm' }))
  const known = { email: 'p0@firm0.com', jobTitle: 'CEO', company: 'Firm' }
  // Enough people that their rows are still being sent when PostgreSQL meets the known one; once it is the last.
  const batches = [
    people(0, 50),
    people(50, 100),
    [known, ...people(100, 3100)],
    people(3100, 3150),
    [...people(3150, 6150), known],
    [known],
  ]
  for (const batch of batches) assert.deepEqual(await merge(guessing, batch, memory), await merge(asking, batch))
  assert.deepEqual(await contentsOf(guessing), await contentsOf(asking))

  const other = new MergeMemory()
  await merge(guessing, people(7000, 7050), other)
  await merge(asking, people(7000, 7050))
  const last = [...people(7050, 10_050), known]
  assert.deepEqual(await merge(guessing, last, other), await merge(asking, last))
  assert.deepEqual(await contentsOf(guessing), await contentsOf(asking))
})

test('numbers are given in the order of the rows, without gaps, whatever is known already', async () => {
  const ctx = openTestContext(await createTestDatabase(), tmpdir())
  await merge(ctx, [{ email: 'b@one.com' }, { email: 'a@two.com' }])
  await merge(ctx, [{ email: 'z@three.com' }, { email: 'A@two.com', jobTitle: 'CEO' }, { email: 'c@four.com' }])
  assert.deepEqual(await ctx.db.many(sql('select id, match_key as key from people order by id')), [
    { id: 1, key: 'b@one.com' },
    { id: 2, key: 'a@two.com' },
    { id: 3, key: 'z@three.com' },
    { id: 4, key: 'c@four.com' },
  ])
  assert.deepEqual(await ctx.db.many(sql('select id, domain from companies order by id')), [
    { id: 1, domain: 'one.com' },
    { id: 2, domain: 'two.com' },
    { id: 3, domain: 'three.com' },
    { id: 4, domain: 'four.com' },
  ])
})

test('texts with tabs, quotes, backslashes and braces arrive as they were', async () => {
  const ctx = openTestContext(await createTestDatabase(), tmpdir())
  const [person] = peopleOf([{ email: 'a@acme.com', fullName: 'A \\N "B"', company: 'Acme \\ {Co}', companyDomain: 'acme.com' }])
  person!.company!.tags = ['a "b"', 'c\\d', '{e}', 'NULL', 'f,g']
  person!.company!.description = 'one\ttwo\nthree\\'
  await ctx.db.inTransaction(tx => mergeIntoDirectory(tx, [person!], { source: 'test', now, secrets: ctx.secrets }))
  assert.deepEqual(await ctx.db.many(sql('select c.name, tags, description, full_name as "fullName" from companies c, people')), [
    { name: 'Acme \\ {Co}', tags: ['a "b"', 'c\\d', '{e}', 'NULL', 'f,g'], description: 'one\ttwo\nthree\\', fullName: 'A \\N "B"' },
  ])
})

test('a fingerprint changes with every single value of a record', () => {
  const company = peopleOf([{ email: 'a@acme.com', company: 'Acme', companyDomain: 'acme.com' }])[0]!.company!
  const changed: Partial<NewCompany>[] = [
    { name: 'Acme ' },
    { domain: 'acme.de' },
    { isDomainOfWebsite: false },
    { industry: 'software' },
    { employees: 1 },
    { size: '1-10' },
    { place: { key: 'DE||', country: 'DE', region: null, city: null, lat: null, lon: null } },
    { founded: 1 },
    { revenue: 1 },
    { revenue: 2 ** 31 },
    { revenueCurrency: 'EUR' },
    { fundingStage: 'seed' },
    { fundingTotal: 1 },
    { fundingCurrency: 'EUR' },
    { fundedAt: '2026-01-01' },
    { technologies: ['a'] },
    { tags: ['a'] },
    { tags: ['a', 'b'] },
    { tags: ['ab'] },
    { description: 'Acme' },
  ]
  const prints = [company, ...changed.map(change => ({ ...company, ...change }))].map(fingerprintOf)
  assert.equal(new Set(prints).size, prints.length)
})
