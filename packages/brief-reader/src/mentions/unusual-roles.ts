import type { Chunk, Mention } from '../model.ts'
import { compoundIndustry, compoundStems } from '../vocabulary/compounds.ts'
import { entryOf, entryOfWord } from '../vocabulary/lexicon.ts'
import { readEntries, wordMap, wordSet } from '../vocabulary/word-files.ts'
import { CLOSINGS, ROLE_NOUNS } from '../vocabulary/word-lists.ts'
import {
  BEFORE_WHERE,
  BUILDS,
  englishWords,
  fill,
  functionName,
  isFunction,
  isSeparator,
  LEVEL_FORMS,
  LONGEST_LIST,
  markUsed,
  pushTitle,
  RANKS,
  takeTitle,
} from './titles.ts'

/** Roles that are written in other ways: words in a title, German compounds, nouns that nothing explains. */

/** "anyone with RevOps or GTM ops in their title", "titles must not contain deputy": the words themselves are the titles. */
export function readWordsInTitle(chunks: readonly Chunk[], at: number, mentions: Mention[]): number | undefined {
  if (!HAVING_WORDS.test(chunks[at]!.word)) return undefined
  const isTitle = (chunk: Chunk | undefined) => /^(?:job )?(?:tit(?:le|les|el|re|res)|titulos?)$/.test(chunk?.word ?? '')
  const isNamed = isTitle(chunks[at - 1]) || (chunks[at - 1]?.kind === 'negator' && isTitle(chunks[at - 2]))
  let end = at + 1
  while (end < chunks.length && end < at + 10 && (isNamed ? isTitleWord(chunks[end]!) : !BEFORE_TITLE.test(chunks[end]!.word))) end++
  const noun = isNamed ? end - 1 : chunks.findIndex((chunk, position) => position > end && position <= end + 3 && isTitle(chunk))
  if (noun < 0 || end === at + 1) return undefined
  let words: string[] = []
  let first = at + 1
  for (let position = at + 1; position <= end; position++) {
    const chunk = chunks[position]
    if (position < end && !isSeparator(chunk)) {
      if (chunk!.kind === 'word' && !chunk!.small) words.push(englishWords(chunk!.word))
      continue
    }
    pushTitle(mentions, words.join(' '), first, position - 1)
    words = []
    first = position + 1
  }
  markUsed(chunks, chunks[at]!.kind === 'word' ? at : at + 1, noun)
  return noun + 1
}
const HAVING_WORDS = /(?:^| )(?:with|having|containing|contains?|mit|avec|con)$/
const BEFORE_TITLE = /^(?:in|im|dans|en)$/
const isTitleWord = (chunk: Chunk): boolean =>
  isSeparator(chunk) || (chunk.kind === 'word' && (chunk.role !== undefined || RANKS.has(chunk.word) || chunk.entry?.level !== undefined))

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
    const ends = (chunk: Chunk | undefined) => chunk?.label !== 'title' || chunk.kind === 'break' || isSeparator(chunk)
    const isTitle = words.every(chunk => (!chunk.entry || chunk.entry.function) && !MACHINES.has(chunk.word))
    if (isTitle && ends(chunks[at - 1]) && ends(chunks[last + 1]))
      takeTitle(chunks, mentions, words.map(chunk => englishWords(chunk.word)).join(' '), at, last)
    at = last
  }
}

/** "role: system" is addressed to a machine. */
const MACHINES = new Set(['system', 'assistant', 'user'])

const COMPOUND_ENDINGS = readEntries('compound-endings.txt').flatMap(([form, endings]) => endings.map(ending => [ending, form] as const))

