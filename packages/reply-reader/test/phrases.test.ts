import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conceptsOf } from '../src/concepts.ts'
import type { Phrase, Sections } from '../src/phrase-files.ts'
import { PhraseSet } from '../src/phrases.ts'

const phrase = (text: string): Phrase => ({ language: 'en', text })
const sections: Sections = new Map([['us', [phrase('me'), phrase('our team')]]])
const ideaOf = (...texts: string[]) => new PhraseSet(texts.map(phrase), sections)

test('a phrase is found by any word that it can begin with: a class, a stem, an optional word, or any word', () => {
  const found = (text: string, ...phrases: string[]) => ideaOf(...phrases).find(text, 0)?.text
  assert.equal(found('please write to our team today ', '<us> today'), 'our team today ')
  assert.equal(found('we are unsubscribing now ', 'unsubscrib* now'), 'unsubscribing now ')
  assert.equal(found('so stop it ', '(please) stop'), 'stop ')
  assert.equal(found('so please stop it ', '(please) stop'), 'please stop ')
  assert.equal(found('now take me off ', '.. me off'), 'now take me off ')
  assert.equal(found('a comma , stop here ', '^ stop'), 'stop ')
  assert.equal(found('nonstop ', 'stop'), undefined)
  assert.equal(found('do stop it ', '^ stop'), undefined)
})

test('of two phrases at one position, the first in the file counts, and matches do not overlap', () => {
  assert.equal(ideaOf('take me', 'take me off').replace('take me off and take me ', '- '), '- off and - ')
  assert.equal(ideaOf('take me off', 'take me').replace('take me off and take me ', '- '), '- and - ')
  assert.deepEqual(
    [...ideaOf('no', 'no no').all('no no no ')].map(({ index }) => index),
    [0, 3, 6],
  )
  assert.equal(ideaOf('no').startsWith('no thanks '), true)
  assert.equal(ideaOf('thanks').startsWith('no thanks '), false)
})

test('words of several languages share their concepts, whole or by their stem', () => {
  for (const word of ['delete', 'loschen', 'supprimez', 'borren']) assert.ok(conceptsOf(word).includes('remove'), word)
  assert.deepEqual(conceptsOf('xylophone'), [])
})
