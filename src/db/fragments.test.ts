import assert from 'node:assert/strict'
import { it } from 'node:test'
import { among } from './fragments.ts'

it('SQL fragments contain only known words', () => {
  assert.equal(among(['not_yet_contacted', 'contacted']), `in ('not_yet_contacted', 'contacted')`)
  assert.throws(() => among([`x'; drop table leads; --`]))
})
