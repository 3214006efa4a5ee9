import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, it } from 'node:test'
import { Type } from '../lib/type.ts'
import { BodyReader, BulkBody, cutIntoChunks, digestOf, digestOfBulk, readPieces } from './body.ts'
import { boundsOf } from './body-limits.ts'

it('a large body is read one piece per turn of the event loop, so that other requests are served in between', async () => {
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
  // A turn is counted in its middle, so two halves of neighbors may look like one.
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

const schema = Type.Object({ leads: Type.Array(Type.String(), { maxItems: 5000 }) })
const spec = { name: 'test', schema: JSON.parse(JSON.stringify(schema)), bounds: boundsOf(schema), bulk: 'leads' }

const leads = Array.from({ length: 3000 }, (_, n) => `${n} ${'ä'.repeat(500)}`)

async function* sent(): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(JSON.stringify({ leads }))
  for (let at = 0; at < bytes.length; at += 65_536) yield Buffer.from(bytes.subarray(at, at + 65_536))
}

describe('the list of a large body', () => {
  const reader = new BodyReader()
  after(() => reader.close())
  const read = async (): Promise<BulkBody> => {
    const body = await reader.read(sent(), spec)
    assert.ok(body instanceof BulkBody && body.isCut)
    return body
  }

  it('is read in order, a few chunks at a time, and this thread keeps no earlier chunks', async () => {
    const body = await read()
    const seen: Uint8Array[] = []
    const items: string[] = []
    for (const group of body.chunks()) {
      assert.ok(seen.every(chunk => chunk.length === 0))
      seen.push(...group)
      for (const chunk of group) items.push(...(JSON.parse(Buffer.from(chunk).toString()) as string[]))
    }
    assert.deepEqual(items, leads)
    assert.equal(body.count, leads.length)
    assert.ok(seen.length > 8)
  })

  it('fails if it was dropped midway, so that no part counts as the whole', async () => {
    const body = await read()
    const store = (): void => {
      for (const _ of body.chunks()) body.forget()
    }
    assert.throws(store, { code: 'service_unavailable' })
    assert.throws(store, { code: 'service_unavailable' })
  })

  it('of one body does not end with that of another', async () => {
    const [one, other] = await Promise.all([read(), read()])
    one.forget()
    let count = 0
    for (const group of other.chunks()) for (const chunk of group) count += JSON.parse(Buffer.from(chunk).toString()).length
    assert.equal(count, leads.length)
  })
})
