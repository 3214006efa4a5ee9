import { areaByName, gazetteer, type PlaceReading, placeOfCode } from '../../../lead-terms/src/index.ts'
import type { Chunk, Item, Source } from '../model.ts'
import { entryOfWord } from '../vocabulary/lexicon.ts'
import { certainly, isPlaceWord, type PlaceFind, standsAlone } from '../vocabulary/place-words.ts'
import { readEntries, wordMap, wordSet } from '../vocabulary/word-files.ts'
import { BEFORE_US, COMPANY_NOUNS, COMPASS, CONJUNCTIONS, PEOPLE_NOUNS, ROLE_NOUNS, STOP_WORDS } from '../vocabulary/word-lists.ts'

/** Places that go by a few letters: countries, well-known cities, states after their city. */

/** Countries whose short names stand for nothing else, in whatever letters. */
const COUNTRY_CODES: Record<string, string> = { us: 'US', uk: 'GB', usa: 'US', uae: 'AE', ksa: 'SA', nz: 'NZ' }
/** Short names that need nothing around them, unless they are no word of any language. */
const LONE_CODES: Record<string, string> = { hk: 'HK', aus: 'AU', roi: 'IE', rsa: 'ZA' }
/** Cities that go by a few letters; "la" and "dc" need their capitals. */
const CITY_CODES = wordMap('things-grammar.txt', 'city codes', value => value)
const WEAK_CITY_CODES = new Map(readEntries('weak-cities.txt').flatMap(([city, names]) => names.map(name => [name, city] as const)))
/** Capitals that mean something else before they mean a place. */
const NOT_PLACES = new Set('KI IT HR PR AI VP BD GM MD PE VC QA ML CS IP MA CEO CTO'.split(' '))
export const SPOKEN =
  /^(?:speaking|speakers|speaker|language|sprachig\w*|parlant|parlants|hablante|hablantes|lessons|courses|translation|translators?)$/
/** "eu only", "eu countries": next to these an area needs no capitals. */
const AREA_NOUNS = new Set('only based wide countries region ex minus except excluding excl without but not no'.split(' '))
/** In capitals these mean their country also where nothing else says that a place is meant. */
const LONELY_CODES = wordSet('things-grammar.txt', 'lonely codes')
const CODE = /^[A-Z]{2,3}$/
const FIELDED = /^(?:start ?ups?|scale ?ups?|boites?|societes?|entreprises?|empresas?|pymes?|pme|solutions?|logiciels?|editeurs?)$/
const ROMANCE = new Set('en et du les dans chez para y los las del'.split(' '))
const JOINS = ['and', 'or', 'und', 'oder', 'et', 'ou', 'y', 'o']

/** "UK", "DC", "UAE": a short name of a place, whatever else it may mean. */
export const isPlaceCode = (word: string): boolean =>
  COUNTRY_CODES[word] !== undefined || LONE_CODES[word] !== undefined || CITY_CODES.has(word)

/** Whether it may be the short name of a place, however many letters it has: "jax", "indy". */
export const mayBeCode = (word: string): boolean => word.length <= 3 || WEAK_CITY_CODES.has(word)

/** "SE, NO, DK", "dk/se/no", "Country: NO", "CFOs, BE": among codes or in capitals, the letters of a country refuse nothing. */
export function isCountryCode(source: Source, at: number, label: string | undefined): boolean {
  const { items, tokens } = source
  const { allCaps, text } = tokens[items[at]!.first]!
  const next = items[at + 1]
  if (next?.kind === 'word' && !(allCaps && JOINS.includes(next.word))) return false
  if (allCaps && label === 'place') return true
  if (allCaps && text !== 'NO' && LONELY_CODES.has(text)) return true
  if (!allCaps && inRowOfCodes(source, at, [',', ...JOINS])) return true
  const signs = allCaps ? [',', '/', '+', '&', ...JOINS] : ['/', '+']
  return [-1, 1].some(step => {
    const other = tokens[items[at + 2 * step]?.first ?? -1]?.text ?? ''
    const isCode = other === 'UK' || (CODE.test(other) === allCaps && other.length === 2 && gazetteer().countries.has(other.toUpperCase()))
    return signs.includes(items[at + step]?.word ?? '') && isCode && !NOT_PLACES.has(other.toUpperCase())
  })
}

