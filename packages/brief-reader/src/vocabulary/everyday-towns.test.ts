import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readBrief } from '../read-brief.ts'

const WORDS = 'change hope buy manage date price page deal best post come welcome holiday progress republic march may august'.split(' ')
const capital = (word: string): string => word[0]!.toUpperCase() + word.slice(1)
const FRAMES: ((word: string) => string)[] = [
  word => `${capital(word)}: CFOs at banks in Spain`,
  word => `CFOs at banks in Spain. ${capital(word)}, thanks`,
  word => `CFOs at banks in Spain. ${capital(word)}: drop insurers`,
  word => `CFOs at banks in Spain\n${capital(word)} is what we need`,
  word => `CFOs at banks in Spain who ${word} things`,
  word => `CFOs at banks in Spain, ${word} ones`,
]
const placesOf = (brief: string): unknown[] => readBrief(brief).filters.locations?.include ?? []

describe('an everyday word that is also a small town', () => {
  for (const word of WORDS)
    it(`is not a place if none is expected: ${word}`, () => {
      for (const frame of FRAMES) assert.deepEqual(placesOf(frame(word)), [{ country: 'ES' }], frame(word))
    })

  it('is a place after a preposition, before its country or state, in a list of places, and as an item of its own', () => {
    const places: Record<string, unknown[]> = {
      'CFOs in Bend': [{ country: 'US', region: 'US-OR', city: 'Bend' }],
      'hotels around Holiday, Florida': [{ country: 'US', region: 'US-FL', city: 'Holiday' }],
      'recruiters in March, Cambridgeshire': [{ country: 'GB', city: 'March' }],
      'plumbers in Flint and Lansing, Michigan': ['Flint', 'Lansing'].map(city => ({ country: 'US', region: 'US-MI', city })),
      'accountants: Reading, Bath': ['Reading', 'Bath'].map(city => ({ country: 'GB', city })),
      'engineers, Flint': [{ country: 'US', region: 'US-MI', city: 'Flint' }],
    }
    for (const [brief, expected] of Object.entries(places)) assert.deepEqual(placesOf(brief), expected, brief)
  })

  it('is a month after "in"', () => {
    for (const brief of ['CFOs at banks in Spain, for a dinner in March', 'CFOs at banks in Spain before the fair in May'])
      assert.deepEqual(placesOf(brief), [{ country: 'ES' }], brief)
  })
})
