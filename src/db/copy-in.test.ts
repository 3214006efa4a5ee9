import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../../test/harness.ts'
import { proxyPostgres } from '../../test/postgres-proxy.ts'
import { Database } from './client.ts'
import { copyIn, copyInShortly } from './copy-in.ts'

const READY_FOR_ROWS = 'G'.charCodeAt(0)

it('a database that accepts rows after our timeout ends the connection and not the process', async () => {
  const held = Promise.withResolvers<() => void>()
  const { url, stop } = await proxyPostgres(await createTestDatabase(), (ours, theirs) => {
    theirs.on('data', data => {
      if (data[0] === READY_FOR_ROWS) held.resolve(() => ours.write(data))
      else ours.write(data)
    })
    ours.on('data', data => theirs.write(data))
  })
  after(stop)
  const client = new pg.Client({ connectionString: url, query_timeout: 500 })
  const ended = new Promise<void>(resolve => client.once('error', () => resolve()))
  await client.connect()
  await client.query('create temporary table t (n text)')
  await assert.rejects(copyIn(client, 'copy t from stdin', [Buffer.from('1\n')]), /timeout/)
  const answer = await held.promise
  answer()
  await ended
})

const PAST_EVERY_LIMIT_MS = 25_000

it('a pooled connection goes back without a limit of the COPY that it has carried', async t => {
  const url = await createTestDatabase()
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const db = new Database({ url, poolSize: 1, onWake: () => {} })
  const connection = async () => (await db.pool.query('select pg_backend_pid() as id')).rows[0].id
  await db.pool.query('create table t (n int)')
  const before = await connection()
  const copyRows = (rows: string) => db.inTransaction(tx => copyInShortly(tx, 'copy t from stdin', [Buffer.from(rows)]))
  assert.equal(await copyRows('1\n2\n'), 2)
  await assert.rejects(copyRows('one\n'), /invalid input syntax/)
  t.mock.timers.tick(PAST_EVERY_LIMIT_MS)
  assert.equal(await connection(), before)
  await db.close()
})
