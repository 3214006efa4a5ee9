import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { S3_CREDENTIALS, S3Server } from '../../test/s3-server.ts'
import { S3, S3Failed } from './s3.ts'

const PART = 1024

async function* stream(...chunks: Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks
}

describe('an S3-compatible store', () => {
  const server = new S3Server()
  let endpoint: string
  let store: S3

  before(async () => {
    endpoint = await server.start()
    store = new S3({ endpoint, bucket: 'exports', ...S3_CREDENTIALS, partBytes: PART })
  })
  after(async () => {
    await store.close()
    await server.stop()
  })

  it('returns stored files of any size, with signed requests', async () => {
    for (const size of [0, 1, PART - 1, PART, PART + 1, 3 * PART, 10 * PART + 7]) {
      const content = randomBytes(size)
      const chunks = [content.subarray(0, size / 3), content.subarray(size / 3, size / 2), content.subarray(size / 2)]
      const key = `folder/a file (${size}) ü.csv`
      assert.equal(await store.put(key, stream(...chunks), 'text/csv'), size)
      const found = await store.get(key)
      assert.deepEqual(await buffer(found!), content)
    }
    assert.deepEqual(server.refused, [])
  })

  it('uploads a large file in parts', async () => {
    server.requests.length = 0
    await store.put('large', stream(randomBytes(3 * PART + 1)), 'text/csv')
    assert.equal(server.requests.filter(request => request.includes('partNumber=')).length, 4)
  })

  it('returns null for a missing file, and deleting it succeeds', async () => {
    assert.equal(await store.get('nothing'), null)
    await store.put('something', stream(Buffer.from('x')), 'text/csv')
    await store.delete('something')
    await store.delete('something')
    assert.equal(await store.get('something'), null)
  })

  it('leaves neither a file nor an upload after a failed source', async () => {
    async function* broken(): AsyncGenerator<Buffer> {
      yield randomBytes(2 * PART)
      throw new Error('the source broke')
    }
    await assert.rejects(store.put('half', broken(), 'text/csv'), /the source broke/)
    assert.equal(await store.get('half'), null)
    assert.equal(server.openUploads, 0)
  })

  it('does not read a response without an end', async t => {
    const endless = createServer((request, reply) => {
      reply.writeHead(request.method === 'POST' ? 200 : 500)
      const text = Readable.from(
        (function* () {
          for (;;) yield 'x'.repeat(16_384)
        })(),
      )
      text.pipe(reply).on('close', () => text.destroy())
    })
    await new Promise<void>(resolve => endless.listen(0, '127.0.0.1', resolve))
    const strange = new S3({
      endpoint: `http://127.0.0.1:${(endless.address() as AddressInfo).port}`,
      bucket: 'exports',
      ...S3_CREDENTIALS,
      partBytes: PART,
    })
    t.after(async () => {
      await strange.close()
      endless.closeAllConnections()
      endless.close()
    })
    await assert.rejects(strange.put('x', stream(randomBytes(2 * PART)), 'text/csv'), /to POST x is too long/)
    await assert.rejects(strange.get('x'), (error: S3Failed) => error.status === 500)
  })

  it('reports a wrong key, a failing store and a missing store as the same kind of failure', async () => {
    const wrong = new S3({ endpoint, bucket: 'exports', ...S3_CREDENTIALS, secretKey: 'wrong' })
    await assert.rejects(wrong.put('x', stream(Buffer.from('x')), 'text/csv'), (error: S3Failed) => error.status === 403)
    server.isDown = true
    await assert.rejects(store.get('x'), (error: S3Failed) => error instanceof S3Failed && error.status === 503)
    server.isDown = false
    const nowhere = new S3({ endpoint: 'http://127.0.0.1:9', bucket: 'exports', ...S3_CREDENTIALS })
    await assert.rejects(nowhere.get('x'), (error: S3Failed) => error instanceof S3Failed && error.status === null)
    await Promise.all([wrong.close(), nowhere.close()])
  })
})
