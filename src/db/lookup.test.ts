import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createTestDatabase } from '../../test/harness.ts'
import { Database } from './client.ts'
import { lookup } from './lookup.ts'
import { sql } from './sql.ts'

const FIND = lookup(['int', 'bytea'], 'select id, name, made_at as "madeAt" from things where id = $1 and secret = $2')
const INSERT = sql('insert into things values ($1, $2, $3, $4)')
const secret = Buffer.from([0, 1, 255])
const madeAt = new Date('2026-01-02T03:04:05.678Z')

interface Thing {
  id: number
  name: string
  madeAt: Date
}

describe('a lookup by key', () => {
  let db: Database

  before(async () => {
    db = new Database({ url: await createTestDatabase(), poolSize: 4, onWake: () => {} })
    await db.pool.query('create table things (id int primary key, name text, secret bytea, made_at timestamptz(3))')
    await db.inTransaction(async tx => {
      for (let id = 1; id <= 50; id++) await tx.run(INSERT, [id, `thing ${id}`, secret, madeAt])
    })
  })
  after(() => db.close())

  it('returns to each of many callers its own row, the same as alone', async () => {
    const alone = await db.find<Thing>(FIND, [7, secret])
    assert.deepEqual({ ...alone }, { id: 7, name: 'thing 7', madeAt })
    const ids = Array.from({ length: 300 }, (_, index) => 1 + ((index * 7) % 50))
    const found = await Promise.all(ids.map(id => db.find<Thing>(FIND, [id, secret])))
    assert.deepEqual(
      found.map(thing => ({ ...thing })),
      ids.map(id => ({ id, name: `thing ${id}`, madeAt })),
    )
  })

  it('finds nothing for a key without a row, without affecting the others', async () => {
    const found = await Promise.all([1, 999, 2].map(id => db.find<Thing>(FIND, [id, secret])))
    assert.deepEqual(
      found.map(thing => thing?.name),
      ['thing 1', undefined, 'thing 2'],
    )
    assert.equal(await db.find(FIND, [1, Buffer.from('other')]), undefined)
  })

  it('sees uncommitted rows within a transaction, and committed rows outside', async () => {
    await db.inTransaction(async tx => {
      await tx.run(INSERT, [100, 'new', secret, madeAt])
      assert.equal((await tx.find<Thing>(FIND, [100, secret]))?.name, 'new')
      assert.equal(await db.find(FIND, [100, secret]), undefined)
    })
    assert.equal((await db.find<Thing>(FIND, [100, secret]))?.name, 'new')
  })

  it('fails alone for an invalid key', async () => {
    const results = await Promise.allSettled([1, 'not a number', 2].map(id => db.find<Thing>(FIND, [id, secret])))
    assert.deepEqual(
      results.map(result => result.status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
  })
})