/** "Vertriebsleiter", "Nachhaltigkeitsmanager": German nouns that carry their function. */
export function readCompound(chunks: readonly Chunk[], at: number, mentions: Mention[]): number | undefined {
  const chunk = chunks[at]!
  if (chunk.kind !== 'word' || chunk.used || !chunk.unknown || chunk.word.length < 8 || chunk.word.includes(' ')) return undefined
  for (const [prefix, rank] of COMPOUND_RANKS) {
    const rest = chunk.word.startsWith(prefix) ? chunk.word.slice(prefix.length) : ''
    const title = entryOfWord(rest || ' ')?.title ?? ROLE_NOUNS.get(rest)
    if (title) return takeTitle(chunks, mentions, `${rank} ${title}`, at, at)
  }
  const found = COMPOUND_ENDINGS.find(([ending]) => chunk.word.endsWith(ending))
  if (!found) return undefined
  const [ending, form] = found
  for (const stem of compoundStems(chunk.word.slice(0, -ending.length))) {
    const entry = entryOfWord(stem)
    const name = partName(stem) ?? (entry?.technology ? stem : splitCompound(stem))
    if (!name) continue
    const department = form.startsWith('@') ? entry?.function?.department : undefined
    if (form.startsWith('@') && !department) return undefined
    if (department) mentions.push({ kind: 'department', value: department, department, first: at, last: at })
    else {
      pushTitle(mentions, fill(form, name), at, at)
      shareEnding(chunks, at, mentions)
    }
    if (form === '@deciders') mentions.push({ kind: 'level', value: 'deciders', first: at, last: at })
    chunk.used = true
    return at + 1
  }
  return undefined
}

/** "Einkaufs- und Marketingleiter": what is joined to a compound has its ending. */
export function shareEnding(chunks: readonly Chunk[], at: number, mentions: Mention[]): void {
  const [ending, form] = COMPOUND_ENDINGS.find(([each]) => chunks[at]!.word.endsWith(each)) ?? []
  let from = at
  while (form?.includes('%') && from > 1 && at - from < 8) {
    const [before, part, joins] = [chunks[from - 3], chunks[from - 2]!, chunks[from - 1]!]
    const isJoined = joins.kind === 'conjunction' || (from < at && joins.kind === 'comma')
    if (!isJoined || part.kind !== 'word' || part.used || AWAY_FROM_TITLES.has(before?.word ?? '')) return
    // "Handel, Logistik und Vertriebsleiter" continues with a list of industries.
    if (part.entry?.industry && before?.kind === 'comma') return
    const name = part.entry?.function?.title ?? GERMAN_PARTS.get(part.word.replace(/s$/, ''))
    if (!name) return
    pushTitle(mentions, entryOf(part.word + ending)?.title ?? fill(form, name), from - 2, at)
    part.used = true
    from -= 2
  }
}
const AWAY_FROM_TITLES = new Set('in im aus bei fur der den dem leiter leiterin leitung'.split(' '))
const GERMAN_PARTS = wordMap('titles-grammar.txt', 'german parts', value => value)
const COMPOUND_RANKS = wordMap('titles-grammar.txt', 'compound ranks', value => value)

const partName = (stem: string): string | undefined => GERMAN_PARTS.get(stem) ?? entryOfWord(stem)?.function?.title

/** "Filialvertrieb", "Großkundenbetreuung": a function and what comes before it in its word, in English. */
export function splitCompound(word: string): string | undefined {
  for (let cut = 3; cut < word.length - 3; cut++) {
    const name = entryOf(word.slice(cut))?.function?.title ?? GERMAN_PARTS.get(word.slice(cut))
    const first =
      name &&
      compoundStems(word.slice(0, cut))
        .map(partName)
        .find(each => each !== undefined)
    if (first) return `${first} ${name}`
  }
  return GERMAN_PARTS.get(word)
}

