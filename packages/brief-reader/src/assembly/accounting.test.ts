import assert from 'node:assert/strict'
import { test } from 'node:test'
import { foldText } from '../../../lead-terms/src/index.ts'
import { corpusLines, isRead } from '../../corpus/corpus.ts'
import { readBrief } from '../read-brief.ts'
import { lostWords } from '../testing/lost-words.ts'

test('no mix of words loses a content word', () => {
  const words = corpusLines('mixed-words.txt').map(word => (word === '\\n' ? '\n' : word))
  let seed = 7
  const next = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * below)
  }
  for (let round = 0; round < 400; round++) {
    const brief = Array.from({ length: 4 + next(20) }, () => words[next(words.length)]).join(' ')
    if (isRead(round, 8)) assert.deepEqual(lostWords(brief, readBrief(brief, { year: 2026 })), [], brief)
  }
})

/** The places of a word next to values that are read; "%" is the word. */
const BESIDE_VALUES = corpusLines('beside-values.txt')

/** Whether a word is in a value that survives, or is reported; to be quoted for a value that lacks it is not enough. */
function isTold(brief: string, word: string): boolean {
  const { explanations, unmatched } = readBrief(brief, { year: 2026 })
  const folded = foldText(word)
  const values = explanations.map(({ value }) => foldText(typeof value === 'object' ? JSON.stringify(value) : String(value)))
  // A value has the singular of a word.
  return foldText(unmatched.join(' ')).split(' ').includes(folded) || values.some(value => value.includes(folded.slice(0, -2)))
}

test('an unknown noun or adjective is in a value or reported, even next to known ones', () => {
  const words =
    'blorfic quemstal zorvane Trelko kwindle ploffen drasker vumbled snorvy glimpen yorked brantish Fexly morvisch gruntée'.split(' ')
  const lost = words.flatMap((word, turn) =>
    BESIDE_VALUES.filter((_, row) => isRead(row + turn, 5))
      .map(beside => beside.replace('%', word))
      .filter(brief => !isTold(brief, word)),
  )
  assert.deepEqual(lost, [])
})

test('a noun for companies that qualifies another noun is not treated as a function word', () => {
  const words = 'space house network platform chain store studio'.split(' ')
  const before = [
    'CTOs at % banks in Spain',
    'small % firms in Spain, CTOs',
    'owners of %s in Spain',
    'small %s in Spain, owners',
    'CTOs at companies that have %s in Spain',
  ]
  const lost = words.flatMap(word => {
    const said = (beside: string) => (beside.includes('%s') ? `${word}s` : word)
    return before.filter(beside => !isTold(beside.replace(/%s?/, said(beside)), said(beside)))
  })
  assert.deepEqual(lost, [])
})

test('an unread refusal is reported with its noun', () => {
  assert.deepEqual(readBrief('CTOs in Berlin, no one-man businesses').unmatched, ['no one-man businesses'])
})

test('a brief that is not understood is reported word by word', () => {
  assert.deepEqual(readBrief('please send the quarterly zorbing invoice').unmatched, ['quarterly zorbing invoice'])
})

test('a refusal without an effect is reported, even if the sender speaks of himself', () => {
  for (const clause of [
    'Larkwood should be left out since we are already integrated with them',
    'we would rather that Larkwood were excluded from what we do',
    'unsere Leute wollen Larkwood nicht anschreiben',
  ]) {
    const { filters, unmatched } = readBrief(`Treasury managers at banks in Ghana. ${clause}.`)
    const isRefused = filters.companies?.exclude?.some(name => /larkwood/i.test(String(name))) ?? false
    assert.ok(isRefused || unmatched.some(said => said.includes('Larkwood')), clause)
  }
})

test('what is canceled is context, not a filter', () => {
  const { filters, context } = readBrief('CEOs in Norway, no wait, Finland')
  assert.deepEqual(filters.locations, { include: [{ country: 'FI' }] })
  assert.deepEqual(context, ['Norway'])
})

test('unread stretches beyond the limit are counted', () => {
  const { unmatched } = readBrief(
    `CTOs in Spain. ${Array.from({ length: 300 }, (_, index) => `zq${'x'.repeat(index % 40)}v${index}`).join('. ')}`,
  )
  assert.equal(unmatched.length, 101)
  assert.match(unmatched.at(-1)!, /^… and \d+ more$/)
})

test('text after the maximum length of a brief is reported', () => {
  const { filters, unmatched } = readBrief(`CTOs in Spain. ${'R-'.repeat(3800)} no banks`)
  assert.deepEqual(filters.jobTitles, { include: ['cto'] })
  assert.match(unmatched.at(-1)!, /^-R.* …$/)
})
