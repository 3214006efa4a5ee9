import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { Type } from '../lib/type.ts'
import { BulkBody } from './body.ts'
import { boundsOf } from './body-bounds.ts'
import { BodyReader } from './body-reader.ts'

const schema = Type.Object({ leads: Type.Array(Type.String(), { maxItems: 5000 }) })
const spec = { name: 'test', schema, bounds: boundsOf(schema), bulk: 'leads' }
const leads = Array.from({ length: 3000 }, (_, n) => `${n} ${'ä'.repeat(500)}`)

async function* sent(): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(JSON.stringify({ leads }))
  for (let at = 0; at < bytes.length; at += 65_536) yield Buffer.from(bytes.subarray(at, at + 65_536))
}

describe('the list of a large body', () => {
  const reader = new BodyReader()
  after(() => reader.close())

  const read = async (): Promise<BulkBody & { chunks: AsyncIterable<readonly Uint8Array[]> }> => {
    const body = await reader.read(sent(), spec)
    assert.ok(body instanceof BulkBody && body.chunks !== null)
    return body as BulkBody & { chunks: AsyncIterable<readonly Uint8Array[]> }
  }

  it('comes in order, a few chunks at a time, and this thread keeps none of those before', async () => {
    const { chunks, count } = await read()
    const seen: Uint8Array[] = []
    const items: string[] = []
    for await (const group of chunks) {
      assert.ok(seen.every(chunk => chunk.length === 0))
      seen.push(...group)
      for (const chunk of group) items.push(...(JSON.parse(Buffer.from(chunk).toString()) as string[]))
    }
    assert.deepEqual(items, leads)
    assert.equal(count, leads.length)
    assert.ok(seen.length > 8)
  })

  it('fails when it was forgotten on the way, so that nobody takes a part of it for all of it', async () => {
    const { chunks, forget } = await read()
    await assert.rejects(
      async () => {
        for await (const _ of chunks) forget()
      },
      { code: 'service_unavailable' },
    )
  })

  it('is handed over before other bodies are read, so that its transaction does not wait for them', async () => {
    const { chunks } = await read()
    let other: Promise<unknown> | undefined
    let isOtherRead = false
    for await (const _ of chunks) {
      other ??= read().then(body => {
        isOtherRead = true
        body.forget()
      })
      assert.ok(!isOtherRead)
    }
    await other
  })

  it('of one body does not end with that of another', async () => {
    const [one, other] = await Promise.all([read(), read()])
    one.forget()
    let count = 0
    for await (const group of other.chunks) for (const chunk of group) count += JSON.parse(Buffer.from(chunk).toString()).length
    assert.equal(count, leads.length)
  })
})
