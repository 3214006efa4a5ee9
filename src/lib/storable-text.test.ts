import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { storableData, storableText } from './storable-text.ts'

test('a text loses its NULs, and lone surrogates become replacement characters', () => {
  assert.equal(storableText('a\0b\ud83dc\udc4dd'), 'ab\ufffdc\ufffdd')
  assert.equal(storableText('fine 👍'), 'fine 👍')
})

test('a text is never cut through a character', () => {
  assert.equal(storableText('a👍b', 2), 'a')
  assert.equal(storableText('a👍b', 3), 'a👍')
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat({ max: 20 }), (text, max) => {
      const stored = storableText(text, max)
      assert.ok(stored.length <= max && stored.isWellFormed() && !stored.includes('\0'))
    }),
  )
})

test('plain data becomes storable at any depth, and other values stay unchanged', () => {
  const at = new Date(5)
  const data = { 'k\0': ['\0a', 1, null, { b: '\ud800' }], map: new Map([['x\0', '\0y']]), at, no: undefined }
  assert.deepEqual(storableData(data), { k: ['a', 1, null, { b: '\ufffd' }], map: new Map([['x', 'y']]), at, no: undefined } as unknown)
})
