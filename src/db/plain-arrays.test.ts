import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase } from '../../test/harness.ts'
import { Database, sql } from './client.ts'

const ECHO = sql('select $1::text[] as texts, $2::uuid[] as ids')
const NESTED = sql(`select '{{a,b},{c,d}}'::text[] as nested, '[2:3]={a,b}'::text[] as moved`)

let db: Database
before(async () => {
  db = new Database({ url: await createTestDatabase(), poolSize: 1, onWake: () => {} })
})
after(() => db.close())

test('an array of texts comes back as it was sent, whatever is in it', async () => {
  const id = '00000000-0000-7000-8000-000000000001'
  for (const texts of [
    [],
    [''],
    ['monday', 'tuesday'],
    ['a,b', '{', '}', '"', '\\', ' a ', 'null', 'NULL', 'Null', 'x NULL y', 'ä€😀'],
    ['campaigns:read', null, 'x'],
  ]) {
    assert.deepEqual(await db.first(ECHO, [texts, [id, id]]), { texts, ids: [id, id] })
  }
  assert.deepEqual(await db.first(ECHO, [null, []]), { texts: null, ids: [] })
  assert.deepEqual(await db.first(NESTED), {
    nested: [
      ['a', 'b'],
      ['c', 'd'],
    ],
    moved: ['a', 'b'],
  })
})