/** The codes that stand in one row with this one. Capitals need no sign between them: "TX LA AR". */
function rowOf({ items, tokens }: Source, at: number, signs: readonly string[], isCode: (letters: string) => boolean): string[] {
  const { allCaps } = tokens[items[at]!.first]!
  const isOne = (item: Item | undefined) =>
    item?.kind === 'word' && item.word.length === 2 && tokens[item.first]!.allCaps === allCaps && isCode(item.word.toUpperCase())
  const row = [items[at]!.word.toUpperCase()]
  for (const step of [-1, 1])
    for (let other = at; row.length < 9; row.push(items[other]!.word.toUpperCase())) {
      const touches = allCaps && isOne(items[other + step])
      if (!touches && !signs.includes(items[other + step]?.word ?? '')) break
      other += touches ? step : 2 * step
      if (!isOne(items[other])) break
    }
  return row
}

/** "se, no, dk", "pt/it/es": whether three codes of countries stand in one row with this one, two of which mean nothing else. */
function inRowOfCodes(source: Source, at: number, signs: readonly string[]): boolean {
  const row = rowOf(source, at, signs, code => gazetteer().countries.has(code))
  return row.length >= 3 && row.filter(code => !NOT_PLACES.has(code)).length >= 2
}
const SIGNS = [',', '/', '+', ...JOINS]

