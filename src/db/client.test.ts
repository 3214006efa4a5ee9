import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createTestDatabase } from '../../test/harness.ts'
import { Database } from './client.ts'
import { lookup } from './lookup.ts'
import { type Db, type Sql, sql, type Tx, type Writer } from './sql.ts'

// The limits themselves are tested here.
process.env.OVERTURE_TEST_PATIENCE = '1'

const READ = sql('select id, name from things where id = $1')
const INSERT = sql('insert into things (id, name) values ($1, $2)')
const LOCK = sql('select id, name from things where id = $1 for update')
const CLAIM_BY_INDEX = sql.byIndex('update things set name = $2 where id = $1 returning name')
const CLAIM = sql.atomic('update things set name = $2 where id = $1 returning name')

// By type. These are never called: that they compile, or do not, is the test.
const writeThroughPool = (db: Database) =>
  // @ts-expect-error: a write needs a transaction
  db.many(INSERT, [1, 'one'])
const writeThroughReader = (db: Db) =>
  // @ts-expect-error: a function that takes a `Db` promises to read
  db.first(INSERT, [1, 'one'])
const lockThroughPool = (db: Db) =>
  // @ts-expect-error: outside of a transaction a lock is gone before it can be relied on
  db.first(LOCK, [1])
const writeInParts = (db: Writer) =>
  // @ts-expect-error: a write that is not marked as complete in itself is no atomic one
  db.write(INSERT, [1, 'one'])
const LONG = sql(`
  with r as (
    select ${'id' as string} from things
  )
  update things t
  set name = 'x'
  from r
  where t.id = r.id`)
const longText = (db: Db) =>
  // @ts-expect-error: also where parts are put in, and over several lines
  db.many(LONG)
const callWriteThroughPool = (db: Database) =>
  // @ts-expect-error: a write that is called as a function needs a transaction, too
  INSERT.run<[id: number, name: string]>()(db, 1, 'one')
const inTransaction = (tx: Tx) => [tx.many(READ, [1]), tx.many(LOCK, [1]), tx.run(INSERT, [1, 'one']), tx.write(CLAIM, [1, 'x'])]
void [writeThroughPool, callWriteThroughPool, writeThroughReader, lockThroughPool, writeInParts, longText, inTransaction]

describe('a statement', () => {
  it('compares no column with itself because an alias hides another', () => {
    const lines = (workspace: string): string => `(select w.lines from workspaces w where w.id = ${workspace}) as lines`
    assert.throws(() => sql(`select ${lines('w.id')} from workspaces w where w.id = $1`), /compares w\.id with itself/)
    assert.throws(() => sql.atomic('update things t set name = $1 where t.id = t.id'), /compares t\.id with itself/)
    sql(`select ${lines('home.id')} from workspaces home where home.id = $1`)
    sql('select from a join ab on ab.id = b.id and a.id = a.id_of_b')
  })
})

describe('the pool', () => {
  let db: Database

  before(async () => {
    db = new Database({ url: await createTestDatabase(), poolSize: 2, onWake: () => {} })
    await db.pool.query('create table things (id int primary key, name text)')
    await db.inTransaction(tx => tx.run(INSERT, [1, 'one']))
  })
  after(() => db.close())

  it('calls a statement as a function of its values', async () => {
    assert.deepEqual(await READ.many<{ id: number; name: string }, [id: number]>()(db, 1), [{ id: 1, name: 'one' }])
    assert.deepEqual(await READ.one<{ id: number; name: string }, [id: number]>()(db, 1), { id: 1, name: 'one' })
    assert.equal(await READ.first<unknown, [id: number]>()(db, 2), undefined)
    const names = sql('select name from things where id = $1')
    assert.deepEqual(await names.column<string, [id: number]>()(db, 1), ['one'])
    assert.equal(await names.value<string | undefined, [id: number]>()(db, 1), 'one')
    assert.equal(await names.value<string | undefined, [id: number]>()(db, 2), undefined)
    assert.deepEqual(await names.set<string, [id: number]>()(db, 1), new Set(['one']))
    assert.deepEqual(await READ.map<number, string, [id: number]>()(db, 1), new Map([[1, 'one']]))
    assert.deepEqual([await READ.any<[id: number]>()(db, 1), await READ.any<[id: number]>()(db, 2)], [true, false])
    const rename = sql('update things set name = $2 where id = $1').run<[id: number, name: string]>()
    assert.equal(await db.inTransaction(tx => rename(tx, 1, 'one')), 1)
    const isRenamed = sql('update things set name = $2 where id = $1').any((id: number) => [id, 'one'])
    assert.deepEqual(await db.inTransaction(async tx => [await isRenamed(tx, 1), await isRenamed(tx, 2)]), [true, false])
  })

  it('runs a write by index without sequential scans, and resets the connection afterwards', async () => {
    const text = `update things set name = name where id = $1 returning current_setting('enable_seqscan') as scans`
    for (let time = 0; time < 2; time++) {
      assert.deepEqual(await db.write<{ scans: string }>(sql.byIndex(text), [1]), [{ scans: 'off' }])
      assert.deepEqual(await db.write<{ scans: string }>(sql.atomic(text), [1]), [{ scans: 'on' }])
    }
  })

  it('runs a read by index without sequential scans, and resets the connection afterwards', async () => {
    const text = `select current_setting('enable_seqscan') as scans`
    for (let time = 0; time < 2; time++) {
      assert.equal((await db.first<{ scans: string }>(sql.readByIndex(text)))?.scans, 'off')
      assert.equal((await db.first<{ scans: string }>(sql(text)))?.scans, 'on')
    }
  })

  it('keeps nothing of a failed write by index, and continues', async () => {
    const FAIL = sql.byIndex('insert into things (id, name) values ($1, $2), ($1, $2)')
    await assert.rejects(db.write(FAIL, [7, 'seven']), { code: '23505' })
    assert.equal(await db.first(READ, [7]), undefined)
    assert.equal((await db.write(CLAIM_BY_INDEX, [1, 'one'])).length, 1)
  })

  it('reads', async () => {
    assert.deepEqual({ ...(await db.first<object>(READ, [1])) }, { id: 1, name: 'one' })
    assert.equal((await db.many(READ, [1])).length, 1)
  })

  const hidden: [what: string, text: string][] = [
    ['an insert', 'insert into things values (9)'],
    ['an insert over two lines', 'insert\n  into things values (9)'],
    ['an update', "update things set name = 'x'"],
    ['an update with an alias', "UPDATE things t\n  set name = 'x'"],
    ['a delete', 'delete from things'],
    ['a merge', 'merge into things using x on true when matched then delete'],
    ['a truncation', 'truncate things'],
    ['a write within a read', 'with gone as (delete from things returning id) select id from gone'],
    ['a lock', 'select id from things for update skip locked'],
    ['a weaker lock', 'select id from things for no key update'],
    ['a shared lock', 'select id from things\n  for share'],
    ['a lock of the transaction', 'select pg_advisory_xact_lock(1)'],
  ]
  for (const [what, text] of hidden) {
    it(`refuses ${what}, even if the type cannot tell`, async () => {
      const statement = sql(text)
      assert.equal((statement as Sql).writes, true)
      await assert.rejects(db.many(statement), /needs a transaction/)
      await assert.rejects(db.first(statement), /needs a transaction/)
      assert.throws(() => lookup([], text), /only reads/)
    })
  }

  it('accepts a read, whatever its columns are called', async () => {
    const text = `select id as "updatedAt", 'update' as updated, name as inserted_into from things where name <> 'for_update'`
    assert.equal((sql(text) as Sql).writes, false)
    assert.equal((await db.many(sql(text))).length, 1)
  })

  it('runs a complete write, alone and within a transaction', async () => {
    assert.deepEqual((await db.write<{ name: string }>(CLAIM, [1, 'two']))[0]?.name, 'two')
    const inside = db.inTransaction(async tx => {
      assert.equal((await tx.write<{ name: string }>(CLAIM, [1, 'three']))[0]?.name, 'three')
      throw new Error('undone')
    })
    await assert.rejects(inside, /undone/)
    assert.equal((await db.first<{ name: string }>(READ, [1]))?.name, 'two')
    assert.throws(() => sql.atomic('select 1'), /only reads/)
  })
})

