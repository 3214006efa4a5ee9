import assert from 'node:assert/strict'
import fs from 'node:fs'
import { test } from 'node:test'
import { foldText } from '../../../lead-terms/src/index.ts'
import type { AnnotatedBrief } from '../../bench/scoring.ts'
import { readBrief } from '../read-brief.ts'
import { cleanBrief } from '../text/clean.ts'
import { correctSpelling } from '../text/spelling.ts'
import { tokenize } from '../text/tokens.ts'
import { translateSmallWords } from '../text/translations.ts'
import { readAllWords } from '../vocabulary/word-files.ts'

const briefs = JSON.parse(fs.readFileSync(new URL('../../corpus/briefs.data.json', import.meta.url), 'utf8')) as AnnotatedBrief[]

/** Words that ask for nothing by themselves: the lists of the grammar, and nothing of the vocabulary. */
const grammar = new Set(
  ['small.txt', 'negation.txt', 'labels.txt'].flatMap(file => [...readAllWords(file)]).flatMap(phrase => phrase.split(' ')),
)
// Who speaks, in a text of several turns.
grammar.add('user')

/** The words of a brief that are in no filter, no context, not reported as unmatched, and no words of the grammar. */
function lostWords(brief: string): string[] {
  const { explanations, context, unmatched } = readBrief(brief, { year: 2026 })
  const told = new Set(foldText([...explanations.map(each => each.text), ...context, ...unmatched].join(' ')).split(' '))
  const text = cleanBrief(brief).replace(/\S+@\S+/g, ' ')
  // A slip of a word of the grammar ("wihtout") is one.
  const tokens = tokenize(text)
  const typed = tokens.map(token => token.word)
  correctSpelling(tokens)
  for (const [at, token] of tokens.entries()) if (grammar.has(token.word)) told.add(typed[at]!)
  // So is a small word of another language.
  const glossed = new Set(translateSmallWords(tokenize(text)).map(token => token.word))
  for (const word of typed) if (!glossed.has(word)) told.add(word)
  return [...new Set(foldText(text).split(' '))].filter(word => word.length > 1 && !told.has(word) && !grammar.has(word))
}

test('every content word of the corpus ends in a filter, in the context, or in what was not understood', () => {
  const lost = briefs.flatMap(({ brief }) => lostWords(brief).map(word => `${word}: ${brief.slice(0, 80)}`))
  assert.deepEqual(lost, [])
})

test('no mix of words loses one that is no word of the grammar', () => {
  const words =
    'CTOs, "head of" VPs marketing managers plumbers Zorbit Siemens Berlin Texas dach saas banks agencies quilting 50-200 employees 40 rooms beds €5M revenue no not without except skip out excluded nicht keine ohne sauf pas sin menos except besides we sell our clients are already customers wait actually verified emails never contacted series A bootstrapped using Salesforce on Kubernetes at from in and or but , . ; : ( ) / + - \n ? Target Norwegian chains offices startups small listed family who that are is X: Titles: Exclude: Geo: nur bitte weglassen lassen wir leave keep founded 2019 zq blorf'.split(
      ' ',
    )
  let seed = 7
  const next = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * below)
  }
  for (let round = 0; round < 400; round++) {
    const brief = Array.from({ length: 4 + next(20) }, () => words[next(words.length)]).join(' ')
    assert.deepEqual(lostWords(brief), [], brief)
  }
})

