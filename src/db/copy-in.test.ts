import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after, it } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../../test/harness.ts'
import { copyIn } from './copy-in.ts'

const READY_FOR_ROWS = 'G'.charCodeAt(0)

it('a database that is ready for rows after we gave up ends the connection and not the process', async () => {
  const url = new URL((await createTestDatabase()).replace('@/', '@localhost/'))
  const held = Promise.withResolvers<() => void>()
  const server = createServer(ours => {
    const theirs: Socket = connect(`${url.searchParams.get('host') ?? ''}/.s.PGSQL.${url.searchParams.get('port') ?? (url.port || 5432)}`)
    theirs.on('data', data => {
      if (data[0] === READY_FOR_ROWS) held.resolve(() => ours.write(data))
      else ours.write(data)
    })
    ours.on('data', data => theirs.write(data))
    for (const [one, other] of [[ours, theirs] as const, [theirs, ours] as const]) {
      one.on('close', () => other.destroy())
      one.on('error', () => {})
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  const { port } = server.address() as AddressInfo
  const { username: user, password } = url
  const client = new pg.Client({ host: '127.0.0.1', port, user, password, database: url.pathname.slice(1), query_timeout: 500 })
  const ended = new Promise<void>(resolve => client.once('error', () => resolve()))
  await client.connect()
  await client.query('create temporary table t (n text)')
  await assert.rejects(copyIn({ client } as never, 'copy t from stdin', [Buffer.from('1\n')]), /timeout/)
  const answer = await held.promise
  answer()
  await ended
})
