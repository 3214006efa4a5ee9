import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/harness.ts'
import { seedDirectory } from '../../app/demo/directory.ts'
import { Database } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'

const INDEXES = sql(`
  select indexdef
  from pg_indexes
  where tablename = 'people'
  order by indexname`)
const COUNT = sql(`
  select count(*)::int as count
  from people`)

test('a directory that was filled in bulk has every index again, and no duplicates', async t => {
  const db = new Database({ url: await createTestDatabase(), poolSize: 1, onWake: () => {} })
  t.after(() => db.close())
  const before = await db.many(INDEXES, [])
  assert.ok(before.length >= 4)
  await db.inTransaction(tx => seedDirectory(tx, { people: 10_001, now: new Date() }))
  assert.deepEqual(await db.many(INDEXES, []), before)
  assert.deepEqual(await db.many(COUNT, []), [{ count: 10_001 }])
})
