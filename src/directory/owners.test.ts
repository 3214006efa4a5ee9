import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { FilterDocument } from '#lead-terms'
import { createTestDatabase } from '../../test/harness.ts'
import { openTestContext, peopleOf } from '../../test/people.ts'
import { NOW } from '../../test/search/directory.ts'
import { mergeIntoDirectory } from '../modules/people/people.ts'
import { findOwner } from '../modules/workspaces/queries.ts'
import { buildColumnIndex } from './column-index.ts'
import { IndexKeeper } from './index-keeper.ts'

const dir = await mkdtemp(join(tmpdir(), 'overture-owners-'))
const databaseUrl = await createTestDatabase()
const ctx = openTestContext(databaseUrl, dir)
const [ada, ben] = [randomUUID(), randomUUID()]
for (const id of [ada, ben]) await ctx.db.pool.query("insert into workspaces (id, name) values ($1, 'Workspace')", [id])

const merge = (rows: Parameters<typeof peopleOf>[0], workspaceId?: string) =>
  ctx.db.inTransaction(tx =>
    mergeIntoDirectory(tx, peopleOf(rows), { source: 'test', now: NOW, secrets: ctx.secrets, ...(workspaceId ? { workspaceId } : {}) }),
  )
const at = (name: string, company: string) => ({
  email: `${name}@${company}.com`,
  company,
  companyDomain: `${company}.com`,
  jobTitle: 'CTO',
})

async function follow(): Promise<IndexKeeper> {
  const keeper = new IndexKeeper(buildColumnIndex, { databaseUrl })
  keeper.start()
  await keeper.caughtUp()
  return keeper
}

const counts = async (keeper: IndexKeeper, filter: FilterDocument): Promise<number[]> => {
  const owners = [0, await findOwner(ctx.db, ada), await findOwner(ctx.db, ben)]
  const seen = await Promise.all(owners.map(owner => keeper.preview({ filter, now: NOW, owner }, false)))
  return seen.map(({ matchCount }) => matchCount)
}

test('a search in a directory without people returns no one', async () => {
  const keeper = await follow()
  const filter = { jobTitles: { include: ['CTO'] } }
  assert.deepEqual([...(await counts(keeper, {})), ...(await counts(keeper, filter))], [0, 0, 0, 0, 0, 0])
  assert.deepEqual((await keeper.exportIds({ filter, now: NOW }, 5)).ids, [])
  await keeper.stop()
})

test('owners are read from the database, also by an index that starts later', async () => {
  await merge([at('a', 'shared'), at('b', 'shared')])
  await merge([at('c', 'shared'), at('d', 'adas')], ada)
  const first = await follow()
  assert.deepEqual(await counts(first, {}), [2, 4, 2])
  await first.stop()

  await merge([at('e', 'bens')], ben)
  const second = await follow()
  assert.deepEqual(await counts(second, {}), [2, 4, 3])
  assert.deepEqual(await counts(second, { companies: { include: ['shared.com'] } }), [2, 3, 2])
  assert.deepEqual(await counts(second, { companies: { include: ['bens.com'] } }), [0, 0, 1])
  await second.stop()
})

test('a company counts once for all owners, even if the operator adds it later', async () => {
  const keeper = await follow()
  const oneEach = (company: string) => ({ companies: { include: [`${company}.com`] }, maxPerCompany: 1 })
  assert.deepEqual(await counts(keeper, oneEach('shared')), [1, 1, 1])
  await merge([at('first', 'late')], ada)
  await keeper.caughtUp()
  assert.deepEqual(await counts(keeper, oneEach('late')), [0, 1, 0])
  await merge([at('second', 'late')])
  await keeper.caughtUp()
  assert.deepEqual(await counts(keeper, oneEach('late')), [1, 1, 1])
  assert.deepEqual(await counts(keeper, { companies: { include: ['late.com'] } }), [1, 2, 1])
  await keeper.stop()
})
