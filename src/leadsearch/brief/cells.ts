import { gazetteer } from '../gazetteer.ts'
import { areaByName, areaReach, type PlaceReading, placeOfCode, readPlaceName } from '../places.ts'
import type { Clauses } from './clauses.ts'
import { type Entry, longestEntry } from './lexicon.ts'
import { COMMON_WORDS } from './lexicon/common.ts'
import { TITLE_HEADS } from './lexicon/levels.ts'
import * as W from './lexicon/words.ts'
import type { Item } from './numbers.ts'
import { isKnownWord, wordRepairer } from './repair.ts'
import type { Token } from './tokens.ts'

/** A phrase of the brief with everything it may be. The grammar reads cells from left to right. */
export interface Cell {
  kind: 'word' | 'place' | 'break' | 'comma' | 'list' | 'conjunction' | 'negator' | 'correction' | 'instead' | 'hq' | 'domain' | 'gap'
  /** Item positions, inclusive. */
  first: number
  last: number
  /** Folded words, joined. */
  word: string
  entry?: Entry
  /** The singular of a title's last word, if this is one. */
  head?: string
  readings?: PlaceReading[]
  /** An adjective of nationality: "German". */
  demonym?: boolean
  capital: boolean
  small: boolean
  idle: boolean
  companyNoun: boolean
  peopleNoun: boolean
  unknown: boolean
  label: string | undefined
  sentence: number
  used?: boolean
}

const BREAKS = new Set(['.', '!', '?', ';', ':', '\n', '(', ')', '[', ']', '{', '}', '—', '|', '•', '…', '¿', '¡', '=', '→', '✓', '·'])
const LISTS = new Set(['/', '+', '\\', '-', '–'])
const USED_AS_NAMES = /^[A-Z]{2,3}$/

export function readCells(items: readonly Item[], tokens: readonly Token[], clauses: Clauses, consumed: Uint8Array): Cell[] {
  const repair = wordRepairer()
  const shouting = isShouting(tokens)
  const portuguese = looksPortuguese(items)
  const settled = new Map<string, boolean>()
  const words = items.map((item, index) => {
    if (item.kind !== 'word') return item.kind === 'quantity' ? '#' : item.word
    const known = settled.get(item.word) ?? (isKnownWord(item.word) || isPlaceWord(item.word))
    settled.set(item.word, known)
    if (known) return item.word
    if (inPlaceName(items, index)) return item.word
    return repair(item.word) ?? item.word
  })
  const cells: Cell[] = []
  let at = 0
  while (at < items.length) {
    const item = items[at]!
    const token = tokens[item.first]!
    const base = {
      first: at,
      last: at,
      word: words[at]!,
      capital: token.capital,
      small: false,
      idle: false,
      companyNoun: false,
      peopleNoun: false,
      unknown: false,
      label: clauses.labels[at],
      sentence: clauses.sentence[at]!,
    }
    if (clauses.dropped[at] || consumed[at] || item.kind === 'quantity') {
      cells.push({ ...base, kind: item.kind === 'punct' && BREAKS.has(item.word) ? 'break' : 'gap' })
      at++
      continue
    }
    if (item.kind === 'domain') {
      cells.push({ ...base, kind: 'domain' })
      at++
      continue
    }
    if (item.kind === 'punct') {
      const kind = item.word === ',' ? 'comma' : LISTS.has(item.word) ? 'list' : BREAKS.has(item.word) ? 'break' : 'gap'
      cells.push({ ...base, kind })
      at++
      continue
    }
    let limit = at
    while (limit < items.length && limit < at + 7 && items[limit]!.kind === 'word' && !clauses.dropped[limit] && !consumed[limit]) limit++
    const cell = readWordCell(items, tokens, words, at, limit, cells, { shouting, portuguese }, base)
    cells.push(cell)
    at = cell.last + 1
  }
  return cells
}

type Base = Omit<Cell, 'kind'>

