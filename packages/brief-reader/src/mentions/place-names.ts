import {
  areaByName,
  areaReach,
  gazetteer,
  isFamiliarCountry,
  type PlaceReading,
  placeWithin,
  readPlaceName,
  readQualifier,
} from '../../../lead-terms/src/index.ts'
import type { Chunk, Item, Source, Token } from '../model.ts'
import { entryOfWord } from '../vocabulary/lexicon.ts'
import { certainly, isPlaceWord, MOST_REMEMBERED, type PlaceFind, readGroup, readPart, standsAlone } from '../vocabulary/place-words.ts'
import { readAllWords, wordMap, wordSet } from '../vocabulary/word-files.ts'
import { COMMON_WORDS, COMPASS, IDLE_ADJECTIVES, PEOPLE_NOUNS, ROLE_NOUNS, STOP_WORDS } from '../vocabulary/word-lists.ts'
import { mayBeCode, readCode, SPOKEN } from './place-codes.ts'

/** Whether a stretch of words names a place, and which places it may be. */

const PREPOSITIONS = wordSet('small.txt', 'place prepositions')
/** Prepositions that are articles or other small words in another language: only a capital letter makes a place after them. */
const LOOSE_PREPOSITIONS = wordSet('small.txt', 'loose place prepositions')
const ARTICLES = new Set('the,le,la,les,l,der,die,das,den,dem,el,los,las,il,lo,de,het,o,os,as,all,all of,ganz,toute,todo,toda'.split(','))
const GERMAN_ARTICLES = new Set(['dem', 'den', 'das'])
const CONTRACTED = wordMap('small.txt', 'contracted articles', value => value)
const FIRST_NAMES = readAllWords('first-names.txt')
const PLAIN_PLACES = wordSet('small.txt', 'plain places')
const EVERYDAY_TOWNS = readAllWords('everyday-towns.txt')
/** An everyday word or a first name before it is a place. */
const isLonely = (name: string): boolean => (gazetteer().lonely.has(name) || FIRST_NAMES.has(name)) && !PLAIN_PLACES.has(name)
const MONTHS = new Set(['march', 'may', 'august', 'mars', 'mai', 'mayo', 'agosto', 'april', 'june'])
const WELL_KNOWN = 100_000
/** A negation takes from places that were named no longer ago than this. */
const FAR_BACK = 40
/** The weight of places that are the best known of their name. */
const FAMOUS = 1e9

/** A cache of runs of words that name no place: texts repeat themselves, hostile ones most of all. */
const nowhere = new Set<string>()

export function readPlace(
  source: Source,
  words: readonly string[],
  at: number,
  limit: number,
  chunks: readonly Chunk[],
  label: string | undefined,
  shouting: boolean,
): PlaceFind | undefined {
  const { items, tokens } = source
  // "12 March", "a dinner in May": the town of that name has its county or country after it.
  if (MONTHS.has(words[at]!) && !isQualified(source, at + 1, readPlaceName(words[at]!))) return undefined
  const group = readGroup(words, at, limit)
  // "Catalan speaking"
  if (group) return SPOKEN.test(words[at + group.length] ?? '') ? undefined : group
  const token = tokens[items[at]!.first]!
  const expected = label === 'place' || label === 'hq' || isExpected(chunks, items, at, token.capital)
  // "DACH, SaaS, nicht Wien": a well-known place after a negation is taken from the places named before.
  const taken = ['negator', 'instead'].includes(chunks.at(-1)?.kind ?? '') && chunks.slice(-FAR_BACK).some(chunk => chunk.kind === 'place')
  const data = gazetteer()
  const short = mayBeCode(words[at]!) ? 1 : 0
  // "au Mans", "du Havre", "aux Sables-d'Olonne": the preposition hides the article of the town.
  const article = token.capital ? CONTRACTED.get(words[at - 1] ?? '') : undefined
  const reach = Math.max(data.reach(words[at]!), areaReach(words[at]!), article ? data.reach(article) : short)
  const most = Math.min(5, limit - at, reach)
  // "Frankfurt (Oder)", "Halle (Saale)"
  const bracketed = words[at + 1] === '(' && words[at + 3] === ')' ? `${words[at]} ${words[at + 2]}` : ''
  if (bracketed && data.citiesByName(bracketed).length > 0) return { length: 4, readings: readPlaceName(bracketed), strong: true }
  for (let length = most; length >= 1; length--) {
    const name = length === 1 ? words[at]! : words.slice(at, at + length).join(' ')
    const whole = article && `${article} ${name}`
    if (whole && data.citiesByName(whole).length > 0) return { length, readings: readPlaceName(whole), strong: true }
    if (length > 1 && nowhere.has(name)) continue
    // "le Sud-Ouest": a direction is no place of that name.
    if (length > 1 && name.split(' ').every(word => COMPASS.has(word))) continue
    if (length === 1 && mayBeCode(name)) {
      const code = readCode(source, name, at, chunks, expected, label, shouting)
      if (code) return code
      if (name.length <= 2) continue
    }
    // "Canton, Ohio"
    if (length === 1 && STOP_WORDS.has(name) && !(name === 'canton' && token.capital)) continue
    const area = areaByName(name)
    if (area) return { ...certainly({ area }), length }
    const found = readCountry(name, length, token, words[at + length], expected)
    if (found === 'spoken') return undefined
    if (found) return found
    // "northern France" is France; "le Nord" is a department.
    const next = words[at + 1] ?? ''
    const alone =
      expected && token.capital && words[at - 1] !== 'im' && !isPlaceWord(next) && !['de', 'of', 'du', 'der', 'von'].includes(next)
    if (length === 1 && COMPASS.has(name) && (!alone || /^(?:north|south|east|west)$/.test(name) || COMPASS.has(words[at - 1] ?? '')))
      continue
    const hasRegion = data.regionsByName(name).length > 0
    if (!hasRegion && data.citiesByName(name).length === 0) {
      if (length > 1 && nowhere.size >= MOST_REMEMBERED) nowhere.clear()
      if (length > 1) nowhere.add(name)
      continue
    }
    const said = expected || isQualified(source, at + length, readPlaceName(name))
    const town = readTown(source, name, at, length, chunks, { expected: said, taken }, token.capital && !shouting, shouting)
    if (town) return town
  }
  return readPart(words[at]!, words[at - 1])
}

