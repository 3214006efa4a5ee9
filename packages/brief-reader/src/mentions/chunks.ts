import type { Chunk, Entry, NameSpan, Segments, Source, Token } from '../model.ts'
import type { Layout } from '../segments/sentences.ts'
import { longestEntry } from '../vocabulary/lexicon.ts'
import { inQuotedName } from '../vocabulary/place-words.ts'
import { wordSet } from '../vocabulary/word-files.ts'
import { ANYONE, COMMON_WORDS, COMPANY_NOUNS, IDLE_ADJECTIVES, PEOPLE_NOUNS, ROLE_NOUNS, STOP_WORDS } from '../vocabulary/word-lists.ts'
import { isPluralOfCapitals, type Language, readCue } from './cues.ts'
import { HAVING } from './measures.ts'
import { readPlace } from './place-names.ts'
import { PRODUCT_NAMES } from './technologies.ts'

/** Items to chunks: at each position the longest phrase that the vocabulary, the places or the small words know. */

const BREAKS = new Set('.!?;:\n()[]{}—|•…¿¡=→✓·')
const LISTS = new Set(['/', '+', '\\', '-', '–'])
const LONGEST_PHRASE = 7

const DUTCH = wordSet('small.txt', 'dutch')

export function readChunks(source: Source, layout: Layout, segments: Segments, names: readonly NameSpan[], consumed: Uint8Array): Chunk[] {
  const { items, tokens, words } = source
  const language: Language = {
    shouting: isShouting(tokens),
    dutch: words.some(word => DUTCH.has(word)),
  }
  const nameAt = new Map(names.map(name => [name.first, name]))
  const isOpen = (at: number) => items[at]!.kind === 'word' && segments.of[at] === 'wish' && !consumed[at]
  const quoted = quotedTitles(source)
  const chunks: Chunk[] = []
  let at = 0
  while (at < items.length) {
    const item = items[at]!
    const base: Chunk = {
      kind: 'word',
      first: at,
      last: at,
      word: words[at]!,
      capital: tokens[item.first]!.capital,
      small: false,
      idle: false,
      companyNoun: false,
      peopleNoun: false,
      unknown: false,
      label: layout.labels[at] ?? (quoted.has(at) ? 'title' : undefined),
      sentence: layout.sentence[at]!,
    }
    const name = nameAt.get(at)
    if (name && isOpen(at)) chunks.push({ ...base, kind: 'name', last: name.last, ...(name.uncertain ? { uncertain: true } : {}) })
    else if (item.kind === 'mark') {
      // The full stop of an abbreviation ("excl. Iceland") ends nothing.
      const ends = item.word !== '.' || layout.sentence[at + 1] !== layout.sentence[at]
      const abbreviated = chunks.at(-1)
      if (!ends && abbreviated?.kind === 'word') {
        abbreviated.last = at
        at++
        continue
      }
      chunks.push({ ...base, kind: ends ? markKind(item.word, !consumed[at]) : 'gap' })
    } else if (segments.of[at] !== 'wish' || consumed[at] || item.kind === 'quantity')
      chunks.push({
        ...base,
        kind: 'gap',
        ...(item.quantity && !countsLeads(items, at) ? { bound: true } : {}),
        ...((consumed[at] || segments.of[at] === 'courtesy') && !item.quantity ? { requirement: true } : {}),
      })
    else if (item.kind === 'domain') chunks.push({ ...base, kind: 'domain' })
    else {
      let limit = at + 1
      while (limit < items.length && limit < at + LONGEST_PHRASE && isOpen(limit) && !nameAt.has(limit)) limit++
      chunks.push(readPhrase(source, at, limit, chunks, language, base))
    }
    at = chunks.at(-1)!.last + 1
  }
  markRefused(chunks)
  return chunks
}

