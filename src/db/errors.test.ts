import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import net from 'node:net'
import { describe, it } from 'node:test'
import pg from 'pg'
import { isConnectionRefused, isDatabaseDown } from './errors.ts'

describe('a server that accepts a connection and then stays silent', () => {
  for (const [what, connect] of [
    ['a single connection', (options: pg.ClientConfig) => new pg.Client(options).connect()],
    ['a pool', (options: pg.PoolConfig) => new pg.Pool(options).connect()],
  ] as const) {
    it(`counts as unavailable for ${what}: nothing was tried, and it can be retried`, async () => {
      const server = net.createServer(() => {}).listen(0, '127.0.0.1')
      await new Promise(resolve => server.once('listening', resolve))
      const { port } = server.address() as net.AddressInfo
      await assert.rejects(connect({ host: '127.0.0.1', port, user: 'x', connectionTimeoutMillis: 50 }), error => {
        assert.ok(isConnectionRefused(error) && isDatabaseDown(error), String(error))
        return true
      })
      server.close()
    })
  }
})

it('a missing socket of the database counts as unavailable, and a missing file does not', async () => {
  await assert.rejects(new pg.Client({ host: '/nowhere' }).connect(), error => isDatabaseDown(error))
  await assert.rejects(readFile('/nowhere'), error => !isDatabaseDown(error))
})