describe('a transaction of a request', () => {
  let db: Database

  before(async () => {
    db = new Database({ url: await createTestDatabase(), poolSize: 2, onWake: () => {} })
    await db.pool.query('create table things (id int primary key, name text)')
    await db.pool.query("insert into things values (1, 'one'), (2, 'two')")
  })
  after(() => db.close())

  const RENAME = sql('update things set name = name || $2 where id = $1')

  it('that deadlocks with another is repeated, and both end', async () => {
    const locked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let attempts = 0
    const rename = (mine: number) =>
      db.inRequest(async tx => {
        attempts++
        await tx.run(RENAME, [mine + 1, 'a'])
        locked[mine]!.resolve()
        await locked[1 - mine]!.promise
        await tx.run(RENAME, [2 - mine, 'b'])
      })
    await Promise.all([rename(0), rename(1)])
    assert.equal(attempts, 3)
    const { rows } = await db.pool.query('select name from things order by id')
    assert.deepEqual(
      rows.map(({ name }) => name.slice(3).split('').sort().join('')),
      ['ab', 'ab'],
    )
  })

  for (const [code, what] of [
    ['55P03', 'rows that others lock for too long'],
    ['40001', 'a change by others at the same time'],
  ]) {
    it(`is repeated after ${what}, unless it cannot be repeated`, async () => {
      let attempts = 0
      const work = async (tx: Tx): Promise<string> => {
        if (++attempts === 1) await tx.client.query(`do $$ begin raise exception using errcode = '${code}'; end $$`)
        return 'done'
      }
      assert.equal(await db.inRequest(work), 'done')
      assert.equal(attempts, 2)
      attempts = 0
      await assert.rejects(db.inRequestOnce(work), { code })
    })
  }
})

describe('a wake-up', () => {
  const woken: string[][] = []
  let db: Database

  before(async () => {
    db = new Database({ url: await createTestDatabase(), poolSize: 1, onWake: queues => void woken.push([...queues]) })
    await db.pool.query('create table things (id int primary key, name text unique deferrable initially deferred)')
  })
  after(() => db.close())

  const insert = (id: number, name: string): Promise<void> =>
    db.inTransaction(async tx => {
      await tx.run(INSERT, [id, name])
      tx.wake('things')
      assert.deepEqual(woken, [])
    })

  it('follows the commit of a transaction, or a single-statement write', async () => {
    await insert(1, 'one')
    assert.deepEqual(woken.splice(0), [['things']])
    for (const write of [CLAIM, CLAIM_BY_INDEX]) {
      assert.deepEqual(await db.write<{ name: string }>(write, [1, 'first'], ['things', 'others']), [{ name: 'first' }])
      assert.deepEqual(woken.splice(0), [['things', 'others']])
    }
  })

  it('is not sent if the commit fails, and the caller gets the error', async () => {
    await insert(2, 'two')
    woken.length = 0
    await assert.rejects(insert(3, 'two'), /duplicate key/)
    assert.deepEqual(woken, [])
    assert.equal((await db.many(READ, [3])).length, 0)
  })
})