function readWordCell(items: readonly Item[], tokens: readonly Token[], words: readonly string[], at: number, limit: number, cells: readonly Cell[], text: { shouting: boolean; portuguese: boolean }, base: Base): Cell {
  const found = longestEntry(words, at, limit)
  const place = readPlace(items, tokens, words, at, limit, cells, text.shouting)
  const control = readControl(words, at, limit, items, tokens, cells, text)
  const entryLength = found && believable(found.entry, items, tokens, at, found.length, words, cells) ? found.length : 0
  if (control && control.length >= Math.max(entryLength, place?.length ?? 0)) {
    return { ...base, kind: control.kind, last: at + control.length - 1, word: words.slice(at, at + control.length).join(' ') }
  }
  if (place && (place.length > entryLength || (place.length === entryLength && place.strong))) {
    const cell: Cell = { ...base, kind: 'place', last: at + place.length - 1, word: words.slice(at, at + place.length).join(' '), readings: place.readings }
    if (place.demonym) cell.demonym = true
    return cell
  }
  if (found && entryLength > 0) return wordCell(base, words, at, found.length, found.entry)
  return wordCell(base, words, at, 1, undefined)
}

function wordCell(base: Base, words: readonly string[], at: number, length: number, entry: Entry | undefined): Cell {
  const word = words.slice(at, at + length).join(' ')
  const cell: Cell = { ...base, kind: 'word', last: at + length - 1, word }
  if (entry) cell.entry = entry
  const head = TITLE_HEADS.get(words[at + length - 1]!)
  if (head) cell.head = head
  cell.companyNoun = W.COMPANY_NOUNS.has(word)
  cell.peopleNoun = W.PEOPLE_NOUNS.has(word) || W.ANYONE.has(word)
  cell.small = W.STOP_WORDS.has(word) && !entry
  cell.idle = W.IDLE_ADJECTIVES.has(word)
  cell.unknown = !entry && !head && !cell.companyNoun && !cell.peopleNoun && !cell.small && !cell.idle && !COMMON_WORDS.has(word)
  return cell
}

/** Words that are an abbreviation in capitals and a pronoun without: only the context tells "it" from "IT". */
function believable(entry: Entry, items: readonly Item[], tokens: readonly Token[], at: number, length: number, words: readonly string[], cells: readonly Cell[]): boolean {
  if (length > 1) return true
  const word = words[at]!
  const token = tokens[items[at]!.first]!
  if (word === 'it') return token.allCaps || token.glue === '-' || followsWithHead(words, at + 1) || isLastOf(cells, ['of', 'in'])
  if (word === 'ai' || word === 'ia' || word === 'pa' || word === 'ip' || word === 'ta' || word === 'cs' || word === 'ea' || word === 'md' || word === 'ae' || word === 'gas' || word === 'pas' || word === 'ti' || word === 'cre' || word === 'gps') {
    return token.allCaps || (word !== 'pas' && word !== 'ia' && word !== 'ea' && word !== 'ta')
  }
  if (word === 'pr' || word === 'pe') return token.allCaps || followsWithHead(words, at + 1)
  if (word === 'en' || word === 'in' || word === 'on' || word === 'as') return false
  return entry !== undefined
}

const followsWithHead = (words: readonly string[], at: number): boolean => {
  const next = words[at]
  return next !== undefined && (TITLE_HEADS.has(next) || W.PEOPLE_NOUNS.has(next) || ['decision', 'leadership', 'leaders', 'departments', 'abteilung', 'services', 'consulting', 'companies', 'firms', 'support', 'security'].includes(next))
}

const isLastOf = (cells: readonly Cell[], list: readonly string[]): boolean => {
  const last = cells.at(-1)
  return last !== undefined && last.entry?.prefix !== undefined && list.some(word => last.word.endsWith(word))
}

// ---- negation, correction, headquarters ----

