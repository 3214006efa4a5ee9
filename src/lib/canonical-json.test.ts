import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { canonicalJson } from './canonical-json.ts'

const shuffled = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shuffled)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, member]) => [key, shuffled(member)] as const)
      .reverse(),
  )
}

test('the order of keys and the white space of the source make no difference', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), value => {
      const text = JSON.stringify(value)
      assert.equal(canonicalJson(shuffled(JSON.parse(text))), canonicalJson(JSON.parse(JSON.stringify(JSON.parse(text), null, 3))))
    }),
  )
})

test('it is equivalent JSON', () => {
  fc.assert(fc.property(fc.jsonValue(), value => assert.deepEqual(JSON.parse(canonicalJson(value)), JSON.parse(JSON.stringify(value)))))
})

test('different values have different forms, including their type', () => {
  const forms = [1, '1', true, 'true', null, 'null', [], {}, [1], { 0: 1 }, '', [[]], [{}], { a: null }, { a: [] }].map(canonicalJson)
  assert.equal(new Set(forms).size, forms.length)
})

test('keys are ordered by UTF-16 code units and numbers are written as in RFC 8785', () => {
  assert.equal(
    canonicalJson({ '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\ud83d\ude00': 5, '\u0080': 6, '\u00f6': 7 }),
    '{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\ud83d\ude00":5,"\ufb33":3}',
  )
  assert.equal(canonicalJson([JSON.parse('333333333.33333329'), 1e30, 4.5, 2e-3, 1e-27, -0]), '[333333333.3333333,1e+30,4.5,0.002,1e-27,0]')
})

test('undefined members are omitted, as in JSON.stringify', () => {
  assert.equal(canonicalJson({ a: undefined, b: 1 }), '{"b":1}')
})
