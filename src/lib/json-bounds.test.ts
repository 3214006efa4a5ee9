import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import fc from 'fast-check'
import { findHostileValue, findRepeatedKey, inspectJson, measureJson } from './json-bounds.ts'

const BOUNDS = { maxMembers: 3, maxValues: 10 }
const judge = (text: string) => {
  const measured = measureJson(Buffer.from(text), BOUNDS)
  return typeof measured === 'number' ? null : measured
}

describe('the bounds of a JSON document', () => {
  it('accept documents within them', () => {
    for (const text of ['{}', '[]', 'null', '"a,b,c,d,e"', '{"a":[1,2,3],"b":{"c":1},"d":"\\",\\",\\",\\","}', '', '[[[]]]', ']]]]']) {
      assert.equal(judge(text), null, text)
    }
  })

  it('name the array or object with too many members', () => {
    assert.deepEqual(judge('{"a":{"b":[1,2,3,4]}}'), { path: '/a/b', rule: 'maxItems', message: 'must have at most 3 items' })
    assert.deepEqual(judge('[0,{"k":{"a":1,"b":1,"a":1,"a":1}}]')?.path, '/1/k')
    assert.equal(judge('[0,{"k":{"a":1,"b":1,"a":1,"a":1}}]')?.rule, 'maxProperties')
  })

  it('count all values together', () => {
    assert.equal(judge('[[1,2,3],[1,2,3],[1,2,3]]')?.rule, 'maxValues')
  })

  it('stop at excessive nesting, whether it is closed or not', () => {
    assert.equal(judge('['.repeat(33))?.rule, 'depth')
    assert.equal(judge('['.repeat(32) + ']'.repeat(32)), null)
    assert.equal(judge('{"a":'.repeat(1_000_000))?.rule, 'depth')
  })

  it('do not mistake strings for structure', () => {
    assert.equal(judge('["\\\\",",,,,,,[[[{{{","\\"[,,,,,"]'), null)
    for (let length = 0; length < 200; length++) {
      for (const end of ['', '\\\\', '\\"', '\\\\\\"', '\\"\\"', '\\\\\\\\']) {
        const text = ','.repeat(length) + end
        assert.equal(judge(`["${text}","${text}${text}"]`), null)
        assert.equal(judge(`["${text}",{"${text}":[1,2,3,4]}]`)?.rule, 'maxItems')
        assert.equal(judge(`["${text}",[1,2,3,4`)?.rule, 'maxItems')
        assert.equal(judge(`["${text}`), null)
      }
    }
  })
})

const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth))

test('ordinary JSON passes, whatever it contains', () => {
  const text = fc.string({ unit: 'grapheme-composite' }).map(each => each.replaceAll('\u0000', ''))
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6, stringUnit: 'grapheme' }), text, (value, each) => {
      if (JSON.stringify(value).includes('\\u0000')) return
      assert.equal(findHostileValue({ value, text: each }), null)
    }),
  )
})

test('NUL and lone surrogates are found in values and keys, with their place', () => {
  assert.deepEqual(findHostileValue({ a: { b: ['x', 'y\u0000'] } }), { path: '/a/b/1', message: 'contains a NUL character' })
  for (const half of ['\ud83d', '\ude00', 'a\ud83db', '\ude00\ud83d', '\ud83d\ud83d\ude00']) {
    assert.match(findHostileValue({ a: half })!.message, /surrogate/, JSON.stringify(half))
    assert.match(findHostileValue({ [half]: 1 })!.message, /key/)
  }
  assert.match(findHostileValue({ 'a\u0000': 1 })!.message, /key.*NUL/)
  assert.equal(findHostileValue('\ud83d\ude00'), null)
})

test('32 levels pass, 33 do not, and a hundred thousand use no stack', () => {
  assert.equal(findHostileValue(nested(32)), null)
  assert.match(findHostileValue(nested(33))!.message, /deeper than 32/)
  assert.match(findHostileValue(JSON.parse(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`))!.message, /deeper/)
})

test('values other than objects and strings pass', () => {
  for (const value of [null, 1, true, '', [], {}]) assert.equal(findHostileValue(value), null)
})

const WIDE_BOUNDS = { maxMembers: 1000, maxValues: 10_000 }
const repeatedIn = (text: string) => findRepeatedKey(Buffer.from(text))?.path ?? null
const written = (text: string) => measureJson(Buffer.from(text), WIDE_BOUNDS)
const kept = (text: string) => inspectJson(JSON.parse(text))

test('a repeated key is found with its path, however it is written', () => {
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

test('JSON without repeated keys has as many keys in its text as in its value', () => {
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