function readControl(words: readonly string[], at: number, limit: number, items: readonly Item[], tokens: readonly Token[], cells: readonly Cell[], text: { portuguese: boolean }): { kind: Cell['kind']; length: number } | undefined {
  let phrase = ''
  let best: { kind: Cell['kind']; length: number } | undefined
  const most = CONTROL_REACH.get(words[at]!) ?? 0
  for (let length = 1; length <= most && at + length <= limit; length++) {
    phrase = length === 1 ? words[at]! : `${phrase} ${words[at + length - 1]!}`
    if (FALSE_NEGATIONS.has(phrase)) return { kind: 'gap', length }
    if (W.INSTEAD_OF.has(phrase)) best = { kind: 'instead', length }
    else if (W.HQ_WORDS.has(phrase)) best = { kind: 'hq', length }
    else if (CORRECTIONS.has(phrase) && correctionFits(phrase, words, at, length, items, cells)) best = { kind: 'correction', length }
    else if (W.NEGATORS.has(phrase) && !(text.portuguese && (phrase === 'no' || phrase === 'non'))) best = { kind: 'negator', length }
    else if (W.TRAILING_NEGATORS.has(phrase)) best = { kind: 'negator', length }
    else if (W.CONJUNCTIONS.has(phrase) && !tokens[items[at]!.first]!.allCaps) best = { kind: 'conjunction', length }
  }
  return best
}

const CORRECTIONS = new Set(W.CORRECTIONS)
const FALSE_NEGATIONS = new Set(W.FALSE_NEGATIONS)
const CONTROL_REACH = new Map<string, number>()
for (const phrases of [FALSE_NEGATIONS, CORRECTIONS, W.INSTEAD_OF, W.HQ_WORDS, W.NEGATORS, W.TRAILING_NEGATORS, W.CONJUNCTIONS]) {
  for (const phrase of phrases) {
    const parts = phrase.split(' ')
    if ((CONTROL_REACH.get(parts[0]!) ?? 0) < parts.length) CONTROL_REACH.set(parts[0]!, parts.length)
  }
}
/** Words of correction that are also ordinary words: they count with punctuation around them only. */
const LOOSE = new Set(['wait', 'sorry', 'better', 'rather', 'update', 'edit', 'moment', 'lieber', 'besser', 'enfin', 'mejor', 'instead', 'eigentlich', 'digo', 'espera', 'correction', 'nope', 'ops', 'oops', 'nee', 'nein', 'warte', 'make it', 'make them', 'change to', 'actually', 'perdon', 'pardon', 'finalement', 'plutot', 'anzi', 'scusa'])
const TIGHT = new Set(['non', 'no actually'])

function correctionFits(phrase: string, words: readonly string[], at: number, length: number, items: readonly Item[], cells: readonly Cell[]): boolean {
  const before = cells.at(-1)
  const opens = before === undefined || before.kind === 'break' || before.kind === 'comma' || before.kind === 'list' || before.kind === 'correction' || before.kind === 'gap'
  const after = items[at + length]
  const closes = after === undefined || after.kind === 'punct'
  if (TIGHT.has(phrase)) return opens && closes && before !== undefined
  if (phrase === 'instead') return words[at + length] !== 'of'
  if (LOOSE.has(phrase)) return opens || (closes && before !== undefined)
  return true
}

// ---- places ----

interface PlaceFind {
  length: number
  readings: PlaceReading[]
  strong: boolean
  demonym?: boolean
}

function isPlaceWord(word: string): boolean {
  const data = gazetteer()
  return data.countryByName.has(word) || data.countryByDemonym.has(word) || data.regionsByName.has(word) || areaByName(word) !== undefined || data.citiesByName(word).length > 0
}

