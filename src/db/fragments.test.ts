import assert from 'node:assert/strict'
import { it } from 'node:test'
import { among } from './fragments.ts'

it('a set of words for a statement is made of our own words only', () => {
  assert.equal(among(['not_yet_contacted', 'contacted']), `in ('not_yet_contacted', 'contacted')`)
  assert.throws(() => among([`x'; drop table leads; --`]))
})