/** Two- and three-letter codes: countries, well-known cities, and states after a city or in a list of states. */
export function readCode(
  source: Source,
  name: string,
  at: number,
  chunks: readonly Chunk[],
  expected: boolean,
  label: string | undefined,
  shouting: boolean,
): PlaceFind | undefined {
  const { items, tokens } = source
  const token = tokens[items[at]!.first]!
  const data = gazetteer()
  // "NE Ohio", "SE Michigan": a part of what follows.
  if (COMPASS.has(name) && data.regionsByName(items[at + 1]?.word ?? '').length > 0) return undefined
  // "in Wisconsin, QA directors", "in Spain, PR managers": a function before its rank.
  if (entryOfWord(name)?.function && ROLE_NOUNS.has(items[at + 1]?.word ?? '')) return undefined
  const alone = standsAlone(items, at, 1)
  const slashed = [items[at - 1]?.word, items[at + 1]?.word].includes('/')
  const area = token.allCaps || alone || slashed || AREA_NOUNS.has(items[at + 1]?.word ?? '') ? areaByName(name) : undefined
  if (area) return certainly({ area })
  if (token.allCaps && label === 'place' && data.countries.has(name.toUpperCase()) && isUnderCountries(items, at))
    return certainly({ country: name.toUpperCase() })
  if (token.allCaps && name.length === 2 && !(name === 'or' && isPlaceWord(items[at + 1]?.word ?? ''))) {
    const state = stateOfCity(name, chunks)
    if (state) return state
  }
  // "TX LA AR MS", "pa, md, de": three states in a row are states, whatever else their letters mean.
  const inRow = name.length === 2 && isState(name) && (token.allCaps || expected) && rowOf(source, at, SIGNS, isState).length >= 3
  if (inRow) return certainly({ country: 'US', region: `US-${name.toUpperCase()}` })
  // "TX/OK/LA": among states the letters are one.
  const city = name === 'la' && token.allCaps && besideState(source, at) ? undefined : CITY_CODES.get(name)
  const listed = alone || (chunks.at(-1)?.kind === 'place' && !chunks.at(-1)!.demonym && name !== 'la')
  const ends = items[at + 1]?.kind !== 'word'
  const loose = city && (listed || (expected && (ends || (name !== 'la' && name !== 'dc'))))
  if (city && ((token.allCaps && !shouting) || loose || name === 'nyc' || name === 'ldn')) return certainly(placeOfCode(city))
  const goesOn = !ends && CONJUNCTIONS.has(items[at + 1]!.word) && isPlaceWord(items[at + 2]?.word ?? '')
  const weak = expected && (ends || goesOn) ? WEAK_CITY_CODES.get(name) : undefined
  // "BA, HR and RS" are countries, "MSP, MSSP" trades; "in den" needs a capital.
  const isOther = name.length === 2 ? hasCodeBeside(source, at, true) : entryOfWord(name) && !hasCodeBeside(source, at, false)
  if (weak && !isOther && (token.capital || !STOP_WORDS.has(name))) return certainly(placeOfCode(weak))
  const country = COUNTRY_CODES[name]
  if (country) {
    return name === 'us' && !token.allCaps && isPronoun(source, at) ? undefined : certainly({ country })
  }
  const lone = LONE_CODES[name]
  // German "aus" is a word of its own.
  const isSmallWord = name === 'aus' && !token.allCaps && (hasWordOf(source, GERMAN) || GERMAN_SUBJECTS.has(items[at - 1]?.word ?? ''))
  if (lone && !isSmallWord && (listed || slashed || (expected && ends))) return certainly({ country: lone })
  // "Manchester OR Leeds" joins two places; "Portland OR" is in Oregon, and so is "OR and WA".
  if (name === 'or' && !ends && !(JOINS.includes(items[at + 1]!.word) && hasCodeBeside(source, at, true))) return undefined
  const code = name.toUpperCase()
  const isSmallCountry = name.length === 2 && !token.allCaps && data.countries.has(code)
  // "GEO: fr, be, lu", "uk + ie", "de/at/ch": under its label and in a list of codes a code needs no capitals; among codes the letters of
  // a department are a country's: "pt/it/es".
  const isListedCountry = () => (!NOT_PLACES.has(code) && isListedCode(source, at)) || (slashed && inRowOfCodes(source, at, ['/']))
  if (isSmallCountry && ((label === 'place' && alone) || isListedCountry())) return certainly({ country: code })
  // "fl tx az", "ny + boston", "in tx, not houston": states whose letters are no word, next to places or other states.
  const next = items[at + 1]?.word ?? ''
  const isDue = expected && (ends || AREA_NOUNS.has(next) || (JOINS.includes(next) && isPlainState(items[at + 2]?.word ?? '{')))
  const isPlain = name.length === 2 && isPlainState(name) && (listed || isDue || followsState(source, at))
  // "nj pa", "oh mi in": after a state in lower case another one, unless it is a small word of the grammar.
  const row = !token.allCaps && (isSmallState(source, at - 1, chunks) || (ends && isSmallState(source, at - 2, chunks, -2)))
  if (isPlain || (row && name.length === 2 && !STOP_WORDS.has(name) && isState(name))) return statesOf(code)
  if (!token.allCaps || shouting || !CODE.test(token.text.replaceAll('.', ''))) return undefined
  // "CH (DE-speaking)"
  if (SPOKEN.test(items[at + 1]?.word ?? '')) return undefined
  // "heads of HR, IT", "Leeds, HR people"
  if (NOT_PLACES.has(code) && PEOPLE_NOUNS.has(items[at + 1]?.word ?? '')) return undefined
  if (code === 'AI' || chunks.at(-1)?.entry?.opening) return undefined
  // "startups IA", "chercheurs en IA": in French and Spanish the letters are the field.
  if (code === 'IA' && (FIELDED.test(chunks.at(-1)?.word ?? '') || hasWordOf(source, ROMANCE))) return undefined
  const lonely = alone && LONELY_CODES.has(code)
  const beside = hasCodeBeside(source, at, false)
  if (!expected && !beside && !lonely) return undefined
  if (lonely && !expected && !hasCodeBeside(source, at, true)) return certainly({ country: code })
  const afterCapital = expected && /^\p{Lu}/u.test(tokens[items[Math.max(0, at - 1)]!.first]!.text)
  if (NOT_PLACES.has(code) && !afterCapital && chunks.at(-2)?.kind !== 'place' && !hasCodeBeside(source, at, true)) return undefined
  const readings: PlaceReading[] = []
  for (const [state, weight] of [
    ['US', 500],
    ['CA', 400],
    ['AU', 400],
    ...(hasWordOf(source, GERMAN) && code !== 'BE' ? [['DE', 600] as const] : []),
  ] as const)
    if (data.regions.has(`${state}-${code}`)) readings.push({ place: { country: state, region: `${state}-${code}` }, weight })
  if (data.countries.has(code) && code.length === 2)
    readings.push({ place: { country: code }, weight: ['CA', 'DE', 'IN', 'IL'].includes(code) ? 450 : 300 })
  return readings.length === 0 ? undefined : { length: 1, readings, strong: true }
}