/** Part of a longer name ("Sachsen-Anhalt"): not a slip of anything. */
function inPlaceName(items: readonly Item[], at: number): boolean {
  for (let first = Math.max(0, at - 2); first <= at; first++) {
    let name = ''
    if (gazetteer().reach(items[first]!.word) < 2) continue
    for (let last = first; last < items.length && last <= first + 3; last++) {
      if (items[last]!.kind !== 'word') break
      name = last === first ? items[last]!.word : `${name} ${items[last]!.word}`
      if (last >= at && last > first && isPlaceWord(name)) return true
    }
  }
  return false
}

const STRONG_CODES: Record<string, string> = { us: 'US', uk: 'GB' }
/** Cities that go by two letters, in capitals. */
const CITY_CODES: Record<string, string> = { sf: 'US-CA:San Francisco', la: 'US-CA:Los Angeles', dc: 'US-DC:Washington' }
const SECTIONS = new Set('southern northern eastern western central greater upstate north south east west southeastern southwestern northeastern northwestern southeast southwest northeast northwest nord sud ost sur norte este oeste'.split(' '))
/** Prepositions that are articles or other small words in another language: only a capital letter makes a place after them. */
const LOOSE_PREPOSITIONS = new Set(['a', 'no', 'na', 'en', 'de', 'for', 'land', 'um', 'sur', 'di', 'te', 'stadt', 'zone', 'du', 'des', 'del', 'region', 'market', 'markets', 'country', 'state'])
const ARTICLES = new Set(['the', 'le', 'la', 'les', 'l', 'der', 'die', 'das', 'den', 'dem', 'el', 'los', 'las', 'il', 'lo', 'de', 'het', 'o', 'os', 'as', 'all', 'all of', 'ganz', 'toute', 'todo', 'toda'])

function readPlace(items: readonly Item[], tokens: readonly Token[], words: readonly string[], at: number, limit: number, cells: readonly Cell[], shouting: boolean): PlaceFind | undefined {
  const token = tokens[items[at]!.first]!
  const context = placeContext(cells, items, at, token.capital)
  const data = gazetteer()
  const most = Math.min(5, limit - at, Math.max(data.reach(words[at]!), areaReach(words[at]!), words[at]!.length <= 3 ? 1 : 0))
  for (let length = most; length >= 1; length--) {
    const name = length === 1 ? words[at]! : words.slice(at, at + length).join(' ')
    if (length === 1 && (STRONG_CODES[name] || name.length <= 3)) {
      const code = readCode(name, token, tokens, items, at, words, context, shouting)
      if (code) return code
      if (name.length <= 2) continue
    }
    if (length === 1 && W.STOP_WORDS.has(name)) continue
    const area = areaByName(name)
    if (area && (name.length > 2 || token.allCaps)) return { length, readings: [{ place: { area }, weight: 1e12 }], strong: true }
    const demonym = data.countryByDemonym.get(name)
    const next = words[at + length]
    const speaks = next !== undefined && /^(?:speaking|speakers|speaker|language|sprachig\w*|parlant|parlants|hablante|hablantes|lessons|courses|translation|translators?)$/.test(next)
    if (demonym && speaks && !data.countryByName.has(name)) return undefined
    const lonely = data.lonely.has(name)
    const country = data.countryByName.get(name)
    if (country && (token.capital || !lonely || context)) {
      return { length, readings: readPlaceName(name), strong: token.capital || context || !lonely }
    }
    if (demonym && (token.capital || !/^(?:polish|swiss|danes|thai|indio|indien|chino|turc|grec|suisse)$/.test(name) || !COMMON_WORDS.has(name)) && name !== 'polish') {
      return { length, readings: [{ place: { country: demonym }, weight: 1e11 }], strong: true, demonym: true }
    }
    if (demonym && token.capital) return { length, readings: [{ place: { country: demonym }, weight: 1e11 }], strong: true, demonym: true }
    // "northern France" is France; "le Nord" is a department.
    if (length === 1 && SECTIONS.has(name) && !(context && token.capital && !isPlaceWord(words[at + 1] ?? '') && !['de', 'of', 'du', 'der', 'von'].includes(words[at + 1] ?? ''))) continue
    const hasRegion = data.regionsByName.has(name)
    const cities = hasRegion ? [] : data.citiesByName(name)
    if (!hasRegion && cities.length === 0) continue
    const readings = readPlaceName(name)
    const weight = readings[0]?.weight ?? 0
    const capital = token.capital && !shouting
    // Regions few people name (there is a "Southeastern" in Oman) need their capital letter.
    if (!capital && hasRegion && weight < 1e6) continue
    const everyday = lonely || COMMON_WORDS.has(name) || W.STOP_WORDS.has(name) || W.IDLE_ADJECTIVES.has(name)
    const alone = standsAlone(items, at, length)
    const linked = context || alone
    // A word that is also an everyday word needs the preposition or the list; a small town needs a capital letter too.
    if (everyday && !(linked && (capital || shouting || context))) continue
    if (!everyday && weight < 15_000 && !(linked && (capital || context))) continue
    if (!capital && !linked && weight < 200_000) continue
    if (!capital && name.length < 4 && !context) continue
    const prior = cells.at(-1)
    const afterPlace = prior?.kind === 'place' || (cells.at(-2)?.kind === 'place' && prior?.kind !== 'word')
    return { length, readings, strong: (context && (capital || !everyday) && (weight >= 50_000 || afterPlace || !knownAsWord(name))) || (alone && weight > 1e9) || (afterPlace && capital) }
  }
  return undefined
}

