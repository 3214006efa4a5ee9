import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findHostileValue } from './hostile-json.ts'

const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth))

test('ordinary JSON is harmless, whatever is in it', () => {
  const text = fc.string({ unit: 'grapheme-composite' }).map(each => each.replaceAll('\u0000', ''))
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6, stringUnit: 'grapheme' }), text, (value, each) => {
      if (JSON.stringify(value).includes('\\u0000')) return
      assert.equal(findHostileValue({ value, text: each }), null)
    }),
  )
})

test('NUL and halves of surrogate pairs are found in values and in keys, and the place is named', () => {
  assert.deepEqual(findHostileValue({ a: { b: ['x', 'y\u0000'] } }), { path: '/a/b/1', message: 'contains a NUL character' })
  for (const half of ['\ud83d', '\ude00', 'a\ud83db', '\ude00\ud83d', '\ud83d\ud83d\ude00']) {
    assert.match(findHostileValue({ a: half })!.message, /surrogate/, JSON.stringify(half))
    assert.match(findHostileValue({ [half]: 1 })!.message, /key/)
  }
  assert.match(findHostileValue({ 'a\u0000': 1 })!.message, /key.*NUL/)
  assert.equal(findHostileValue('\ud83d\ude00'), null)
})

test('32 levels are fine, 33 are not, and a hundred thousand cost no stack', () => {
  assert.equal(findHostileValue(nested(32)), null)
  assert.match(findHostileValue(nested(33))!.message, /deeper than 32/)
  assert.match(findHostileValue(JSON.parse(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`))!.message, /deeper/)
})

test('what is no object or text is harmless', () => {
  for (const value of [null, 1, true, '', [], {}]) assert.equal(findHostileValue(value), null)
})
