import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { editDistance, foldText, foldTokens, nearestWord } from './text.ts'

test('texts are compared without accents, case, punctuation and special letters', () => {
  assert.equal(foldText('Straße, Łódź & København — Æther'), 'strasse lodz kobenhavn aether')
  assert.deepEqual(foldTokens('  R&D / IT-Leiter '), ['r', 'd', 'it', 'leiter'])
})

test('folding a folded text changes nothing', () => {
  for (const text of ['Ǿ', 'İzmir', 'ǼǢ', 'ﬁnance', 'ẞ']) assert.equal(foldText(foldText(text)), foldText(text))
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), text => foldText(foldText(text)) === foldText(text)),
    { numRuns: 2000 },
  )
})

test('a swap of neighboring letters counts as one error, and the search stops at its limit', () => {
  assert.equal(editDistance('germany', 'gemrany', 2), 1)
  assert.equal(editDistance('kitten', 'sitting', 2), 3)
  assert.equal(nearestWord('jobTitel', ['jobTitles', 'locations']), 'jobTitles')
  assert.equal(nearestWord('zzzz', ['jobTitles', 'locations']), undefined)
})