const knownAsWord = (name: string) => isKnownWord(name)

/** Two- and three-letter codes: countries, and states after a city or in a list of states. */
function readCode(name: string, token: Token, tokens: readonly Token[], items: readonly Item[], at: number, words: readonly string[], context: boolean, shouting: boolean): PlaceFind | undefined {
  const data = gazetteer()
  const city = CITY_CODES[name]
  if (city && token.allCaps && !shouting) return { length: 1, readings: [{ place: placeOfCode(city), weight: 1e12 }], strong: true }
  if (city && name === 'sf' && (context || standsAlone(items, at, 1))) return { length: 1, readings: [{ place: placeOfCode(city), weight: 1e12 }], strong: true }
  const strong = STRONG_CODES[name]
  if (strong) {
    const pronoun = name === 'us' && !token.allCaps && !/^(?:the|in)$/.test(words[at - 1] ?? '') && words[at + 1] !== 'based' && !/^(?:the|in)$/.test(words[at - 2] ?? '')
    const alone = standsAlone(items, at, 1)
    if (!pronoun || (name === 'us' && alone && at > 0)) return { length: 1, readings: [{ place: { country: strong }, weight: 1e12 }], strong: true }
    return undefined
  }
  if (!token.allCaps || shouting || !USED_AS_NAMES.test(token.text.replaceAll('.', ''))) return undefined
  const code = name.toUpperCase()
  const readings: PlaceReading[] = []
  const neighbour = hasCodeNeighbour(tokens, items, at)
  const afterCity = context && /^\p{Lu}/u.test(tokens[items[Math.max(0, at - 1)]!.first]!.text)
  if (!context && !neighbour) return undefined
  if (['IT', 'HR', 'PR', 'AI', 'VP', 'BD', 'GM', 'MD', 'PE', 'VC', 'QA', 'ML', 'CS', 'IP', 'MA', 'CEO', 'CTO'].includes(code) && !hasCodeNeighbour(tokens, items, at, true) && !afterCity) return undefined
  for (const country of ['US', 'CA', 'AU']) {
    if (data.regions.has(`${country}-${code}`)) readings.push({ place: { country, region: `${country}-${code}` }, weight: country === 'US' ? 500 : 400 })
  }
  if (data.countries.has(code) && code.length === 2) readings.push({ place: { country: code }, weight: code === 'CA' || code === 'DE' || code === 'IN' || code === 'IL' ? 450 : 300 })
  if (readings.length === 0) return undefined
  return { length: 1, readings, strong: true }
}

