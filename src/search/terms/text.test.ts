import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { containsTokenRun, keywordMatcher } from '../../../test/search/match-lead.ts'
import { editDistance, foldText, foldTokens, nearestWord } from './text.ts'

test('accents, case, punctuation and special letters do not count when texts are compared', () => {
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

test('a keyword matches as a whole run of words, plural aside, and never inside a word', () => {
  const matches = keywordMatcher('fast foods')
  assert.equal(matches([foldTokens('Berlin Fast-Food Company')]), true)
  assert.equal(matches([foldTokens('fast delivery of food')]), false)
  assert.equal(containsTokenRun(foldTokens('breakfast food'), foldTokens('fast food')), false)
})

test('a swap of neighbouring letters counts as one slip, and the search stops at its limit', () => {
  assert.equal(editDistance('germany', 'gemrany', 2), 1)
  assert.equal(editDistance('kitten', 'sitting', 2), 3)
  assert.equal(nearestWord('jobTitel', ['jobTitles', 'locations']), 'jobTitles')
  assert.equal(nearestWord('zzzz', ['jobTitles', 'locations']), undefined)
})
