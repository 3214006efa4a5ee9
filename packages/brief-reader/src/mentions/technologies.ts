import type { Chunk, Mention } from '../model.ts'
import { Phrases, readAllWords, wordMap, wordSet } from '../vocabulary/word-files.ts'
import { IS, ONLY, RELATIVES, USERS } from '../vocabulary/word-lists.ts'
import { amongRivals, namesEmployer } from './employers.ts'
import { SAYS_USING } from './name-contexts.ts'
import { isSeparator } from './titles.ts'

/** Whether a name is a product that companies use, or an employer. */

const USING = wordSet('things-grammar.txt', 'using')
const TECH_AFTER = wordSet('things-grammar.txt', 'tech after')
const LACKING = wordSet('things-grammar.txt', 'lacking')
const EMPLOYING = wordSet('things-grammar.txt', 'employing makers')

/**
 * "leave out GitHub and GitLab" may be employers; "Mailchimp", and what is listed with it, are what companies use, and so is what they
 * are said to lack ("no SAP, no Oracle") or what a noun follows ("SAP experience").
 */
export function keepMakers(chunks: readonly Chunk[], mentions: readonly Mention[]): void {
  let list: Mention[] = []
  const bare = mentions.filter(mention => mention.bare)
  for (const [index, mention] of bare.entries()) {
    list.push(mention)
    const next = bare[index + 1]
    if (next && chunks.slice(mention.last + 1, next.first).every(chunk => isSeparator(chunk) || chunk.kind === 'negator')) continue
    const { kind, small, peopleNoun, companyNoun } = chunks[mention.last + 1] ?? {}
    const isLacked = LACKING.has(chunks[list[0]!.first - 1]?.word ?? '') || (kind === 'word' && !(small || peopleNoun || companyNoun))
    if (isLacked || !list.every(({ value }) => EMPLOYING.has(value))) for (const each of list) each.bare = false
    list = []
  }
}

/** Everyday words among them end in "?". */
const PRODUCTS = readAllWords('products.txt')
export const PRODUCT_NAMES = new Phrases(new Map([...PRODUCTS].map(name => [name, true])))
const NEVER = wordSet('things-grammar.txt', 'never products')
const SYSTEMS = wordSet('things-grammar.txt', 'systems')
/** How everyday nouns end. German writes them with a capital; the other languages do not, and have more endings that names have, too. */
const NOUN = /(?:tat|tum|ion|ung|heit|keit|schaft|[^aeiou]en|ern|ik|ismus|anz|enz)$/
const PLAIN_NOUN =
  /(?:[^us]s|ing|tion|ment|ness|ity|ship|ance|ence|ism|ware|ery|logy|ly|eux|aux|eur|euse|age|cion|dad|miento|ncia|gia|ismo|aje|ores|ando|iendo)$/

const wordOf = (chunk: Chunk | undefined): string => (chunk?.kind === 'word' ? chunk.word : '')
const isKnown = (chunk: Chunk | undefined): boolean =>
  chunk?.kind === 'word' && (chunk.entry?.technology ? !chunk.entry.weakTechnology && !chunk.entry.industry : PRODUCTS.has(chunk.word))

/** The slug of what may be a product: one that is listed, or a word that nothing explains. */
export function productAt(chunks: readonly Chunk[], at: number): string | undefined {
  const { kind, word, capital, unknown, entry } = chunks[at] ?? {}
  if (kind !== 'word' || !word || !unknown) return entry?.technology
  if (PRODUCTS.has(word) || PRODUCTS.has(`${word}?`)) return word.replaceAll(' ', '-')
  if (!/^[a-z0-9]{3,40}$/.test(word) || NEVER.has(word) || SYSTEMS.has(word) || NOUN.test(word) || isEveryday(word, capital!))
    return undefined
  const next = chunks[at + 1]
  // "use modern machines", "use robots"
  const ends = next?.kind !== 'word' || next.small || isUse(next.word) || WORKING.has(next.word)
  return capital || (ends && !PLAIN_NOUN.test(word)) ? word : undefined
}

