import { INDUSTRIES } from '../../../lead-terms/src/index.ts'
import type { Chunk, Mention } from '../model.ts'
import { singular } from '../vocabulary/singular.ts'
import { wordMap, wordSet } from '../vocabulary/word-files.ts'
import { COMPANY_NOUNS, COMPETITORS, PLACE_KINDS, RELATIONSHIPS } from '../vocabulary/word-lists.ts'
import { namesFair } from './places.ts'
import { ESTABLISHMENTS, isSeparator, NOUN_MODIFIERS } from './titles.ts'

/** Topics that no industry covers become keywords: words that nothing else explains, where the text wants one. */

const OPENERS = wordSet('things-grammar.txt', 'topic openers')
export const isMaking = (chunk: Chunk | undefined): boolean => chunk?.kind === 'word' && OPENERS.has(chunk.word)
const REFUSABLE = wordMap('things-grammar.txt', 'refusable', value => value)
const SECTOR = new Set('sector secteur branche industry rubro settore setor topic keyword'.split(' '))
const LONGEST_TOPIC = 3
const isTopic = (phrase: string): boolean => /^\D.{2,59}$/.test(phrase)

export function readKeywords(chunks: readonly Chunk[], isEnglish: boolean): Mention[] {
  const mentions: Mention[] = []
  for (let at = 0; at < chunks.length; at++) {
    const chunk = chunks[at]!
    if (chunk.kind !== 'word' || chunk.used) continue
    const refusable = REFUSABLE.get(chunk.word)
    if (
      refusable &&
      ((negatorBefore(chunks, at) && endsRefused(chunks[at + 1], refusable)) || isOut(chunks, at) || isListedOut(chunks, at))
    ) {
      mentions.push({ kind: 'keyword', value: refusable, first: at, last: at })
      chunk.used = true
      continue
    }
    const labelled = readLabelled(chunks, at, isEnglish)
    if (labelled !== undefined) {
      mentions.push({ kind: 'keyword', ...labelled })
      at = labelled.last
      continue
    }
    if (!chunk.unknown && !isProduct(chunks, at)) continue
    const last = endOfTopic(chunks, at)
    if (!isWanted(chunks, at, last, isEnglish) && !isShared(chunks, at, last, isEnglish)) continue
    let first = at
    while (first > 0 && last - first < LONGEST_TOPIC - 1 && isOfKind(chunks, first - 1)) first--
    const topic = chunks
      .slice(first, last + 1)
      .map(each => each.word)
      .join(' ')
    if (!isTopic(topic) || PLACE_KINDS.has(topic)) continue
    mentions.push({ kind: 'keyword', value: singular(topic), first, last })
    for (let position = first; position <= last; position++) chunks[position]!.used = true
    at = last
  }
  return mentions
}

/** "beekeeping supply stores", "door lock makers": everyday nouns belong to the topic next to them. */
function endOfTopic(chunks: readonly Chunk[], at: number): number {
  let last = at
  while (last - at < LONGEST_TOPIC - 1 && (isFree(chunks[last + 1]) || isOfKind(chunks, last + 1))) last++
  return last
}
const isFree = (chunk: Chunk | undefined): boolean => chunk?.kind === 'word' && chunk.unknown && !chunk.used
const isOfKind = (chunks: readonly Chunk[], at: number): boolean => {
  const { kind, word, used, role, entry, companyNoun, refused, idle } = chunks[at] ?? {}
  const isNoun = NOUN_MODIFIERS.has(word!) || PRODUCTS.has(word!) || SERVED.has(entry?.industry ?? '')
  return kind === 'word' && isNoun && !(used || role || companyNoun || refused || idle)
}
const PRODUCTS = wordSet('things-grammar.txt', 'products')
const MAKING = wordSet('things-grammar.txt', 'making')
const SERVED = wordSet('things-grammar.txt', 'served by makers')

/** "hotel suppliers", "brewery equipment makers": those who make something for a house are none themselves. */
export const isMadeFor = (chunks: readonly Chunk[], at: number): boolean =>
  SERVED.has(chunks[at]!.entry!.industry!) &&
  !/s$/.test(chunks[at]!.word) &&
  /^(?:makers|manufacturers|suppliers)$/.test(chunks[endOfTopic(chunks, at) + 1]?.word ?? '')

/** "phone case brands": everyday nouns are a topic where those are named that make it. */
const isProduct = (chunks: readonly Chunk[], at: number): boolean =>
  PRODUCTS.has(chunks[at]!.word) && isOfKind(chunks, at) && MAKING.has(chunks[endOfTopic(chunks, at) + 1]?.word ?? '')

/** "supplement & vitamin brands": the noun after a list is said of all its members. */
function isShared(chunks: readonly Chunk[], at: number, last: number, isEnglish: boolean): boolean {
  const [joins, next] = [chunks[last + 1], last + 2]
  if (!isSeparator(joins) || joins!.kind === 'comma' || !isFree(chunks[next]) || chunks[at]!.capital) return false
  const end = endOfTopic(chunks, next)
  return MAKING.has(chunks[end + 1]?.word ?? '') && isWanted(chunks, next, end, isEnglish)
}

