import { gazetteer } from '../search/terms/gazetteer.ts'
import { areaByName, areaReach, isFamiliarCountry, type PlaceReading, placeOfCode, readPlaceName } from '../search/terms/places.ts'
import type { Cell } from './cell.ts'
import { COMMON_WORDS } from './lexicon/common.ts'
import * as W from './lexicon/words.ts'
import type { Item } from './numbers.ts'
import { isKnownWord } from './repair.ts'
import type { Token } from './tokens.ts'

/** Whether a stretch of words names a place, and which places it may be. */

const USED_AS_NAMES = /^[A-Z]{2,3}$/

export interface PlaceFind {
  length: number
  readings: readonly PlaceReading[]
  strong: boolean
  demonym?: boolean
}

export function isPlaceWord(word: string): boolean {
  const data = gazetteer()
  return (
    data.countryByName.has(word) ||
    data.countryByDemonym.has(word) ||
    data.regionsByName(word).length > 0 ||
    areaByName(word) !== undefined ||
    data.citiesByName(word).length > 0
  )
}

/** Part of a longer name ("Sachsen-Anhalt"): not a slip of anything. */
export function inPlaceName(items: readonly Item[], at: number): boolean {
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
/** Codes that stand for nothing else: in capitals, alone between separators, they are the country. */
const LONE_CODES: Record<string, string> = { nz: 'NZ', uae: 'AE', ksa: 'SA', hk: 'HK', usa: 'US' }
/** Cities that go by two letters, in capitals. */
const CITY_CODES: Record<string, string> = { sf: 'US-CA:San Francisco', la: 'US-CA:Los Angeles', dc: 'US-DC:Washington' }
const SECTIONS = new Set(
  'southern northern eastern western central greater upstate north south east west southeastern southwestern northeastern northwestern southeast southwest northeast northwest nord sud ost sur norte este oeste'.split(
    ' ',
  ),
)
/** Prepositions that are articles or other small words in another language: only a capital letter makes a place after them. */
const LOOSE_PREPOSITIONS = new Set(
  'a no na en de for land um sur di te stadt zone du des del region market markets country state'.split(' '),
)
const ARTICLES = new Set([
  'the',
  'le',
  'la',
  'les',
  'l',
  'der',
  'die',
  'das',
  'den',
  'dem',
  'el',
  'los',
  'las',
  'il',
  'lo',
  'de',
  'het',
  'o',
  'os',
  'as',
  'all',
  'all of',
  'ganz',
  'toute',
  'todo',
  'toda',
])

/** Runs of words that name no place: texts repeat themselves, hostile ones most of all. Forgotten together when they become many. */
const nowhere = new Set<string>()
function rememberNowhere(name: string): void {
  if (nowhere.size >= 5000) nowhere.clear()
  nowhere.add(name)
}

export function readPlace(
  items: readonly Item[],
  tokens: readonly Token[],
  words: readonly string[],
  at: number,
  limit: number,
  cells: readonly Cell[],
  shouting: boolean,
): PlaceFind | undefined {
  const token = tokens[items[at]!.first]!
  const context = placeContext(cells, items, at, token.capital)
  const data = gazetteer()
  const most = Math.min(5, limit - at, Math.max(data.reach(words[at]!), areaReach(words[at]!), words[at]!.length <= 3 ? 1 : 0))
  for (let length = most; length >= 1; length--) {
    const name = length === 1 ? words[at]! : words.slice(at, at + length).join(' ')
    if (length > 1 && nowhere.has(name)) continue
    if (length === 1 && token.allCaps && areaByName(name))
      return { length, readings: [{ place: { area: areaByName(name)! }, weight: 1e12 }], strong: true }
    if (length === 1 && name.length === 2 && token.allCaps) {
      const state = stateOfCity(name, cells)
      if (state) return state
    }
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
    const speaks =
      next !== undefined &&
      /^(?:speaking|speakers|speaker|language|sprachig\w*|parlant|parlants|hablante|hablantes|lessons|courses|translation|translators?)$/.test(
        next,
      )
    if (demonym && speaks && !data.countryByName.has(name)) return undefined
    const lonely = data.lonely.has(name)
    const country = data.countryByName.get(name)
    if (country && (token.capital || !lonely || context)) {
      return { length, readings: readPlaceName(name), strong: token.capital || context || !lonely }
    }
    if (
      demonym &&
      (token.capital || !/^(?:polish|swiss|danes|thai|indio|indien|chino|turc|grec|suisse)$/.test(name) || !COMMON_WORDS.has(name)) &&
      name !== 'polish'
    ) {
      return { length, readings: [{ place: { country: demonym }, weight: 1e11 }], strong: true, demonym: true }
    }
    if (demonym && token.capital) return { length, readings: [{ place: { country: demonym }, weight: 1e11 }], strong: true, demonym: true }
    // "northern France" is France; "le Nord" is a department.
    if (
      length === 1 &&
      SECTIONS.has(name) &&
      !(context && token.capital && !isPlaceWord(words[at + 1] ?? '') && !['de', 'of', 'du', 'der', 'von'].includes(words[at + 1] ?? ''))
    )
      continue
    const hasRegion = data.regionsByName(name).length > 0
    const cities = hasRegion ? [] : data.citiesByName(name)
    if (!hasRegion && cities.length === 0) {
      if (length > 1 && !area && !demonym && !country) rememberNowhere(name)
      continue
    }
    const readings = readPlaceName(name)
    const weight = readings[0]?.weight ?? 0
    const capital = token.capital && !shouting
    // Regions few people name (there is a "Southeastern" in Oman) need their capital letter.
    const likeliest = readings[0]?.place
    if (likeliest && 'country' in likeliest && likeliest.city === undefined && weight < 1e6) {
      if (!capital || !(context || (isFamiliarCountry(likeliest.country) && standsAlone(items, at, length)))) continue
    }
    const everyday = lonely || COMMON_WORDS.has(name) || W.STOP_WORDS.has(name) || W.IDLE_ADJECTIVES.has(name)
    const alone = standsAlone(items, at, length)
    const linked = context || alone
    // A word that is also an everyday word needs the preposition or the list; a small town needs a capital letter too.
    if (everyday && !(linked && (capital || shouting || context))) continue
    if (!everyday && weight < 15_000 && !(context && (capital || linked))) continue
    if (!capital && !linked && weight < 200_000) continue
    if (!capital && name.length < 4 && !context) continue
    const prior = cells.at(-1)
    const afterPlace = prior?.kind === 'place' || (cells.at(-2)?.kind === 'place' && prior?.kind !== 'word')
    return {
      length,
      readings,
      strong:
        (context && (capital || !everyday) && (weight >= 50_000 || afterPlace || !knownAsWord(name))) ||
        (alone && weight > 1e9) ||
        (afterPlace && capital),
    }
  }
  return undefined
}

const knownAsWord = (name: string) => isKnownWord(name)

/** "Cambridge, MA", "Portland OR": two capitals after a city that lies there are its state, whatever else they mean. */
function stateOfCity(name: string, cells: readonly Cell[]): PlaceFind | undefined {
  const last = cells.at(-1)
  const city = last?.kind === 'place' ? last : last?.kind === 'comma' ? cells.at(-2) : undefined
  if (city?.kind !== 'place' || city.demonym) return undefined
  for (const country of ['US', 'CA']) {
    const region = `${country}-${name.toUpperCase()}`
    if (city.readings?.some(({ place }) => 'country' in place && place.city !== undefined && place.region === region))
      return { length: 1, readings: [{ place: { country, region }, weight: 1e12 }], strong: true }
  }
  return undefined
}

/** Two- and three-letter codes: countries, and states after a city or in a list of states. */
function readCode(
  name: string,
  token: Token,
  tokens: readonly Token[],
  items: readonly Item[],
  at: number,
  words: readonly string[],
  context: boolean,
  shouting: boolean,
): PlaceFind | undefined {
  const data = gazetteer()
  const city = CITY_CODES[name]
  if (city && token.allCaps && !shouting) return { length: 1, readings: [{ place: placeOfCode(city), weight: 1e12 }], strong: true }
  if (city && name === 'sf' && (context || standsAlone(items, at, 1)))
    return { length: 1, readings: [{ place: placeOfCode(city), weight: 1e12 }], strong: true }
  const strong = STRONG_CODES[name]
  if (strong) {
    const pronoun =
      name === 'us' &&
      !token.allCaps &&
      !/^(?:the|in)$/.test(words[at - 1] ?? '') &&
      words[at + 1] !== 'based' &&
      !/^(?:the|in)$/.test(words[at - 2] ?? '')
    const alone = standsAlone(items, at, 1)
    if (!pronoun || (name === 'us' && alone && at > 0))
      return { length: 1, readings: [{ place: { country: strong }, weight: 1e12 }], strong: true }
    return undefined
  }
  const lone = LONE_CODES[name]
  if (lone && token.allCaps && standsAlone(items, at, 1))
    return { length: 1, readings: [{ place: { country: lone }, weight: 1e12 }], strong: true }
  if (!token.allCaps || shouting || !USED_AS_NAMES.test(token.text.replaceAll('.', ''))) return undefined
  const code = name.toUpperCase()
  const readings: PlaceReading[] = []
  const neighbour = hasCodeNeighbour(tokens, items, at)
  const afterCity = context && /^\p{Lu}/u.test(tokens[items[Math.max(0, at - 1)]!.first]!.text)
  if (!context && !neighbour) return undefined
  if (
    ['IT', 'HR', 'PR', 'AI', 'VP', 'BD', 'GM', 'MD', 'PE', 'VC', 'QA', 'ML', 'CS', 'IP', 'MA', 'CEO', 'CTO'].includes(code) &&
    !hasCodeNeighbour(tokens, items, at, true) &&
    !afterCity
  )
    return undefined
  for (const country of ['US', 'CA', 'AU']) {
    if (data.regions.has(`${country}-${code}`))
      readings.push({ place: { country, region: `${country}-${code}` }, weight: country === 'US' ? 500 : 400 })
  }
  if (data.countries.has(code) && code.length === 2)
    readings.push({ place: { country: code }, weight: code === 'CA' || code === 'DE' || code === 'IN' || code === 'IL' ? 450 : 300 })
  if (readings.length === 0) return undefined
  return { length: 1, readings, strong: true }
}

function hasCodeNeighbour(tokens: readonly Token[], items: readonly Item[], at: number, codesOnly = false): boolean {
  for (const step of [-1, 1]) {
    const separator = items[at + step]
    const other = items[at + 2 * step]
    if (!separator || !other) continue
    const text = tokens[other.first]!.text
    const listed =
      separator.word === ',' ||
      separator.word === '/' ||
      separator.word === '+' ||
      separator.word === '|' ||
      ['and', 'or', 'und', 'et', 'y'].includes(separator.word)
    if (codesOnly && !USED_AS_NAMES.test(text)) continue
    if (
      listed &&
      (USED_AS_NAMES.test(text) || isPlaceWord(other.word)) &&
      (gazetteer().countries.has(text === 'UK' ? 'GB' : text) || gazetteer().regions.has(`US-${text}`) || isPlaceWord(other.word))
    )
      return true
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
  if (last.kind === 'place' || (last.kind === 'correction' && capital)) return true
  // "dans le Var", "in the Algarve": the article hides the preposition.
  let lead = back
  while (lead > 0 && back - lead < 2 && cells[lead]!.kind === 'word' && ARTICLES.has(cells[lead]!.word)) lead--
  const opener = cells[lead]!
  if (opener.kind === 'word' && W.PLACE_PREPOSITIONS.has(opener.word)) {
    return !LOOSE_PREPOSITIONS.has(opener.word) || capital
  }
  if (last.kind === 'conjunction' && W.PLACE_PREPOSITIONS.has(last.word) && ['en', 'y'].includes(last.word)) return true
  let steps = 0
  while (
    back >= 0 &&
    steps < 3 &&
    (cells[back]!.kind === 'comma' || cells[back]!.kind === 'conjunction' || cells[back]!.kind === 'list' || cells[back]!.small)
  ) {
    back--
    steps++
  }
  if (steps > 0 && cells[back]?.kind === 'place' && !cells[back]!.demonym) return true
  // "Austria, not Vienna": what is taken from a place is a place.
  if (last.kind === 'negator' && capital) {
    let whole = cells.length - 2
    while (whole >= 0 && cells.length - whole < 5 && (cells[whole]!.kind === 'comma' || cells[whole]!.kind === 'conjunction')) whole--
    if (cells[whole]?.kind === 'place') return true
  }
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
