import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { SecretBox } from './secret-box.ts'

const box = new SecretBox(randomBytes(32))

test('encrypted text can be decrypted, differs each time, and does not contain the plain text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), text => {
      const sealed = box.seal('test', text)
      assert.equal(box.open('test', sealed), text)
      assert.notDeepEqual(box.seal('test', text), sealed)
      if (text.length > 3) assert.ok(!sealed.includes(Buffer.from(text)))
    }),
  )
})

test('it cannot be decrypted for another purpose, with another key, or after one bit changed', () => {
  const sealed = box.seal('one', 'secret')
  assert.throws(() => box.open('two', sealed))
  assert.throws(() => new SecretBox(randomBytes(32)).open('one', sealed))
  for (let bit = 0; bit < sealed.length * 8; bit += 7) {
    const altered = Buffer.from(sealed)
    altered[bit >> 3]! ^= 1 << (bit & 7)
    assert.throws(() => box.open('one', altered), `bit ${bit}`)
  }
  for (const length of [0, 5, 27]) assert.throws(() => box.open('one', sealed.subarray(0, length)))
})

test('a signed token returns its payload only with the same binding', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), fc.string(), (payload, binding, other) => {
      const token = box.signedToken('cursor', `x${payload}`, binding)
      assert.equal(box.openSignedToken('cursor', token, binding), `x${payload}`)
      assert.match(token, /^[\w-]+\.[\w-]+$/)
      if (other !== binding) assert.equal(box.openSignedToken('cursor', token, other), null)
      assert.equal(box.openSignedToken('link', token, binding), null)
    }),
  )
})

test('an invalid token is null, not an error', () => {
  for (const text of ['', '.', 'a.', '.a', 'a.b', 'a.b.c', '\u0000.\u0000', 'x'.repeat(10_000)])
    assert.equal(box.openSignedToken('cursor', text), null, text)
})

test('a key must have 32 bytes', () => {
  for (const length of [0, 16, 31, 33]) assert.throws(() => new SecretBox(randomBytes(length)))
})

test('a token is valid in one spelling only: the last letter of base64 has unused bits', () => {
  const token = box.signedToken('cursor', 'payload')
  assert.equal(box.openSignedToken('cursor', token), 'payload')
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  for (const letter of alphabet) {
    const other = token.slice(0, -1) + letter
    if (other !== token) assert.equal(box.openSignedToken('cursor', other), null)
  }
  assert.equal(box.openSignedToken('cursor', `${token}=`), null)
})

test('a value bound to one row cannot be decrypted for another, or without its row', () => {
  const sealed = box.seal('provider', 'password', 'providers/1/credentials')
  assert.equal(box.open('provider', sealed, 'providers/1/credentials'), 'password')
  for (const other of ['providers/2/credentials', 'providers/1', '']) assert.throws(() => box.open('provider', sealed, other), other)
})