/** "Exclude: residential", "NOT (coal OR oil sands)", "Vertical: vending": words that fill their place after a label, or in a bracket. */
function readLabelled(chunks: readonly Chunk[], at: number, isEnglish: boolean): Pick<Mention, 'value' | 'first' | 'last'> | undefined {
  const { refused, label, unknown, word } = chunks[at]!
  // Other languages name a topic by words that are not in the profiles of its companies.
  const isTrade = label === 'industry' && isEnglish && unknown && !NO_TOPICS.has(word)
  if ((!isTrade && !(refused && (label === 'exclude' || inBracket(chunks, at)))) || !isEdge(chunks, at - 1)) return undefined
  let last = at
  while (!isEdge(chunks, last + 1) && last - at < LONGEST_TOPIC) last++
  const end = chunks[last]!.companyNoun && last > at ? last - 1 : last
  const words = chunks.slice(at, end + 1)
  const isKnown = (word: string) => COMPETITORS.has(word) || RELATIONSHIPS.has(word)
  const fits = (each: Chunk) =>
    each.kind === 'word' && !isKnown(each.word) && !each.used && !each.entry && !each.role && !each.companyNoun && !each.peopleNoun
  if (!isEdge(chunks, last + 1) || words.length > LONGEST_TOPIC || !words.every(fits) || words.some(each => each.small)) return undefined
  const value = singular(words.map(each => each.word).join(' '))
  if (!isTopic(value)) return undefined
  for (const each of chunks.slice(at, last + 1)) each.used = true
  return { value, first: at, last }
}

const EDGES: ReadonlySet<string> = new Set(['comma', 'conjunction', 'list', 'break', 'negator'])
const isEdge = (chunks: readonly Chunk[], at: number): boolean => chunks[at] === undefined || EDGES.has(chunks[at]!.kind)

function inBracket(chunks: readonly Chunk[], at: number): boolean {
  for (let back = at - 1; back > 0 && at - back < 40; back--) if (chunks[back]!.word === '(') return chunks[back - 1]!.kind === 'negator'
  return false
}

/** "chains are out" */
const isOut = (chunks: readonly Chunk[], at: number): boolean =>
  chunks[at + (chunks[at + 1]?.word === 'ones' ? 2 : 1)]?.kind === 'excluded' && (isEdge(chunks, at - 1) || chunks[at - 1]!.small)

/** "Bad fit: agencies, resellers" */
const isListedOut = (chunks: readonly Chunk[], at: number): boolean =>
  chunks[at]!.label === 'exclude' && isEdge(chunks, at - 1) && isEdge(chunks, at + 1)

/** "no private hospital groups": before another noun an adjective is no topic of its own. */
const endsRefused = (next: Chunk | undefined, topic: string): boolean =>
  next?.kind !== 'gap' && (!ADJECTIVES.has(topic) || next?.kind !== 'word' || next.small || next.companyNoun || next.peopleNoun)
const ADJECTIVES = new Set(['residential', 'commercial', 'private', 'mobile', 'academic', 'military', 'religious', 'coal', 'wind'])

function isWanted(chunks: readonly Chunk[], at: number, last: number, isEnglish: boolean): boolean {
  const chunk = chunks[at]!
  const before = chunks[at - 1]
  const noun = chunks[last + 1]
  if (chunk.label === 'keyword') return true
  // "3rd party logistics"
  if ((before?.kind === 'gap' && chunk.word.length < 3) || (at === last && NO_TOPICS.has(chunk.word))) return false
  const namesCompanies = noun?.kind === 'word' && (noun.companyNoun ? !noun.used : narrows(chunks, at, last, isEnglish))
  const sector = before?.kind === 'word' && SECTOR.has(before.word)
  const made = before?.kind === 'word' && (isMaking(before) || isPurpose(chunks, at)) && !chunks[at + 1]?.companyNoun
  const refused = isRefused(chunks, at, last)
  if (!namesCompanies && !sector && !made && !refused) return false
  // A proper name in front of "group" or "companies" is not a topic; German nouns have capitals of their own.
  return !(isEnglish && chunk.capital && before !== undefined && before.kind !== 'break')
}

/** "charities working on homelessness": what companies are there for. */
const isPurpose = (chunks: readonly Chunk[], at: number): boolean =>
  PURPOSES.has(`${chunks[at - 2]?.word} ${chunks[at - 1]!.word}`) &&
  (chunks[at - 3]?.companyNoun === true || chunks[at - 3]?.entry?.industry !== undefined)
const PURPOSES = wordSet('things-grammar.txt', 'purposes')

