import { createServer, type Socket } from 'node:net'
import pg from 'pg'

/** The choice of the next connection: the one that was used last, or each in turn. */
type PoolerOrder = 'last' | 'in_turn'

/**
 * Does the same as PgBouncer in transaction mode, and nothing else: a client gets a connection to PostgreSQL for one transaction, and the
 * next time another. It signs in on its own and accepts every client.
 */
export async function startTransactionPooler(url: string, order: PoolerOrder): Promise<{ url: string; stop(): Promise<void> }> {
  const servers: pg.Client[] = []
  for (let n = 0; n < 3; n++) {
    const server = new pg.Client({ connectionString: url })
    server.on('error', () => {})
    await server.connect()
    servers.push(server)
  }
  const free = servers.map(server => (server as unknown as { connection: { stream: Socket } }).connection.stream)
  for (const stream of free) stream.removeAllListeners('data')
  const waiting: ((stream: Socket) => void)[] = []
  const take = (): Promise<Socket> => {
    const stream = order === 'last' ? free.pop() : free.shift()
    return stream ? Promise.resolve(stream) : new Promise(resolve => waiting.push(resolve))
  }
  const giveBack = (stream: Socket): void => {
    const next = waiting.shift()
    if (next) next(stream)
    else free.push(stream)
  }

  const listener = createServer(client => {
    let stream: Socket | undefined
    let rest = Buffer.alloc(0)
    const answer = (chunk: Buffer): void => {
      client.write(chunk)
      rest = Buffer.concat([rest, chunk])
      while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
        const length = rest.readInt32BE(1) + 1
        const isIdle = rest[0] === 0x5a && rest[5] === 0x49 // ReadyForQuery, outside of a transaction
        rest = rest.subarray(length)
        if (!isIdle || !stream) continue
        stream.off('data', answer)
        giveBack(stream)
        stream = undefined
      }
    }
    let hasStarted = false
    client.on('error', () => {})
    // When a client disconnects in the middle of a transaction, it is rolled back.
    client.on('close', () => stream?.write(Buffer.from('Q\0\0\0\x0drollback\0', 'latin1')))
    client.on('data', async chunk => {
      if (!hasStarted) {
        hasStarted = true
        // AuthenticationOk, ReadyForQuery
        client.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]))
        return
      }
      if (chunk[0] === 0x58) return // Terminate is for the client's connection, not for the server's
      client.pause()
      if (!stream) {
        stream = await take()
        stream.on('data', answer)
      }
      stream.write(chunk)
      client.resume()
    })
  })
  await new Promise<void>(resolve => listener.listen(0, '127.0.0.1', resolve))
  const { port } = listener.address() as { port: number }
  const { database } = servers[0]!
  return {
    url: `postgres://anybody@127.0.0.1:${port}/${database}`,
    async stop() {
      listener.close()
      for (const server of servers) (server as unknown as { connection: { stream: Socket } }).connection.stream.destroy()
    },
  }
}