/** The common words are many, and most briefs need none of them. */
let everyday: { german: ReadonlySet<string>; others: ReadonlySet<string> } | undefined
function isEveryday(word: string, capital: boolean): boolean {
  everyday ??= { german: wordSet('everyday.txt', 'german nouns'), others: wordSet('everyday.txt', 'others') }
  return everyday.german.has(word) || (!capital && everyday.others.has(word))
}

/** "Sage or QuickBooks", "samsara/geotab": the next product of a list. */
function productBeside(chunks: readonly Chunk[], at: number, step: -1 | 1): number | undefined {
  let next = at + step
  while (isSeparator(chunks[next]) && Math.abs(next - at) < 3) next += step
  if (next === at + step || productAt(chunks, next) === undefined) return undefined
  // After a comma something else may begin: it joins products that are listed, or the first two of "X, Y or Z".
  const [left, mark, right, joiner] = chunks.slice(Math.min(at, next), Math.min(at, next) + 4)
  const isListed = (isKnown(left) && isKnown(right)) || (isSeparator(joiner) && joiner!.kind !== 'comma')
  return mark!.kind !== 'comma' || Math.abs(next - at) > 2 || isListed ? next : undefined
}

function endOfProducts(chunks: readonly Chunk[], at: number, step: -1 | 1, most = 5): number {
  const next = most > 0 ? productBeside(chunks, at, step) : undefined
  return next === undefined ? at : endOfProducts(chunks, next, step, most - 1)
}

const USE = wordSet('things-grammar.txt', 'use')
const PREPOSITIONS = wordMap('things-grammar.txt', 'use prepositions', value => value)
const WORKING = wordSet('things-grammar.txt', 'working')
const ADVERBS = wordSet('things-grammar.txt', 'use adverbs')
const AS = wordSet('things-grammar.txt', 'as')
const USER_NOUNS = wordSet('things-grammar.txt', 'user nouns')

/** Whether the words around a list of products say that a person uses them: "still on Sage or QuickBooks", "Greenhouse or Lever as ATS". */
function saysUse(chunks: readonly Chunk[], at: number): boolean {
  const [first, last] = [endOfProducts(chunks, at, -1), endOfProducts(chunks, at, 1)]
  let before = first - 1
  while (first - before < 4 && ADVERBS.has(chunks[before]?.word ?? '')) before--
  let behind = last + 1
  while (behind - last < 4 && ADVERBS.has(chunks[behind]?.word ?? '')) behind++
  const opener = wordOf(chunks[before])
  const after = wordOf(chunks[behind])
  const verb = chunks[before - 1]
  const isListed = chunks.slice(first, last + 1).some(isKnown)
  if (USE.has(opener) || (chunks[before]?.kind === 'negator' && SAYS_USING.test(chunks[before]!.word))) return true
  if (USER_NOUNS.has(after) || (isListed && USERS.has(after)) || (SYSTEMS.has(opener) && opener.length < 5)) return true
  if (IS.has(opener) && SYSTEMS.has(wordOf(verb))) return true
  const system = chunks[behind + 1]?.small ? behind + 2 : behind + 1
  if (AS.has(after) && SYSTEMS.has(wordOf(chunks[system]))) return true
  // "die SAP oder Oracle nutzen", "Personio im Einsatz"
  if (USED_BEHIND.has(chunks[behind + Number(chunks[behind]?.small ?? false)]?.word ?? '') && !isDenied(chunks, last)) return true
  const preposition = PREPOSITIONS.get(opener)
  const { word, entry, capital, unknown } = chunks[at]!
  if (!preposition) return unknown && isListed && [first - 1, behind].every(edge => isEdge(chunks[edge])) && !chunks[first]!.refused
  if (word === 'monday' && opener === 'on') return false
  const isOn = preposition === 'on' && (entry?.technology || verb?.kind === 'negator' || verb?.companyNoun || verb?.entry?.industry)
  const isTold = [wordOf(verb), after].some(each => WORKING.has(each) || ADVERBS.has(each))
  return isListed || isTold || Boolean(isOn || (entry?.technology && capital))
}
const isEdge = (chunk: Chunk | undefined): boolean => chunk === undefined || chunk.kind === 'comma' || chunk.kind === 'break'