/** '"safeguarding lead" or "SENCO"': where one of several quoted phrases ends like a title, all of them are titles. */
function quotedTitles({ text, tokens, items }: Source): ReadonlySet<number> {
  const found = new Set<number>()
  let at = 0
  for (const { index, 0: list } of text.matchAll(QUOTED)) {
    const isTitle = Array.from(list.matchAll(/([a-z]+)["”“»]/gi), ([, last]) => ROLE_NOUNS.has(last!.toLowerCase())).includes(true)
    while (at < items.length && tokens[items[at]!.first]!.start < index) at++
    for (; at < items.length && tokens[items[at]!.last]!.end < index + list.length; at++) if (isTitle) found.add(at)
  }
  return found
}
const QUOTED = /["“„«][^"“”„«»\n]{2,60}["“”»](?:(?:, ?| ?\/ ?| (?:or|oder|ou|o) )["“„«][^"“”„«»\n]{2,60}["“”»])*/gi

/** "400 property managers", "~400 property managers" are so many leads; "with about 50 developers" measures a company. */
const countsLeads = (items: Source['items'], at: number): boolean => {
  const { plain, approximate } = items[at]!.quantity!
  return plain === true || (approximate === true && !HAVING.has(items[at - 1]?.word ?? ''))
}

/** The scope of a negation that follows from its place alone: its bracket, its line, or the words right after it. */
function markRefused(chunks: readonly Chunk[]): void {
  let bracket = false
  let near = false
  for (const [at, chunk] of chunks.entries()) {
    if (chunk.kind === 'negator') bracket = chunks[at + 1]?.word === '('
    else if (chunk.word === ')') bracket = false
    near = chunk.kind === 'negator' || (near && chunk.kind === 'word' && chunk.small)
    if (bracket || near || chunk.label === 'exclude' || chunks[at - 1]?.kind === 'negator') chunk.refused = true
    else if (chunks[at - 1]?.refused && chunks[at - 1]!.kind === 'word' && chunks[at - 1]!.small && chunk.kind === 'word')
      chunk.refused = true
  }
}

function markKind(mark: string, isOpen: boolean): Chunk['kind'] {
  if (BREAKS.has(mark)) return 'break'
  if (!isOpen) return 'gap'
  return mark === ',' ? 'comma' : LISTS.has(mark) ? 'list' : 'gap'
}

function readPhrase(source: Source, at: number, limit: number, chunks: readonly Chunk[], language: Language, base: Chunk): Chunk {
  const { words } = source
  const phrase = (length: number) => (length === 1 ? words[at]! : words.slice(at, at + length).join(' '))
  const found = entryAt(words, at, limit)
  const length = found && isBelievable(source, at, found.length, chunks) ? found.length : 0
  const place = readPlace(source, words, at, limit, chunks, base.label, language.shouting)
  const cue = readCue(source, at, limit, chunks, language, base.label)
  if (cue && cue.length >= Math.max(length, place?.length ?? 0))
    return { ...base, kind: cue.kind, last: at + cue.length - 1, word: phrase(cue.length), cue: cue.parts }
  if (place && (place.length > length || (place.length === length && place.strong)) && !inQuotedName(source, at)) {
    const { length: _, strong: __, ...read } = place
    return { ...base, kind: 'place', last: at + place.length - 1, word: phrase(place.length), ...read }
  }
  const product = PRODUCT_NAMES.longest(words, at, limit)?.length ?? 0
  if (product > Math.max(length, 1)) return { ...describe(base, words, at, product, undefined), unknown: true }
  return describe(base, words, at, Math.max(length, 1), length > 0 ? found!.entry : undefined)
}

/** "directeurs d'agences immobilières" lead estate agencies: a title ends before the companies that continue after its last noun. */
function entryAt(words: readonly string[], at: number, limit: number): ReturnType<typeof longestEntry> {
  const found = longestEntry(words, at, limit)
  if (!found?.entry.title || found.length < 3) return found
  const last = at + found.length - 1
  const companies = HOUSES.has(words[last]!) ? longestEntry(words, last, limit) : undefined
  return companies?.entry.industry && companies.length > 1 ? longestEntry(words, at, last - 1) : found
}
/** They say nothing of their trade themselves. "Directeurs de magasins de sport" lead shops with and without the sport. */
const HOUSES = new Set('agence agences cabinet cabinets bureau bureaux agencia agencias despacho despachos escola escolas'.split(' '))

function describe(base: Chunk, words: readonly string[], at: number, length: number, entry: Entry | undefined): Chunk {
  const word = words.slice(at, at + length).join(' ')
  const role = ROLE_NOUNS.get(words[at + length - 1]!)
  const companyNoun = COMPANY_NOUNS.has(word)
  const peopleNoun = PEOPLE_NOUNS.has(word) || ANYONE.has(word)
  const small = STOP_WORDS.has(word) && !entry
  const idle = IDLE_ADJECTIVES.has(word)
  const unknown = !entry && !role && !companyNoun && !peopleNoun && !small && !idle && !COMMON_WORDS.has(word)
  return {
    ...base,
    last: at + length - 1,
    word,
    companyNoun,
    peopleNoun,
    small,
    idle,
    unknown,
    ...(entry ? { entry } : {}),
    ...(role ? { role } : {}),
  }
}

/** Abbreviations that are a small word without their capitals: only the context tells "it" from "IT". */
const NEEDS_CAPITALS = new Set(['pas', 'ia', 'ea', 'ta', 'pa', 'atm'])
const NEVER = new Set(['en', 'in', 'on', 'as'])
const LIST_SIGNS = new Set([',', '/', '+', 'and', 'or', 'und', 'oder'])
const ENGLISH_OPENINGS = wordSet('titles-grammar.txt', 'english openings')
const AFTER_FUNCTION = wordSet('things-grammar.txt', 'after function')

function isBelievable({ words, tokens, items }: Source, at: number, length: number, chunks: readonly Chunk[]): boolean {
  const word = words[at]!
  const token = tokens[items[at]!.first]!
  // "closed a round"
  if (length === 2 && word === 'a' && words[at + 1] === 'round') return token.capital
  // "I'd avoid banks" speaks of no one's "I+D".
  if (length > 1) return !(word === 'i' && /['’]/.test(tokens[items[at + 1]!.first]!.glue))
  // "Frau Baumeister sucht CFOs"
  if (NEVER.has(word) || /^(?:herrn?|frau)$/.test(words[at - 1] ?? '')) return false
  if (NEEDS_CAPITALS.has(word)) return token.allCaps || isPluralOfCapitals(token.text)
  // "pas Acme svp" asks politely; an "svp sales" and an "svp/evp sales" have a function.
  if (word === 'svp') return token.allCaps || items[at + 1]?.kind === 'word' || words[at + 2] === 'evp'
  // French "cabinets véto" are surgeries; "veto casinos" is an order.
  if (word === 'veto') return /é/i.test(token.text) || /^(?:cabinets?|cliniques?)$/.test(words[at - 1] ?? '')
  // "boutique firms" are small ones.
  if (word === 'boutique' && (COMPANY_NOUNS.has(words[at + 1] ?? '') || /^hotel/.test(words[at - 1] ?? ''))) return false
  if (word !== 'it' && word !== 'pr' && word !== 'pe') return true
  const next = words[at + 1] ?? ''
  if (token.allCaps || ROLE_NOUNS.has(next) || PEOPLE_NOUNS.has(next) || AFTER_FUNCTION.has(next)) return true
  // "it, hr and finance people"
  if (LIST_SIGNS.has(next) && words[at + 2] && longestEntry(words, at + 2, Math.min(words.length, at + 4))?.entry.function) return true
  const last = chunks.at(-1)
  // "it-leiter", "leitung it": after a rank of another language it is no pronoun.
  const hyphened = token.glue === '-' || (next !== '' && tokens[items[at + 1]!.first]!.glue === '-')
  const opened = last?.entry?.opening !== undefined && (/(?:of|in)$/.test(last.word) || !ENGLISH_OPENINGS.has(last.word))
  return word === 'it' && (hyphened || opened)
}

function isShouting(tokens: readonly Token[]): boolean {
  let seen = 0
  let capitals = 0
  for (const token of tokens) {
    if (token.kind !== 'word' || token.word.length < 4) continue
    seen++
    if (token.allCaps) capitals++
  }
  return seen >= 3 && capitals > seen * 0.6
}
