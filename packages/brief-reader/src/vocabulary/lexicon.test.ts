import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { functionPhrases, INDUSTRIES, industryPhrases, TECHNOLOGIES } from '../../../lead-terms/src/index.ts'
import { tokenize } from '../text/tokens.ts'
import { readEntries } from './word-files.ts'

const asRead = (phrase: string): string =>
  tokenize(phrase)
    .map(token => (token.kind === 'word' ? token.word : token.text))
    .join(' ')

describe('The word files of the vocabulary', () => {
  it('contain each phrase in normalized spelling, because it is compared letter by letter', () => {
    const files = [
      'levels.txt',
      'title-openings.txt',
      'titles.txt',
      'titles-more.txt',
      'levels-more.txt',
      'title-openings-more.txt',
      'sizes-more.txt',
      'sizes.txt',
      'stages.txt',
      'keywords.txt',
      'technologies.txt',
    ]
    const entries = [
      ...files.flatMap(readEntries),
      ...industryPhrases(),
      ...functionPhrases().map(([title, , phrases]) => [title, phrases] as const),
    ]
    const phrases = entries.flatMap(([, each]) => each.map(phrase => phrase.replace(/\?$/, '')))
    assert.deepEqual(
      phrases.filter(phrase => !/^[a-z0-9 ]+$/.test(phrase) || asRead(phrase) !== phrase),
      [],
    )
  })

  it('name industries and technologies that filters know', () => {
    assert.deepEqual(
      industryPhrases().filter(([slug]) => !INDUSTRIES.has(slug)),
      [],
    )
    assert.deepEqual(
      readEntries('technologies.txt').filter(([technology]) => !TECHNOLOGIES.has(technology)),
      [],
    )
  })
})