/** "no contractors", "not the fractional kind": where people are asked for, how they are employed is said of them. */
export function readEmployment(chunks: readonly Chunk[], mentions: Mention[]): void {
  if (!mentions.some(({ kind }) => kind !== 'industry')) return
  for (const [at, chunk] of chunks.entries()) {
    const title = chunk.kind === 'word' && !chunk.used ? EMPLOYMENT.get(chunk.word) : undefined
    const next = chunks[at + 1]
    if (!title || !(next === undefined || next.kind !== 'word' || next.small || CLOSINGS.has(next.word))) continue
    const builds = chunks.some(other => other !== chunk && BUILDS.test(other.entry?.industry ?? ''))
    if (chunk.refused && !builds) takeTitle(chunks, mentions, title, at, at)
  }
}
const EMPLOYMENT = wordMap('titles-grammar.txt', 'employment', value => value)

/** "supply chain (director OR head)", "(HR OR people) AND (manager OR director)": every function with every rank. */
export function readBracketedRanks(chunks: readonly Chunk[], at: number, mentions: Mention[]): number | undefined {
  const functions = isFunction(chunks[at]) ? { list: [chunks[at]!], next: at + 1 } : readBracket(chunks, at, isFunction)
  if (!functions) return undefined
  const joined = chunks[functions.next]?.kind === 'conjunction' ? functions.next + 1 : functions.next
  const ranks = readBracket(chunks, joined, chunk => LEVEL_FORMS[chunk?.entry?.level ?? ''] !== undefined && !chunk!.used)
  if (!ranks) return undefined
  for (const rank of ranks.list)
    for (const each of functions.list)
      pushTitle(mentions, fill(LEVEL_FORMS[rank.entry!.level!]!, functionName(each, true)), at, ranks.next - 1)
  markUsed(chunks, at, ranks.next - 1)
  return ranks.next
}

/** A bracket that holds nothing but such chunks and what separates them. */
function readBracket(
  chunks: readonly Chunk[],
  at: number,
  fits: (chunk: Chunk | undefined) => boolean,
): { list: Chunk[]; next: number } | undefined {
  if (chunks[at]?.word !== '(') return undefined
  const list: Chunk[] = []
  for (let next = at + 1; next < chunks.length && next < at + 2 * LONGEST_LIST; next++) {
    const chunk = chunks[next]!
    if (chunk.word === ')') return list.length > 0 ? { list, next: next + 1 } : undefined
    if (chunk.kind === 'word' && fits(chunk)) list.push(chunk)
    // "(manager+)" means the ranks above as well.
    else if (!isSeparator(chunk) || chunk.word === '+') return undefined
  }
  return undefined
}

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
    // The sender's words about himself do not count.
    if (chunk.kind !== 'gap') passed++
    first++
  }
  const fits = (chunk: Chunk | undefined) => chunk?.kind === 'word' && !chunk.used && chunk.unknown
  if (!fits(chunks[first])) return
  let last = first
  while (last - first < 2 && fits(chunks[last + 1])) last++
  const role = chunks[last]!
  if (compoundIndustry(role.word) || VENUES.has(role.word) || /(?:er[iy]as?|eries|iums|otecas)$/.test(role.word)) return
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
  takeTitle(chunks, mentions, words.join(' '), first, last)
}

/** "rage rooms", "chocolaterías": places are no one's role. */
const VENUES = wordSet('things-grammar.txt', 'venues')

/** "directeurs d'hôtels", "gerentes de restaurantes": the houses they run are named in the plural, and say the industry. */
export function readHouses(chunks: readonly Chunk[], mentions: Mention[]): void {
  for (const mention of [...mentions]) {
    const found = mention.kind === 'title' && mention.first === mention.last ? RUNS.exec(chunks[mention.first]!.word) : null
    const house = found?.[1] ?? found?.[2]
    const industry = house === undefined ? undefined : entryOf(house)?.industry
    if (industry) mentions.push({ kind: 'industry', value: industry, first: mention.first, last: mention.last })
  }
}
const RUNS =
  /^(?:(?:direct\w+|diretor\w*|gerentes?|gerants?|responsables?) (?:d|de|des|de los|de las) (\w+s(?: de \w+)?)|(?:dyrektor|kierowni|menedzer)\w* (\w+))$/
