import assert from 'node:assert/strict'
import { test } from 'node:test'
import { foldTokens } from './text.ts'
import { expandTitle, titleMatcher } from './titles.ts'
import type { TitleMatch } from './vocabulary.ts'

const matchesTitle = (title: string, values: string[], mode?: TitleMatch): boolean => titleMatcher(values, mode)(foldTokens(title))

test('similar titles match across abbreviations, word order and languages', () => {
  assert.equal(matchesTitle('Vice President of Engineering', ['vp engineering']), true)
  assert.equal(matchesTitle('VP, Eng', ['vp engineering']), true)
  assert.equal(matchesTitle('Chief Financial Officer (CFO)', ['cfo']), true)
  assert.equal(matchesTitle('Geschäftsführerin', ['managing director']), true)
  assert.equal(matchesTitle('Marketing Lead', ['head of marketing']), true)
  assert.equal(matchesTitle('Leiter Einkauf', ['head of procurement']), true)
  assert.equal(matchesTitle('Human Resources Manager', ['hr manager']), true)
})

test('`words` requires every word as a whole word, without synonyms', () => {
  assert.equal(matchesTitle('Senior Sales Managers EMEA', ['sales manager'], 'words'), true)
  assert.equal(matchesTitle('Head of Marketing', ['marketing head'], 'words'), true)
  assert.equal(matchesTitle('Vice President Engineering', ['vp engineering'], 'words'), false)
  assert.equal(matchesTitle('Salesforce Manager', ['sales manager'], 'words'), false)
})

test('`exact` requires the same words in the same order', () => {
  assert.equal(matchesTitle('Sales Manager', ['sales manager'], 'exact'), true)
  assert.equal(matchesTitle('Senior Sales Manager', ['sales manager'], 'exact'), false)
  assert.equal(matchesTitle('Manager Sales', ['sales manager'], 'exact'), false)
})

test('synonyms never cross levels: director is not vice president, manager is not director', () => {
  assert.equal(matchesTitle('VP Sales', ['sales director']), false)
  assert.equal(matchesTitle('Marketing Director', ['marketing manager']), false)
  assert.equal(matchesTitle('CEO', ['founder']), false)
})

test('the forms of a title are few enough to compile', () => {
  assert.ok(expandTitle('senior vp sales operations business development hr it').length <= 64)
})
