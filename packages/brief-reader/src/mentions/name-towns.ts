import { readPlaceName } from '../../../lead-terms/src/index.ts'
import { COMMON_WORDS } from '../lists.ts'
import type { Item } from '../model.ts'
import { inPlaceName, isPlaceWord } from './place-words.ts'

/** Whether a capitalised word where a name is expected is a place all the same. */

/** Towns smaller than this give way to a name. */
const KNOWN_TOWN = 15_000
/** Among names only these are still cities: "Decathlon, Wilson". */
const BIG_CITY = 300_000

/** A place that people know by this name; a village of that name gives way. */
export function isKnownPlace(phrase: string, amongNames = false): boolean {
  const least = amongNames ? BIG_CITY : KNOWN_TOWN
  return isPlaceWord(phrase) && (COMMON_WORDS.has(phrase) || (readPlaceName(phrase)[0]?.weight ?? least) >= least)
}

/** "in Salzgitter", "Den Bosch", "La Roche-sur-Yon": behind the preposition of a place, and within its name, no company is meant. */
export function isPlaceHere(items: readonly Item[], at: number, phrase: string): boolean {
  if (!isPlaceWord(phrase)) return inPlaceName(items, at)
  return IN.has(items[at - 1]?.word ?? '') && (readPlaceName(phrase)[0]?.weight ?? 0) >= 50_000
}
const IN = new Set(['in', 'en', 'im'])

/** The countries of the countries, regions and big cities that a text names. */
function countriesOf(words: readonly string[], but: string): Set<string> {
  const found = new Set<string>()
  for (let at = 0; at < words.length && at < MOST_WORDS; at++) {
    for (const name of [words[at]!, `${words[at]} ${words[at + 1] ?? ''}`]) {
      if (name === but || name.length < 4 || COMMON_WORDS.has(name) || !isPlaceWord(name)) continue
      const reading = readPlaceName(name)[0]
      if (reading && 'country' in reading.place && reading.weight >= BIG_CITY) found.add(reading.place.country)
    }
  }
  return found
}
const MOST_WORDS = 400

export class Towns {
  readonly #words: readonly string[]
  #countries: Set<string> | undefined

  constructor(words: readonly string[]) {
    this.#words = words
  }

  /** "Mexico, except Walmart and Liverpool": a city where the brief does not look, joined to names, is one. */
  isElsewhere(word: string): boolean {
    const place = isPlaceWord(word) ? readPlaceName(word)[0]?.place : undefined
    if (!place || !('country' in place) || !place.city) return false
    this.#countries ??= countriesOf(this.#words, word)
    return this.#countries.size > 0 && !this.#countries.has(place.country)
  }

  /** "Graubünden, ausgenommen Davos", "Jalisco, ni Bimbo": a town gives way to a name unless it lies where the brief looks. */
  isTown(word: string, amongNames: boolean): boolean {
    const readings = readPlaceName(word)
    const weight = readings[0]?.weight ?? 0
    // "Skanska and Turner": a small town among names is one of them.
    if (amongNames && weight < KNOWN_TOWN) return false
    if (!isPlaceWord(word) || weight >= BIG_CITY || weight < 1000 || COMMON_WORDS.has(word)) return isKnownPlace(word, amongNames)
    this.#countries ??= countriesOf(this.#words, word)
    if (this.#countries.size === 0) return isKnownPlace(word, amongNames)
    return readings.some(({ place }) => 'country' in place && this.#countries!.has(place.country))
  }
}
