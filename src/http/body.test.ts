import assert from 'node:assert/strict'
import { it } from 'node:test'
import { cutIntoChunks, digestOf, digestOfBulk } from './body.ts'

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
