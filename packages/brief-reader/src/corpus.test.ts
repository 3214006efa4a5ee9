import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { before, describe, it } from 'node:test'
import { foldText, parseFilters } from '../../lead-terms/src/index.ts'
import { type AnnotatedBrief, scoreBriefs } from '../bench/scoring.ts'
import { annotatedBriefs, isFull, readBriefs } from '../corpus/corpus.ts'
import { type BriefReading, readBrief } from './read-brief.ts'
import { lostWords } from './testing/lost-words.ts'
import { cleanBrief } from './text/clean.ts'

describe('the annotated briefs', () => {
  let readings: readonly { item: AnnotatedBrief; reading: BriefReading }[] = []

  before(() => {
    assert.ok(annotatedBriefs().length >= 2553)
    readings = readBriefs(15).map(item => ({ item, reading: readBrief(item.brief) }))
  })

  it('are read with a micro-F1 of at least 0.98, and no value has the opposite sign', () => {
    const byText = new Map(readings.map(({ item, reading }) => [item.brief, reading]))
    const score = scoreBriefs(
      readings.map(({ item }) => item),
      brief => byText.get(brief)!,
    )
    assert.deepEqual(score.inverted, [])
    assert.ok(score.f1 >= 0.98, `F1 ${score.f1}: ${JSON.stringify(score.errors.slice(0, 5))}`)
  })

  it('are read as before, byte for byte', () => {
    const digest = createHash('sha256').update(JSON.stringify(readings.map(({ reading }) => reading)))
    assert.equal(digest.digest('hex').slice(0, 16), isFull ? '314765f329c03fa0' : '06060d4dd543d9e0')
  })

  it('quote words of the brief for every value', () => {
    for (const { item, reading } of readings) {
      if (/[<>]/.test(item.brief)) continue
      // As it is read: "w/" stands for "with".
      const folded = foldText(cleanBrief(item.brief))
      for (const { text, field } of reading.explanations)
        assert.ok(text !== '' && folded.includes(foldText(text)), `${field} "${text}" in ${item.brief}`)
    }
  })

  it('become documents that the filter reader accepts unchanged', () => {
    for (const { item, reading } of readings) {
      const parsed = parseFilters(reading.filters)
      assert.ok(parsed.ok, `${item.brief}: ${JSON.stringify(parsed)}`)
      assert.deepEqual(parsed.filters, reading.filters, item.brief)
    }
  })

  it('lose no content word: each is in a filter, in the context, or in what was not understood', () => {
    const lost = readings.flatMap(({ item, reading }) => lostWords(item.brief, reading).map(word => `${word}: ${item.brief.slice(0, 80)}`))
    assert.deepEqual(lost, [])
  })
})
