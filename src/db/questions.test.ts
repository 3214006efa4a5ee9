import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import pg from 'pg'
import { createTestDatabase } from '../../test/harness.ts'
import { Database } from './client.ts'
import { ask, MOST_PREPARED } from './questions.ts'
import { sql } from './sql.ts'

const ANSWERS = 100
const BYTES_OF_ALL = ANSWERS * 100 * 900

/** Prints how many bytes become old while rows are read, and when they are kept as well. */
const MEASURE = `
  import { setImmediate as nextTurn } from 'node:timers/promises'
  import { getHeapSpaceStatistics } from 'node:v8'
  import pg from ${JSON.stringify(import.meta.resolve('pg'))}
  import { ask } from ${JSON.stringify(import.meta.resolve('./questions.ts'))}
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL })
  await client.connect()
  const oldBytes = () => getHeapSpaceStatistics().find(space => space.space_name === 'old_space').space_used_size
  async function measure(use) {
    gc()
    const before = oldBytes()
    for (let n = 0; n < ${ANSWERS}; n++) {
      use(await ask(client, "select n, repeat('x', 900) || n as text from generate_series(1, 100) as n"))
      // The stack that brought the response is gone in the next turn. What survives two collections counts as old.
      await nextTurn()
      gc({ type: 'minor' })
      gc({ type: 'minor' })
    }
    return oldBytes() - before
  }
  await measure(() => {})
  const asked = await measure(() => {})
  const rows = []
  const kept = await measure(answer => rows.push(answer))
  console.log(JSON.stringify({ asked, kept, count: rows.length }))
  await client.end()`

describe('a query', () => {
  let url: string
  let client: pg.Client

  before(async () => {
    url = await createTestDatabase()
    client = new pg.Client({ connectionString: url })
    await client.connect()
  })
  after(() => client.end())

  // In a process of its own: how V8 treats rows depends on everything that a process has done before.
  it('leaves no unreferenced rows in the old heap', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', '--input-type=module', '--eval', MEASURE], {
      env: { ...process.env, DATABASE_URL: url },
    })
    const { asked, kept } = JSON.parse(stdout) as { asked: number; kept: number }
    assert.ok(kept > BYTES_OF_ALL / 2, `only ${kept} bytes of ${BYTES_OF_ALL} that were kept are seen`)
    assert.ok(asked < kept / 4, `${asked} bytes became old, and ${kept} if all rows are kept`)
  })

  it('that fails names its caller', async () => {
    const askWrongly = async (): Promise<unknown> => await ask(client, 'select 1 / 0')
    await assert.rejects(askWrongly(), (error: Error & { code: string }) => error.code === '22012' && /askWrongly/.test(error.stack!))
  })

  it('without a response in time fails, and ends its connection', async t => {
    const silent = new pg.Client({ connectionString: url })
    await silent.connect()
    silent.on('error', () => {})
    const ended = new Promise<void>(resolve => silent.once('end', () => resolve()))
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const answer = ask(silent, 'select pg_sleep(60)')
    t.mock.timers.tick(20_000)
    await assert.rejects(answer, /Query read timeout/)
    await ended
  })

  it('that was not used for long is not kept prepared, and those in use are', async () => {
    const db = new Database({ url, poolSize: 1, onWake: () => {} })
    after(() => db.close())
    const used = sql('select 1 as n, $1::int as number')
    for (let n = 0; n < 2 * MOST_PREPARED; n++) {
      await db.many(sql(`select ${n} as n, $1::int as number`), [n])
      assert.deepEqual(await db.many(used, [n]), [{ n: 1, number: n }])
    }
    const { rows } = await db.pool.query('select statement, generic_plans + custom_plans as uses from pg_prepared_statements')
    assert.equal(rows.length, MOST_PREPARED)
    assert.ok(rows.find(({ statement }) => statement === used.text).uses >= 2 * MOST_PREPARED)
    assert.deepEqual(await db.many(sql('select 0 as n, $1::int as number'), [7]), [{ n: 0, number: 7 }])
  })
})
