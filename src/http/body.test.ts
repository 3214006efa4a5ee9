import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { it } from 'node:test'
import { cutIntoChunks, digestOf, digestOfBulk, readPieces } from './body.ts'

it('a large body is read one piece in a turn of the event loop, so that other requests are answered between them', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sending = request({ port: (server.address() as AddressInfo).port, method: 'POST' })
  sending.end(Buffer.alloc(8 * 1024 * 1024))
  const [payload, reply] = (await once(server, 'request')) as [IncomingMessage, NodeJS.WritableStream]
  let turn = 0
  let counting = setImmediate(function count() {
    turn++
    counting = setImmediate(count)
  })
  const turns: number[] = []
  let received = 0
  for await (const piece of readPieces(payload, 8 * 1024 * 1024)) {
    received += piece.length
    turns.push(turn)
  }
  clearImmediate(counting)
  reply.end()
  await once(sending, 'response').then(([response]) => response.resume())
  server.close()
  assert.equal(received, 8 * 1024 * 1024)
  // A turn is counted in its middle, so two halves of neighbours may look like one.
  const most = Math.max(...turns.map(at => turns.filter(other => other === at).length))
  assert.ok(most <= 2, `${most} pieces in one turn`)
})

it('a body has the same digest whether it was read as a whole or its list was cut into chunks', () => {
  const lead = (n: number, note: string) => ({ email: `p${n}@é.example`, variables: { b: note, a: '"\\ü\u{1f600}', c: [n, null, {}] } })
  for (const [count, note] of [
    [0, ''],
    [1, ''],
    [3, 'x'],
    [400, 'long '.repeat(300)],
  ] as const) {
    const leads = Array.from({ length: count }, (_, n) => lead(n, note))
    for (const head of [{}, { a: 1 }, { z: 'last', a: [1, { d: 1, c: 2 }] }, { zz: null }]) {
      const chunks = cutIntoChunks(leads)
      assert.ok(count < 400 || chunks.length > 3)
      assert.equal(digestOfBulk(head, 'leads', chunks), digestOf({ leads, ...head }))
      assert.deepEqual(
        chunks.flatMap(chunk => JSON.parse(new TextDecoder().decode(chunk))),
        leads,
      )
    }
  }
})
