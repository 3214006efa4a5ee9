import assert from 'node:assert/strict'
import { test } from 'node:test'
import { foldTokens } from '#lead-terms'
import { containsTokenRun, keywordMatcher } from './match-lead.ts'

test('a keyword matches whole words, including plurals, and never inside a word', () => {
  const matches = keywordMatcher('fast foods')
  assert.equal(matches([foldTokens('Berlin Fast-Food Company')]), true)
  assert.equal(matches([foldTokens('fast delivery of food')]), false)
  assert.equal(containsTokenRun(foldTokens('breakfast food'), foldTokens('fast food')), false)
})
