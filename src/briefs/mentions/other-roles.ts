import type { Chunk, Mention } from '../model.ts'
import { readEntries, wordMap, wordSet } from '../words.ts'
import { entryOf, entryOfWord } from './lexicon.ts'
import { englishWords, fill, isSeparator, markUsed, pushTitle } from './titles.ts'

/** Roles that are written in other ways: words in a title, German compounds, nouns that nothing explains. */

/** "anyone with RevOps or GTM ops in their title": the words themselves are the titles. */
export function readWordsInTitle(chunks: readonly Chunk[], at: number, mentions: Mention[]): number | undefined {
  if (!['with', 'having', 'containing', 'mit'].includes(chunks[at]!.word)) return undefined
  let end = at + 1
  while (end < chunks.length && end < at + 10 && !(chunks[end]!.word === 'in' || chunks[end]!.word === 'im')) end++
  const noun = chunks.findIndex(
    (chunk, position) => position > end && position <= end + 3 && /^(?:job )?tit(?:le|les|el)$/.test(chunk.word),
  )
  if (noun < 0 || end === at + 1) return undefined
  let words: string[] = []
  let first = at + 1
  for (let position = at + 1; position <= end; position++) {
    const chunk = chunks[position]!
    if (position < end && !isSeparator(chunk)) {
      if (chunk.kind === 'word' && !chunk.small) words.push(englishWords(chunk.word))
      continue
    }
    pushTitle(mentions, words.join(' '), first, position - 1)
    words = []
    first = position + 1
  }
  markUsed(chunks, at, noun)
  return noun + 1
}

/** "Title contains curriculum or learning design": under the label of titles, words that nothing explains are the title. */
export function readLabelledWords(chunks: readonly Chunk[], mentions: Mention[]): void {
  for (let at = 0; at < chunks.length; at++) {
    const isPart = (position: number) => {
      const chunk = chunks[position]
      return chunk?.kind === 'word' && chunk.label === 'title' && !chunk.used && !chunk.small && !chunk.peopleNoun && !chunk.idle
    }
    if (!isPart(at)) continue
    let last = at
    while (isPart(last + 1) && last - at < 3) last++
    const words = chunks.slice(at, last + 1)
    const ends = (chunk: Chunk | undefined) => chunk === undefined || chunk.kind === 'break' || isSeparator(chunk)
    if (
      ends(chunks[at - 1]) &&
      ends(chunks[last + 1]) &&
      words.every(chunk => (!chunk.entry || chunk.entry.function) && !MACHINES.has(chunk.word))
    ) {
      pushTitle(mentions, words.map(chunk => englishWords(chunk.word)).join(' '), at, last)
      markUsed(chunks, at, last)
    }
    at = last
  }
}

/** "role: system" is addressed to a machine. */
const MACHINES = new Set(['system', 'assistant', 'user'])

const COMPANY_ENDINGS = [...wordSet('things-grammar.txt', 'company endings')]
const COMPOUND_ENDINGS = readEntries('compound-endings.txt').flatMap(([form, endings]) => endings.map(ending => [ending, form] as const))

/** "Vertriebsleiter", "Nachhaltigkeitsmanager": German nouns that carry their function. */
export function readCompound(chunks: readonly Chunk[], at: number, mentions: Mention[]): number | undefined {
  const chunk = chunks[at]!
  if (chunk.kind !== 'word' || chunk.used || !chunk.unknown || chunk.word.length < 8 || chunk.word.includes(' ')) return undefined
  const found = COMPOUND_ENDINGS.find(([ending]) => chunk.word.endsWith(ending))
  if (!found) return undefined
  const [ending, form] = found
  for (const stem of compoundStems(chunk.word.slice(0, -ending.length))) {
    const entry = entryOfWord(stem)
    const name = GERMAN_PARTS.get(stem) ?? entry?.function?.title ?? (entry?.technology ? stem : undefined)
    if (!name) continue
    const department = form.startsWith('@') ? entry?.function?.department : undefined
    if (form.startsWith('@') && !department) return undefined
    if (department) mentions.push({ kind: 'department', value: department, department, first: at, last: at })
    else pushTitle(mentions, fill(form, name), at, at)
    if (form === '@deciders') mentions.push({ kind: 'level', value: 'deciders', first: at, last: at })
    chunk.used = true
    return at + 1
  }
  return undefined
}
const GERMAN_PARTS = wordMap('titles-grammar.txt', 'german parts', value => value)