function readCountry(
  name: string,
  length: number,
  token: Token,
  next: string | undefined,
  expected: boolean,
): PlaceFind | 'spoken' | undefined {
  const data = gazetteer()
  // "the states of Washington and Oregon"
  const country = next === 'of' && name.endsWith('states') ? undefined : data.countryByName.get(name)
  const adjective = data.countryByDemonym.get(name)
  if (adjective && !country && next !== undefined && SPOKEN.test(next)) return 'spoken'
  const lonely = isLonely(name)
  if (country && (token.capital || !lonely || expected))
    return { length, readings: readPlaceName(name), strong: token.capital || expected || !lonely }
  if (adjective && (token.capital || name !== 'polish'))
    return { length, readings: [{ place: { country: adjective }, weight: 1e11 }], strong: true, demonym: true }
  return undefined
}

/** "Cobh, Ireland", "Midland TX": a country or a state right after, in which it lies, says that a town is meant. */
function isQualified({ items, tokens }: Source, behind: number, readings: readonly PlaceReading[]): boolean {
  const outer = items[behind]?.word === ',' || items[behind]?.word === '(' ? items[behind + 1] : items[behind]
  const token = outer?.kind === 'word' ? tokens[outer.first]! : undefined
  if (!token?.capital || (token.word.length < 4 && !token.allCaps)) return false
  return readQualifier(token.text).some(place =>
    readings.some(({ place: town }) => 'country' in town && town.city !== undefined && placeWithin(town, place)),
  )
}

