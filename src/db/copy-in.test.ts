import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../../test/harness.ts'
import { proxyPostgres } from '../../test/postgres-proxy.ts'
import { copyIn } from './copy-in.ts'

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