/** The first part of a German compound, with and without the letters that join it to the second. */
const compoundStems = (stem: string): string[] =>
  [stem, ...JOINING.map(letters => stem.replace(letters, '')), `${stem}e`, `${stem}en`, `${stem}er`].filter(each => each.length > 1)
const JOINING = [/s$/, /en$/, /n$/, /es$/]

/** "Apothekeninhaber", "Verpackungsfirmen": the first part of the word is an industry, the second its companies or who has them. */
export function compoundIndustry(word: string): { industry: string; ending: string } | undefined {
  if (word.length < 8 || word.includes(' ')) return undefined
  const ending = COMPANY_ENDINGS.find(each => word.endsWith(each) && word.length > each.length)
  const parts = ending && !ABSTRACT.test(ending) ? COMPOUND_PARTS : undefined
  for (const stem of ending ? compoundStems(word.slice(0, -ending.length)) : []) {
    const industry = entryOfWord(stem)?.industry ?? parts?.get(stem)
    if (industry) return { industry, ending: ending! }
  }
  // "Tagungshotels", "Textileinzelhändler": the last part is what they are.
  for (const [house, industry] of HOUSES) if (word.endsWith(house) && word.length > house.length + 1) return { industry, ending: house }
  return undefined
}
/** "Sicherheitsbereich", "Fahrzeugbesitzer" are no companies. */
const ABSTRACT = /^(?:bereich|wirtschaft|sektor|besitzern?)$/
const COMPOUND_PARTS = wordMap('things-grammar.txt', 'compound parts', value => value)
const HOUSES = wordMap('things-grammar.txt', 'houses', value => value)

const BEFORE_WHERE = new Set('in at from near across within around en a au aux dans chez bei aus im nel nella em te bij'.split(' '))
const DOERS =
  /(?:[^aeiou]ers|[aeiou]rs|ors|ists|ians|men|smiths|wrights|eurs|euses|istes|iens|iennes|istas|eros|eras|adores|arios|isten|inhaber|macher|bauer|pfleger|lehrer)$/

/** "falconers in Qatar": a plural that nothing explains, where the wish begins and a place or an industry follows, is a role. */
export function readUnknownRole(chunks: readonly Chunk[], mentions: Mention[]): void {
  let first = 0
  let passed = 0
  while (first < chunks.length && passed < 8 && chunks[first]!.kind !== 'place') {
    const chunk = chunks[first]!
    if (chunk.kind === 'negator') return
    if (chunk.kind === 'word' && !chunk.small && !chunk.idle) break
    // What the sender said of himself does not count.
    if (chunk.kind !== 'gap') passed++
    first++
  }
  const fits = (chunk: Chunk | undefined) => chunk?.kind === 'word' && !chunk.used && chunk.unknown
  if (!fits(chunks[first])) return
  let last = first
  while (last - first < 2 && fits(chunks[last + 1])) last++
  const role = chunks[last]!
  if (compoundIndustry(role.word)) return
  const doer = DOERS.test(role.word)
  if (role.word.length < 5 || !(doer || (/[^su]s$/.test(role.word) && !role.capital && chunks.length <= 12))) return
  const where = chunks[last + 1]
  const target = chunks[last + 2]
  const follows = where?.kind === 'word' && BEFORE_WHERE.has(where.word) && (target?.kind === 'place' || target?.kind === 'word')
  const listed = doer && where?.kind === 'comma' && target?.kind === 'place'
  const joined = doer && where?.kind === 'conjunction'
  if (!follows && !listed && !joined) return
  const words = chunks.slice(first, last + 1).map(chunk => chunk.word)
  words[words.length - 1] = /men$/.test(role.word) ? role.word.replace(/men$/, 'man') : role.word.replace(/ies$/, 'y').replace(/s$/, '')
  pushTitle(mentions, words.join(' '), first, last)
  markUsed(chunks, first, last)
}

/** "directeurs d'hôtels", "gerentes de restaurantes": the houses they run are named in the plural, and say the industry. */
export function readHouses(chunks: readonly Chunk[], mentions: Mention[]): void {
  for (const mention of [...mentions]) {
    const house = mention.kind === 'title' && mention.first === mention.last ? RUNS.exec(chunks[mention.first]!.word)?.[1] : undefined
    const industry = house === undefined ? undefined : entryOf(house)?.industry
    if (industry) mentions.push({ kind: 'industry', value: industry, first: mention.first, last: mention.last })
  }
}
const RUNS = /^(?:direct\w+|gerentes?|gerants?|responsables?) (?:d|de|des|de los|de las) (\w+s(?: de \w+)?)$/