/** A region or a city: how much the text must support it depends on how well known it is, and on what else the word means. */
function readTown(
  { items, tokens }: Source,
  name: string,
  at: number,
  length: number,
  chunks: readonly Chunk[],
  { expected, taken }: { expected: boolean; taken: boolean },
  capital: boolean,
  shouting: boolean,
): PlaceFind | undefined {
  const readings = readPlaceName(name)
  const weight = readings[0]?.weight ?? 0
  // "Ribera del Duero": a small town's name that continues is another place's.
  const onward = items[at + length]?.word === 'del' ? tokens[items[at + length + 1]?.first ?? -1] : undefined
  if (onward?.capital && weight < WELL_KNOWN && !isPlaceWord(onward.word)) return undefined
  const likeliest = readings[0]?.place
  // "Ontario, fleet directors", "100 Autos auf dem Hof": what a person is called after, and what has an article, is no small town.
  const next = items[at + length]?.word ?? ''
  const called = !capital && (ROLE_NOUNS.has(next) || PEOPLE_NOUNS.has(next))
  if (weight < WELL_KNOWN && (called || GERMAN_ARTICLES.has(items[at - 1]?.word ?? ''))) return undefined
  const alone = standsAlone(items, at, length)
  // Regions few people name (there is a "Southeastern" in Oman) need their capital letter.
  if (likeliest && 'country' in likeliest && likeliest.city === undefined && weight < 1e6) {
    if (!capital || !(expected || ((alone || name.endsWith('shire')) && isFamiliarCountry(likeliest.country)))) return undefined
  }
  const everyday = isLonely(name) || COMMON_WORDS.has(name) || STOP_WORDS.has(name) || IDLE_ADJECTIVES.has(name) || EVERYDAY_TOWNS.has(name)
  // "Change: drop Taiwan", "Hope, thanks": where a sentence begins, an everyday word is no small town, unless a place is next to it.
  const besides = items[at + length]?.kind === 'mark' && isPlaceWord(items[at + length + 1]?.word ?? '')
  const linked = expected || (alone && (!everyday || weight >= WELL_KNOWN || besides || (capital && chunks.at(-1)?.kind === 'comma')))
  // A word that is also an everyday word needs the preposition or the list; a small town needs a capital letter too.
  const prior = chunks.at(-1)
  const famous = weight >= FAMOUS && prior !== undefined && prior.kind === 'word' && prior.small
  const certain = capital && ((taken && weight >= WELL_KNOWN) || famous)
  // "Madrid capital", "in Ireland, say managers": an everyday word after a place is not the next one, nor in a list of capitals.
  const listed = prior?.kind === 'comma' || prior?.kind === 'list' ? chunks.at(-2) : undefined
  // "leeds sheffield york hull": in a row of towns without capitals it is the next one.
  const goesOn = items[at + length]?.kind === 'word' && isPlaceWord(next) && !isLonely(next)
  const ends = items[at + length]?.kind !== 'word' && isPlainPlace(chunks.at(-2))
  const inRow = weight >= WELL_KNOWN && !entryOfWord(name) && isPlainPlace(prior) && (goesOn || ends)
  const follows = (prior?.kind === 'place' && !inRow) || (listed?.kind === 'place' && listed.capital)
  if (everyday && !capital && !shouting && follows) return undefined
  if (everyday && !certain && !(linked && (capital || shouting || expected))) return undefined
  if (!everyday && weight < 15_000 && !(expected && (capital || linked))) return undefined
  if (!capital && ((!linked && weight < 200_000) || (name.length < 4 && !expected))) return undefined
  const afterPlace = prior?.kind === 'place' || (chunks.at(-2)?.kind === 'place' && prior?.kind !== 'word')
  return {
    length,
    readings,
    strong:
      (expected && (capital || !everyday) && (weight >= 50_000 || afterPlace || !entryOfWord(name))) ||
      (alone && weight > 1e9) ||
      (afterPlace && capital),
  }
}

const isPlainPlace = (chunk: Chunk | undefined): boolean => chunk?.kind === 'place' && !chunk.capital && !chunk.demonym

/** Whether the text leads one to expect a place here: a preposition, or a list of places going on. */
function isExpected(chunks: readonly Chunk[], items: readonly Item[], at: number, capital: boolean): boolean {
  const last = chunks.at(-1)
  if (items[at]?.kind === 'word' && items[at + 1]?.word === 'based') return true
  if (!last) return false
  if (last.kind === 'headquarters' || last.kind === 'place' || (last.kind === 'correction' && capital)) return true
  // "dans le Var", "in the Algarve": the article hides the preposition.
  let lead = chunks.length - 1
  while (lead > 0 && chunks.length - 1 - lead < 2 && chunks[lead]!.kind === 'word' && ARTICLES.has(chunks[lead]!.word)) lead--
  const opener = chunks[lead]!
  if (opener.kind === 'word' && PREPOSITIONS.has(opener.word)) return !LOOSE_PREPOSITIONS.has(opener.word) || capital
  // "the interior of BC"
  if (opener.word === 'of' && COMPASS.has(chunks[lead - 1]?.word ?? '')) return capital
  if (last.kind === 'conjunction' && ['en', 'y'].includes(last.word)) return true
  let back = chunks.length - 1
  while (back >= 0 && chunks.length - 1 - back < 3 && (isSeparator(chunks[back]!) || chunks[back]!.small)) back--
  // "in Spain who buy": without a comma, a small word continues about the place.
  const goesOn = capital || chunks.slice(back + 1).some(isSeparator)
  if (goesOn && back < chunks.length - 1 && chunks[back]?.kind === 'place' && !chunks[back]!.demonym) return true
  const negator = chunks[back]?.kind === 'negator' ? chunks[back]! : undefined
  if (negator && /(?: in| from| en| a| aus)$/.test(negator.word)) return true
  if (!negator || !capital) return false
  // "Austria, not Vienna": what is taken from a place is a place.
  let whole = back - 1
  while (whole >= 0 && back - whole < 4 && isSeparator(chunks[whole]!)) whole--
  return chunks[whole]?.kind === 'place'
}

const isSeparator = (chunk: Chunk): boolean => chunk.kind === 'comma' || chunk.kind === 'conjunction' || chunk.kind === 'list'