/** "country: DE": the label says that no state is meant. */
function isUnderCountries(items: Source['items'], at: number): boolean {
  let before = at - 1
  while (before > 0 && at - before < MOST_CODES && items[before]!.word !== ':') before--
  return items[before]?.word === ':' && /^(?:countr(?:y|ies)|codes?|land|lander|pays|pais|paises)$/.test(items[before - 1]?.word ?? '')
}
const MOST_CODES = 30

/** In a German text two capitals are a German state first: "MV und SH". */
const GERMAN_SUBJECTS = new Set('wir ich man ihr sie du'.split(' '))
const GERMAN = new Set('und bei mit der die keine ohne'.split(' '))

const hasWordOf = ({ distinct }: Source, language: ReadonlySet<string>): boolean => [...language].some(word => distinct.has(word))

/** "Cambridge, MA", "Portland OR": two capitals after a city that lies there are its state, whatever else they mean. */
function stateOfCity(name: string, chunks: readonly Chunk[]): PlaceFind | undefined {
  const last = chunks.at(-1)
  const city = last?.kind === 'place' ? last : last?.kind === 'comma' ? chunks.at(-2) : undefined
  if (city?.kind !== 'place' || city.demonym) return undefined
  for (const country of ['US', 'CA']) {
    const region = `${country}-${name.toUpperCase()}`
    if (city.readings?.some(({ place }) => 'country' in place && place.city !== undefined && place.region === region))
      return certainly({ country, region })
  }
  return undefined
}

/** The letters of a state of the US; those of Western Australia are the same. */
const statesOf = (code: string): PlaceFind => ({
  ...certainly({ country: 'US', region: `US-${code}` }),
  readings: (code === 'WA' ? ['US', 'AU'] : ['US']).map(country => ({ place: { country, region: `${country}-${code}` }, weight: 1e12 })),
})
const isState = (letters: string): boolean => gazetteer().regions.has(`US-${letters.toUpperCase()}`)
const isPlainState = (word: string): boolean => word < '{' && !STATES_LIKE_WORDS.has(word) && isState(word)
const STATES_LIKE_WORDS = wordSet('things-grammar.txt', 'states like words')

/** Whether a state was read from two lower case right before. */
function isSmallState({ items, tokens }: Source, at: number, chunks: readonly Chunk[], back = -1): boolean {
  const last = chunks.at(back)
  return last?.kind === 'place' && last.last === at && last.word.length === 2 && !tokens[items[at]!.first]!.allCaps
}