/** Where a word may stand beside values that are read; "%" is the word. */
const BESIDE_VALUES =
  `% farming companies in Spain, CTOs|CTOs at % banks in Spain|CTOs at banks % in Spain|% CTOs at banks in Spain|CTOs % at banks|CTOs at banks in % Spain|CTOs at banks in Spain %|CTOs at banks with % in Spain|CTOs, banks, Spain, %|CTOs, %, banks, Spain|hospitals and % in Spain, CFOs|CFOs of % hospitals and clinics in Spain|owners of % in Spain|% owners in Spain|% marketing managers in Spain|marketing % managers in Spain|marketing managers % in Spain|head of % in Spain|heads of marketing and % in Spain|CTOs using % in Spain|CTOs using Salesforce % in Spain|CTOs in Spain, 50-200 % employees|CTOs in Spain, 50-200 employees %|CTOs in Spain without %|CTOs in Spain, no %|CTOs in Spain, no % banks|CTOs in Spain, no banks %|CTOs in Spain except % banks|CTOs in Spain, verified % emails|CTOs in Spain who are %|CTOs in Spain that have %|series A % startups in Spain, CTOs|% startups in Spain, CTOs|small % firms in Spain, CTOs|Geschäftsführer bei % Banken in Wien|Geschäftsführer von Banken mit % in Wien|% Maschinenbauer in Bayern, Einkaufsleiter|Einkaufsleiter im % Maschinenbau in Bayern|Einkaufsleiter in Bayern, ohne %|Einkaufsleiter in Bayern, keine % Banken|directeurs financiers de banques % à Lyon|directeurs financiers de % à Lyon|DAF à Lyon, sauf les %|DAF à Lyon, entreprises %, 50 salariés|directeurs % de banques à Lyon|directores financieros de bancos % en Madrid|directores de % en Madrid|CFOs en Madrid, sin %|CFOs en Madrid, empresas % de 50 empleados|dueños de restaurantes % en Madrid`.split(
    '|',
  )

/** Whether a word is in a value that survives, or is reported; to be quoted for a value that lacks it is not enough. */
function isTold(brief: string, word: string): boolean {
  const { explanations, unmatched } = readBrief(brief, { year: 2026 })
  const folded = foldText(word)
  const values = explanations.map(({ value }) => foldText(typeof value === 'object' ? JSON.stringify(value) : String(value)))
  // A value has the singular of a word.
  return foldText(unmatched.join(' ')).split(' ').includes(folded) || values.some(value => value.includes(folded.slice(0, -2)))
}

test('a noun or an adjective that nobody knows is in a value or reported, wherever it stands beside known ones', () => {
  const words =
    'blorfic quemstal zorvane Trelko kwindle ploffen drasker vumbled snorvy glimpen yorked brantish Fexly morvisch gruntée'.split(' ')
  const lost = words.flatMap(word => BESIDE_VALUES.map(beside => beside.replace('%', word)).filter(brief => !isTold(brief, word)))
  assert.deepEqual(lost, [])
})

test('a noun for companies that says of what kind another one is does not pass for a small word', () => {
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

test('a refusal that could not be read is reported with its noun', () => {
  assert.deepEqual(readBrief('CTOs in Berlin, no one-man businesses').unmatched, ['no one-man businesses'])
})

test('a brief of which nothing is understood says so word by word', () => {
  assert.deepEqual(readBrief('please send the quarterly zorbing invoice').unmatched, ['quarterly zorbing invoice'])
})

test('a refusal of which nothing became is reported, even where the sender speaks of himself', () => {
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

test('what is taken back is context, not a filter', () => {
  const { filters, context } = readBrief('CEOs in Norway, no wait, Finland')
  assert.deepEqual(filters.locations, { include: [{ country: 'FI' }] })
  assert.deepEqual(context, ['Norway'])
})

test('more unread stretches than anyone reads are counted', () => {
  const { unmatched } = readBrief(
    `CTOs in Spain. ${Array.from({ length: 300 }, (_, index) => `zq${'x'.repeat(index % 40)}v${index}`).join('. ')}`,
  )
  assert.equal(unmatched.length, 101)
  assert.match(unmatched.at(-1)!, /^… and \d+ more$/)
})

test('what stands behind the longest brief that is read is reported', () => {
  const { filters, unmatched } = readBrief(`CTOs in Spain. ${'R-'.repeat(3800)} no banks`)
  assert.deepEqual(filters.jobTitles, { include: ['cto'] })
  assert.match(unmatched.at(-1)!, /^-R.* …$/)
})
