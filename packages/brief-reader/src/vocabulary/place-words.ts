import {
  type Area,
  areaByName,
  areaReach,
  foldText,
  gazetteer,
  type Place,
  type PlaceReading,
  placeOfCode,
  readPlaceName,
} from '../../../lead-terms/src/index.ts'
import type { Item, Source } from '../model.ts'
import { entryOfWord } from './lexicon.ts'
import { Phrases, readEntries, wordSet } from './word-files.ts'
import { COMMON_WORDS, COMPASS, CONJUNCTIONS } from './word-lists.ts'

/** Whether words name a place at all, whatever else they mean. */

export interface PlaceFind {
  length: number
  readings: readonly PlaceReading[]
  /** Certain enough to win against another meaning of the same words. */
  strong: boolean
  /** All places the name stands for, where there are several: "Maghreb". */
  group?: readonly Place[]
  demonym?: boolean
}

const CERTAIN = 1e12

/** Regions of everyday speech that are no entry of the gazetteer. */
const GROUPS = new Phrases<readonly Place[]>(
  new Map(
    readEntries('place-groups.txt').flatMap(([codes, names]) => {
      const places = codes
        .split(/ (?=@|[A-Z]{2}(?:[-: ]|$))/)
        .map(code => (code.startsWith('@') ? { area: code.slice(1) as Area } : placeOfCode(code)))
      return names.map(name => [name, places] as const)
    }),
  ),
)

export function readGroup(words: readonly string[], at: number, limit: number): PlaceFind | undefined {
  const found = GROUPS.longest(words, at, limit)
  const next = found && words[at + found.length]
  // "northeast Germany", "the southwest of France" are parts of what follows.
  if (next && COMPASS.has(words[at + found.length - 1]!) && (next === 'of' || next === 'de' || isPlaceWord(next))) return undefined
  return found && { ...certainly(found.value[0]!), length: found.length, group: found.value }
}
/** The most names that a cache holds; then it is emptied. */
export const MOST_REMEMBERED = 5000

export const certainly = (place: PlaceReading['place']): PlaceFind => ({ length: 1, readings: [{ place, weight: CERTAIN }], strong: true })

/** Texts repeat their words, so the answers are cached. */
const placeWords = new Map<string, boolean>()

export function isPlaceWord(word: string): boolean {
  const known = placeWords.get(word)
  if (known !== undefined) return known
  if (placeWords.size >= MOST_REMEMBERED) placeWords.clear()
  const found = namesPlace(word)
  placeWords.set(word, found)
  return found
}

function namesPlace(word: string): boolean {
  const data = gazetteer()
  return (
    GROUPS.has(word) ||
    data.countryByName.has(word) ||
    data.countryByDemonym.has(word) ||
    areaByName(word) !== undefined ||
    data.regionsByName(word).length > 0 ||
    data.citiesByName(word).length > 0
  )
}

/** "Nordbayern", "Ostösterreich", "im Süden Frankreichs": German writes a part of a place, or whose part it is, in one word with it. */
export function readPart(word: string, before: string | undefined): PlaceFind | undefined {
  const whole = (COMPASS.has(before ?? '') ? /^(.{4,})s$/ : PARTS).exec(word)?.[1]
  const data = gazetteer()
  if (!whole || isPlaceWord(word) || !(data.countryByName.has(whole) || data.regionsByName(whole).length > 0)) return undefined
  return { length: 1, readings: readPlaceName(whole), strong: true }
}
const PARTS = /^(?:nord|sud|mittel|zentral)?(?:ost|west)?(.{5,})$/

/** A name that people have for a place, as against those of the gazetteer. */
export const isEverydayPlace = (word: string): boolean => GROUPS.has(word) || readPart(word, undefined) !== undefined

/** Part of a longer name ("Sachsen-Anhalt"): not a slip of anything. */
export function inPlaceName(items: readonly { kind: string; word: string }[], at: number): boolean {
  for (let first = Math.max(0, at - 2); first <= at; first++) {
    if (Math.max(gazetteer().reach(items[first]!.word), areaReach(items[first]!.word)) < 2) continue
    let name = ''
    for (let last = first; last < items.length && last <= first + 3; last++) {
      if (items[last]!.kind !== 'word') break
      name = last === first ? items[last]!.word : `${name} ${items[last]!.word}`
      if (last >= at && last > first && isPlaceWord(name)) return true
    }
  }
  return false
}

/** The sheet 'L&D Africa', "Texas Push": no place in a quoted name, be it said to be one, or all in capitals and not all of places. */
export function inQuotedName({ text, tokens, items }: Source, at: number): boolean {
  const { start } = tokens[items[at]!.first]!
  const before = /(?:^|(\p{L}*)(:?)\s+)["“„«'‘]([^"“”„«»'‘’\n]*)$/u.exec(text.slice(Math.max(0, start - LONGEST_QUOTED), start))
  const rest = before && /^([^"“”„«»'‘’\n]+)["”“»'’](?!\p{L})\s*(\p{L}*)/u.exec(text.slice(start, start + LONGEST_QUOTED))
  if (!rest) return false
  const quoted = `${before[3]}${rest[1]}`.trim().split(/\s+/)
  // The list: "Berlin", "Munich"
  if ((NAMED.has(foldText(before[1] ?? '')) && (!before[2] || quoted.length > 1)) || NAMED.has(foldText(rest[2]!))) return true
  // "country: 'ES'" is a code.
  const isName = quoted.length > 1 && quoted.length < 5 && quoted.every(word => /^\p{Lu}[^,]*$/u.test(word) && !entryOfWord(foldText(word)))
  return isName && quoted.some(word => !isPlaceWord(foldText(word))) && !isPlaceWord(foldText(quoted.join(' ')))
}
const NAMED = wordSet('things-grammar.txt', 'named')
const LONGEST_QUOTED = 60

/** Nothing but separators around it: "dentists, Manchester". */
export function standsAlone(items: readonly Item[], at: number, length: number): boolean {
  const edge = (item: Item | undefined) => item === undefined || item.kind === 'mark' || item.kind === 'quantity'
  const joins = (item: Item | undefined) => item !== undefined && CONJUNCTIONS.has(item.word)
  const before = items[at - 1]
  const after = items[at + length]
  return (edge(before) || joins(before)) && (edge(after) || joins(after)) && !(joins(before) && joins(after))
}

/** Towns smaller than this give way to a name. */
export const KNOWN_TOWN = 15_000
/** Among names only these are still cities: "Decathlon, Wilson". */
export const BIG_CITY = 300_000

/** A place that people know by this name; a village of that name gives way. */
export function isKnownPlace(phrase: string, amongNames = false): boolean {
  const least = amongNames ? BIG_CITY : KNOWN_TOWN
  return isPlaceWord(phrase) && (COMMON_WORDS.has(phrase) || (readPlaceName(phrase)[0]?.weight ?? least) >= least)
}
