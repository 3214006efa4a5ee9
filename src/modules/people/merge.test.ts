import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/harness.ts'
import { openTestContext, peopleOf } from '../../../test/people.ts'
import type { Context } from '../../context/context.ts'
import { sql } from '../../db/sql.ts'
import { mergeIntoDirectory } from './people.ts'
import type { RawPerson } from './person-input.ts'

const now = new Date('2026-03-02T08:00:00Z')

const merge = (ctx: Context, rows: RawPerson[]) =>
  ctx.db.inTransaction(tx => mergeIntoDirectory(tx, peopleOf(rows), { source: 'test', now, secrets: ctx.secrets }))

test('the last record of a company wins, whoever merged the previous one', async () => {
  const ctx = openTestContext(await createTestDatabase(), tmpdir())
  const said = { company: 'Acme', companyDomain: 'acme.com', employees: '51-200' }
  await merge(ctx, [{ email: 'a@acme.com', ...said }])
  await merge(ctx, [{ email: 'x@acme.com', company: 'Acme', companyDomain: 'acme.com', employees: '201-500' }])
  await merge(ctx, [{ email: 'b@acme.com', ...said }])
  assert.deepEqual(await ctx.db.many(sql('select name, size from companies')), [{ name: 'Acme', size: '51-200' }])
})

test('numbers are assigned in row order, without gaps, including existing rows', async () => {
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

test('texts with tabs, quotes, backslashes and braces are stored unchanged', async () => {
  const ctx = openTestContext(await createTestDatabase(), tmpdir())
  const [person] = peopleOf([{ email: 'a@acme.com', fullName: 'A \\N "B"', company: 'Acme \\ {Co}', companyDomain: 'acme.com' }])
  person!.company!.tags = ['a "b"', 'c\\d', '{e}', 'NULL', 'f,g']
  person!.company!.description = 'one\ttwo\nthree\\'
  await ctx.db.inTransaction(tx => mergeIntoDirectory(tx, [person!], { source: 'test', now, secrets: ctx.secrets }))
  assert.deepEqual(await ctx.db.many(sql('select c.name, tags, description, full_name as "fullName" from companies c, people')), [
    { name: 'Acme \\ {Co}', tags: ['a "b"', 'c\\d', '{e}', 'NULL', 'f,g'], description: 'one\ttwo\nthree\\', fullName: 'A \\N "B"' },
  ])
})