/** Whether what nothing explains is a product: by its label ("Tools: Gainsight, Intercom"), by the last one, or by the words around it. */
export function isProduct(chunks: readonly Chunk[], at: number, last: Mention | undefined): boolean {
  const before = chunks[at - 1]
  const goesOn = last?.kind === 'technology' && last.last === at - 2 && isSeparator(before) && before!.kind !== 'comma'
  return productAt(chunks, at) !== undefined && (goesOn || chunks[at]!.label === 'technology' || saysUse(chunks, at))
}

/** Whether a word of the vocabulary is a product here, and whether the text says that a person uses it. */
export function technologyFits(
  chunks: readonly Chunk[],
  at: number,
  people: readonly Mention[],
  mentions: readonly Mention[],
): 'used' | 'bare' | undefined {
  const { entry, label, capital } = chunks[at]!
  if (label === 'technology' || USERS.has(wordOf(chunks[at + 1]))) return 'used'
  // "at Snowflake, Databricks or MongoDB": a list of employers.
  const first = endOfProducts(chunks, at, -1, 8)
  const isAmong = isSeparator(chunks[first - 1]) && chunks[first - 2]?.kind === 'name'
  const employer = namesEmployer(chunks, at) || namesEmployer(chunks, first) || isAmong
  const last = mentions.at(-1)
  // "ADP but not Workday"
  const goesOn = last?.kind === 'technology' && at - last.last < 4 && chunks.slice(last.last, at).some(({ kind }) => kind === 'negator')
  const using = !employer && (goesOn || saysUse(chunks, at))
  if (!using && TECH_AFTER.has(wordOf(chunks[first - 1])) && people.some(mention => mention.last < at)) return undefined
  if (!using && (employer || amongRivals(chunks, at))) return undefined
  // "Workday or SAP": next to another one an everyday word is a product.
  const beside = capital && [-1, 1].some(step => isSeparator(chunks[at + step]) && chunks[at + 2 * step]?.entry?.technology)
  if (entry!.weakTechnology && !beside && !using) return undefined
  // "companies that haven't adopted Salesforce": what is said of companies is what they do with it.
  const told = chunks.slice(Math.max(0, at - 4), at).some(chunk => RELATIVES.has(wordOf(chunk)))
  if (!using) return entry!.industry ? undefined : told ? 'used' : 'bare'
  return last?.bare && at - last.last <= 3 ? 'bare' : 'used'
}

const USED_BEHIND = wordSet('things-grammar.txt', 'used behind')
export const isUse = (word: string): boolean =>
  USING.has(word) || USE.has(word) || USED_BEHIND.has(word) || USERS.has(word) || ADVERBS.has(word) || SYSTEMS.has(word)

/** With a negation nearby no one knows what a verb of use refuses: "die SAP nicht nutzen", "keine Firmen, die SAP nutzen". */
function isDenied(chunks: readonly Chunk[], at: number): boolean {
  let first = at
  while (first > 0 && at - first < 6 && chunks[first - 1]!.kind !== 'break') first--
  let end = at + 1
  while (end < at + 5 && !isEdge(chunks[end])) end++
  return chunks.slice(first, end).some(({ kind }) => kind === 'negator')
}

/** "If they're on Procore, fine", "bonus if Klaviyo": what may be is not asked for, unless only that is wanted. */
export function isConditional(chunks: readonly Chunk[], at: number): boolean {
  for (let back = at - 1; back >= 0 && at - back < 6 && chunks[back]!.kind === 'word'; back--)
    if (IF.has(chunks[back]!.word)) return !ONLY.has(chunks[back - 1]?.word ?? '')
  return false
}
const IF = wordSet('things-grammar.txt', 'if')

/** The words that say that a product is used are read with it. */
export function markUse(chunks: readonly Chunk[], at: number): void {
  const users = chunks[at + 1]
  if (users?.kind === 'word' && USERS.has(users.word) && !users.entry) users.used = true
  if (isDenied(chunks, at)) return
  for (const chunk of [...chunks.slice(Math.max(0, at - 4), at), ...chunks.slice(at + 1, at + 4)])
    if (chunk.kind === 'word' && isUse(chunk.word) && !chunk.entry) chunk.used = true
}
