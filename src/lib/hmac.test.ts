import assert from 'node:assert/strict'
import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { it } from 'node:test'
import fc from 'fast-check'
import { Hmac } from './hmac.ts'
import { SecretBox } from './secret-box.ts'

it('a signature of the secret box is the HMAC-SHA-256 that everybody else computes', () => {
  const master = randomBytes(32)
  const box = new SecretBox(master)
  const key = Buffer.from(hkdfSync('sha256', master, Buffer.alloc(0), 'sign:a purpose', 32))
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), message => {
      assert.deepEqual(box.sign('a purpose', message), createHmac('sha256', key).update(message).digest())
    }),
  )
})

it('a key of any length gives the HMAC-SHA-256 that everybody else computes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.string({ maxLength: 600, size: 'max' }), (key, message) => {
      const [ours, theirs] = [new Hmac(Buffer.from(key)).digest(message), createHmac('sha256', key).update(message).digest()]
      assert.deepEqual(ours, theirs)
      assert.equal(new Hmac(Buffer.from(key)).base64(message), theirs.toString('base64'))
    }),
  )
})