function hasCodeNeighbour(tokens: readonly Token[], items: readonly Item[], at: number, codesOnly = false): boolean {
  for (const step of [-1, 1]) {
    const separator = items[at + step]
    const other = items[at + 2 * step]
    if (!separator || !other) continue
    const text = tokens[other.first]!.text
    const listed = separator.word === ',' || separator.word === '/' || separator.word === '+' || separator.word === '|' || ['and', 'or', 'und', 'et', 'y'].includes(separator.word)
    if (codesOnly && !USED_AS_NAMES.test(text)) continue
    if (listed && (USED_AS_NAMES.test(text) || isPlaceWord(other.word)) && (gazetteer().countries.has(text === 'UK' ? 'GB' : text) || gazetteer().regions.has(`US-${text}`) || isPlaceWord(other.word))) return true
  }
  return false
}

/** Whether the text leads one to expect a place here: a preposition, a label, or a list of places going on. */
function placeContext(cells: readonly Cell[], items: readonly Item[], at: number, capital: boolean): boolean {
  let back = cells.length - 1
  const last = cells[back]
  if (!last) return items[at + 1]?.word === 'based'
  if (last.label === 'place' || last.label === 'hq' || last.kind === 'hq') return true
  if (items[at]?.kind === 'word' && items[at + 1]?.word === 'based') return true
  if (last.kind === 'place') return true
  // "dans le Var", "in the Algarve": the article hides the preposition.
  let lead = back
  while (lead > 0 && back - lead < 2 && cells[lead]!.kind === 'word' && ARTICLES.has(cells[lead]!.word)) lead--
  const opener = cells[lead]!
  if (opener.kind === 'word' && W.PLACE_PREPOSITIONS.has(opener.word)) {
    return !LOOSE_PREPOSITIONS.has(opener.word) || capital
  }
  if (last.kind === 'conjunction' && W.PLACE_PREPOSITIONS.has(last.word) && ['en', 'y'].includes(last.word)) return true
  let steps = 0
  while (back >= 0 && steps < 3 && (cells[back]!.kind === 'comma' || cells[back]!.kind === 'conjunction' || cells[back]!.kind === 'list' || cells[back]!.small)) {
    back--
    steps++
  }
  if (steps > 0 && cells[back]?.kind === 'place' && !cells[back]!.demonym) return true
  if (cells[back]?.kind === 'negator' && /(?: in| from| en| a)$/.test(cells[back]!.word)) return true
  return last.kind === 'negator' && /(?: in| from| en| a)$/.test(last.word)
}

/** Nothing but separators around it: "dentists, Manchester". */
function standsAlone(items: readonly Item[], at: number, length: number): boolean {
  const before = items[at - 1]
  const after = items[at + length]
  const edge = (item: Item | undefined) => item === undefined || item.kind === 'punct' || item.kind === 'quantity'
  const joins = (item: Item | undefined) => item !== undefined && W.CONJUNCTIONS.has(item.word)
  return (edge(before) || joins(before)) && (edge(after) || joins(after)) && !(joins(before) && joins(after))
}

function isShouting(tokens: readonly Token[]): boolean {
  let wordsSeen = 0
  let caps = 0
  for (const token of tokens) {
    if (token.kind !== 'word' || token.word.length < 4) continue
    wordsSeen++
    if (token.allCaps) caps++
  }
  return wordsSeen >= 3 && caps > wordsSeen * 0.6
}

const PORTUGUESE = new Set(['diretores', 'diretor', 'diretora', 'nao', 'com', 'em', 'setor', 'varejo', 'gerentes', 'sao', 'dos', 'das', 'funcionarios', 'brasil', 'rio', 'ao', 'pela', 'empresas'])
function looksPortuguese(items: readonly Item[]): boolean {
  let hits = 0
  for (const item of items) if (PORTUGUESE.has(item.word)) hits++
  return hits >= 2
}

