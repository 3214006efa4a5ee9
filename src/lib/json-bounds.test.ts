import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { measureJson } from './json-bounds.ts'

const BOUNDS = { maxMembers: 3, maxValues: 10 }
const judge = (text: string) => {
  const measured = measureJson(Buffer.from(text), BOUNDS)
  return typeof measured === 'number' ? null : measured
}

describe('the bounds of a JSON document', () => {
  it('lets through what is within them', () => {
    for (const text of ['{}', '[]', 'null', '"a,b,c,d,e"', '{"a":[1,2,3],"b":{"c":1},"d":"\\",\\",\\",\\","}', '', '[[[]]]', ']]]]']) {
      assert.equal(judge(text), null, text)
    }
  })

  it('name the array or the object that has too many members', () => {
    assert.deepEqual(judge('{"a":{"b":[1,2,3,4]}}'), { path: '/a/b', rule: 'maxItems', message: 'must have at most 3 items' })
    assert.deepEqual(judge('[0,{"k":{"a":1,"b":1,"a":1,"a":1}}]')?.path, '/1/k')
    assert.equal(judge('[0,{"k":{"a":1,"b":1,"a":1,"a":1}}]')?.rule, 'maxProperties')
  })

  it('count all values together', () => {
    assert.equal(judge('[[1,2,3],[1,2,3],[1,2,3]]')?.rule, 'maxValues')
  })

  it('end at bottomless nesting, whether it is closed or not', () => {
    assert.equal(judge('['.repeat(33))?.rule, 'depth')
    assert.equal(judge('['.repeat(32) + ']'.repeat(32)), null)
    assert.equal(judge('{"a":'.repeat(1_000_000))?.rule, 'depth')
  })

  it('do not mistake the text of a string for structure', () => {
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