/** Whether the next word is such a state too, or a place. */
function followsState({ items }: Source, at: number): boolean {
  const next = items[at + 1]
  if (next?.kind !== 'word') return false
  const endsRow = next.word.length === 2 && items[at + 2]?.kind !== 'word' && !STOP_WORDS.has(next.word) && isState(next.word)
  return endsRow || isPlainState(next.word) || (next.word.length > 3 && isPlaceWord(next.word))
}

/** Two letters between the signs of a list ("/", "+", ","), with another code or a country that goes by its letters next to them. */
function isListedCode({ items }: Source, at: number): boolean {
  const sign = (item: { kind: string; word: string } | undefined) => item !== undefined && ['/', '+', ',', '&'].includes(item.word)
  const edge = (item: { kind: string } | undefined) => item === undefined || item.kind !== 'word'
  const isCode = (word: string) =>
    word.length === 2 &&
    (COUNTRY_CODES[word] !== undefined || (gazetteer().countries.has(word.toUpperCase()) && !NOT_PLACES.has(word.toUpperCase())))
  // The first of a list may come after a word, unless it is one itself: "fintech nl/de/se".
  const opens = items[at + 1]?.word === '/' && !STOP_WORDS.has(items[at]!.word)
  if (!(edge(items[at - 1]) || opens) || !edge(items[at + 1])) return false
  // "mn, no agencies": a word that continues is none.
  return [-1, 1].some(step => sign(items[at + step]) && isCode(items[at + 2 * step]?.word ?? '') && (step < 0 || edge(items[at + 3])))
}

/** Whether the letters of a state of the US are listed right next to, and no city is: "LA, CA" and "LA/NY" are cities. */
function besideState({ items, tokens }: Source, at: number): boolean {
  return [-1, 1].some(step => {
    const { text } = tokens[items[at + 2 * step]?.first ?? -1] ?? { text: '' }
    return SIGNS.includes(items[at + step]?.word ?? '') && CODE.test(text) && isState(text) && !/^(?:CA|NY|DC)$/.test(text)
  })
}

/** Whether a code or a place is listed next to this one: "TX, OK", "US/CA". */
function hasCodeBeside({ items, tokens }: Source, at: number, codesOnly: boolean): boolean {
  const data = gazetteer()
  for (const step of [-1, 1]) {
    const separator = items[at + step]
    const other = items[at + 2 * step]
    if (!separator) continue
    // "FL GA NC": a row of states needs nothing between them.
    const beside = tokens[separator.first]!.text
    if (CODE.test(beside) && data.regions.has(`US-${beside}`) && data.regions.has(`US-${tokens[items[at]!.first]!.text}`)) return true
    if (!other) continue
    if (![',', '/', '+', '|', 'and', 'or', 'und', 'et', 'y'].includes(separator.word)) continue
    const { text } = tokens[other.first]!
    if (codesOnly && (!CODE.test(text) || NOT_PLACES.has(text))) continue
    const isProvince = [text, tokens[items[at]!.first]!.text].every(code => data.regions.has(`CA-${code}`))
    const isCode = CODE.test(text) && (data.countries.has(text === 'UK' ? 'GB' : text) || data.regions.has(`US-${text}`) || isProvince)
    if (isCode || isPlaceWord(other.word)) return true
  }
  return false
}

/** "help us", and "banks excite us": after a verb that no one knows, at the end of its clause, the sender is meant. */
function isPronoun({ items, words }: Source, at: number): boolean {
  const before = items[at - 1]?.kind === 'word' ? words[at - 1]! : ''
  if (items[at + 1]?.word === 'based' || before === '') return false
  if (BEFORE_US.has(before)) return true
  const known = STOP_WORDS.has(before) || COMPANY_NOUNS.has(before) || ROLE_NOUNS.has(before) || isPlaceWord(before)
  const hasSubject = items[at - 2]?.kind === 'word'
  return hasSubject && !known && !entryOfWord(before) && items[at + 1]?.kind !== 'quantity' && items[at + 1]?.kind !== 'word'
}