/** "podiatry clinics", "alpaca farms": what comes before the plural of a trade says of what kind its companies are. */
function narrows(chunks: readonly Chunk[], at: number, last: number, isEnglish: boolean): boolean {
  const [before, chunk, { entry, used, word }, after] = [chunks[at - 1], chunks[at]!, chunks[last + 1]!, chunks[last + 2]]
  if (chunk.refused || NO_TOPICS.has(chunk.word)) return false
  // "bike shop owners", "kennel owners"
  const isOwned = entry?.level === 'owner' && (COMPANY_NOUNS.has(word.split(' ')[0]!) || ESTABLISHMENTS.has(chunk.word))
  if (!isOwned && !(entry?.industry && used && /[^s]s$/.test(word))) return false
  // "Zapp banks.": the word that begins a clause may be an order.
  const isWhere = after?.kind === 'comma' && chunks[last + 3]?.kind === 'place'
  const fillsPlace = isWhere && before?.kind === 'comma' && chunk.word.length > 4
  // "CFOs in Ohio, shun hotels in Texas": after a wish it may be an order no one knows.
  if ((before?.kind === 'comma' || before?.kind === 'break') && !fillsPlace) return false
  const opens = isEdge(chunks, at - 1) && before?.kind !== 'list' && !isWhere && !after?.small
  return !opens && (isOwned || isEnglish || ESTABLISHMENTS.has(singular(word)))
}
const NO_TOPICS = wordSet('things-grammar.txt', 'no topics')

/** "no kiosks", "excepto cooperativas", "no low-cost carriers": a noun in the plural that nothing explains, right after a negation. */
function isRefused(chunks: readonly Chunk[], at: number, last: number): boolean {
  const { word, capital } = chunks[last]!
  const after = chunks[last + 1]
  if (after?.kind === 'word' && !after.small) return false
  if (COMPETITORS.has(word) || RELATIONSHIPS.has(word) || word.length < 5 || SPANISH_VERBS.test(word)) return false
  // "edtech or govtech can go"; "con mesas afuera" says what they have.
  const isSubject = isEdge(chunks, at - 1) || (chunks[at - 1]!.small && chunks[at - 1]!.word !== 'con')
  if (!capital && after?.kind === 'excluded' && isSubject) return true
  // A singular must fill the place of what is refused: "no govtech", "no crossfit, please".
  const negator = negatorBefore(chunks, at)
  const fills =
    last === at &&
    isEdge(chunks, last + 1) &&
    negator &&
    isEdge(chunks, chunks.lastIndexOf(negator, at) - 1) &&
    (negator?.cue?.except === true || BEFORE_NOUNS.has(negator?.word ?? ''))
  if (capital ? !/(?:s|i|en|er)$/.test(word) : !/[si]$/.test(word) && !fills) return false
  return negator !== undefined && (!capital || /^(?:bitte )?keine?[nrms]?$|^ohne$|^nicht$|^ausser$/.test(negator.word))
}

/** "hace tiempo que no hablamos" */
const SPANISH_VERBS = /[aei]mos$/

/** Negations that come before nouns only: "not compulsory" refuses nothing. */
const BEFORE_NOUNS = new Set('no nothing zero ni ningun ninguna ninguno aucun aucune sin sans ohne kein keine keinen'.split(' '))
  .add('pas de')
  .add('nada de')
  .add('no more')

function negatorBefore(chunks: readonly Chunk[], at: number): Chunk | undefined {
  let back = at - 1
  while (back >= 0 && at - back < 3 && chunks[back]!.kind === 'word' && (chunks[back]!.small || chunks[back]!.idle)) back--
  return chunks[back]?.kind === 'negator' ? chunks[back] : undefined
}

/** "who buys packaging", "a training budget": what a person pays for, and the fair he goes to, are not his company's trade. */
export const isPaidFor = (chunks: readonly Chunk[], at: number): boolean => {
  const [first, second] = [chunks[at - 2]?.word, chunks[at - 1]]
  return (
    namesFair(chunks, at) ||
    NO_TRADE_BEFORE.has(chunks[at + 1]?.word ?? '') ||
    (second?.kind === 'word' && (BUYING.has(second.word) || BUYING.has(`${first} ${second.word}`)))
  )
}
const NO_TRADE_BEFORE = wordSet('things-grammar.txt', 'no trade before')
const BUYING = wordSet('things-grammar.txt', 'buying')

/** "seafood restaurants", "hotel booking software vendors": what comes before the plural only says of what kind they are, or for whom. */
export function dropModifiers(chunks: readonly Chunk[], at: number, mentions: Mention[]): void {
  const { entry, refused, word } = chunks[at]!
  const noun = chunks[at + 1]
  const { slug, parent } = INDUSTRIES.get(entry!.industry!)!
  if (refused || WAYS_OF_TRADE.has(slug) || !/s$/.test(noun?.companyNoun ? noun.word : word)) return
  for (let back = at - 1; back > at - LONGEST_TOPIC - 1; back--) {
    const [chunk, last] = [chunks[back], mentions.at(-1)]
    if (last?.kind === 'industry' && last.first === back) {
      if (/s$/.test(chunk!.word) || last.value === slug || last.value === parent || MEANS.has(last.value)) return
      mentions.pop()
      chunk!.used = false
    } else if (!chunk?.unknown || chunk.used) return
  }
}
const WAYS_OF_TRADE = wordSet('things-grammar.txt', 'ways of trade')
const MEANS = wordSet('things-grammar.txt', 'means')
