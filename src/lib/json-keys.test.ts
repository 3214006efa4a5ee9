import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { inspectJson } from './hostile-json.ts'
import { findRepeatedKey, measureJson } from './json-bounds.ts'

const BOUNDS = { maxMembers: 1000, maxValues: 10_000 }
const repeatedIn = (text: string) => findRepeatedKey(Buffer.from(text))?.path ?? null
const written = (text: string) => measureJson(Buffer.from(text), BOUNDS)
const kept = (text: string) => inspectJson(JSON.parse(text))

test('a key that an object has twice is found at its path, however it is written', () => {
  for (const [text, path] of [
    ['{"a":1,"a":1}', '/a'],
    ['{"a":1,"\\u0061":2}', '/a'],
    ['{"":1,"":2}', '/'],
    ['{"__proto__":1,"__proto__":2}', '/__proto__'],
    ['{"leads":[{"a":1},{"b":":","c":[1,2],"b":2}]}', '/leads/1/b'],
    ['{"a\\u0062":{"x":1,"x":2}}', '/ab/x'],
    ['[0,[[],{"x":{"k":{},"k":{}}}]]', '/1/1/x/k'],
    ['{ "a\\"" : "a" , "a\\\\" : [ "," , "{" ] , "a\\"" : 1 }', '/a"'],
  ] as const) {
    assert.equal(repeatedIn(text), path, text)
    assert.ok(Number(written(text)) > Number(kept(text)), text)
  }
})

test('JSON without a repeated key has as many keys in its text as in its value, whatever is in it', () => {
  assert.equal(repeatedIn('{"\ufeffa":1,"a":2}'), null)
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6, stringUnit: 'grapheme' }), value => {
      const text = JSON.stringify(value)
      assert.equal(repeatedIn(text), null)
      if (!text.includes('\\u0000')) assert.equal(written(text), kept(text))
    }),
  )
})

test('a repeated key changes the number of keys, wherever it is', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.jsonValue({ maxDepth: 2 }), fc.string(), (outer, inner, key) => {
      const name = JSON.stringify(key)
      const twice = `{${name}:${JSON.stringify(inner)},${name}:1}`
      const text = JSON.stringify([outer, { place: null }]).replace(/null\}\]$/, () => `${twice}}]`)
      assert.equal(repeatedIn(text), `/1/place/${key}`)
      if (!text.includes('\\u0000')) assert.notEqual(written(text), kept(text))
    }),
  )
})
