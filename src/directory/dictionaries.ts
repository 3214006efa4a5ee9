import {
  expandArea,
  expandTitle,
  foldTokens,
  type LeadPlace,
  type NamedPlace,
  type Place,
  placeMatcher,
  singularToken,
  type TitleMatch,
  type TitleTest,
  titleMatcher,
} from '#lead-terms'
import { Codes } from './columns.ts'
import type { PlaceRecord, TitleRecord } from './records.ts'

const CACHE_LIMIT_BYTES = 32 * 1024 * 1024

/** Caches the marks of the most recent values: the entries of a dictionary that match them. Entries are only ever added. */
export class MarkCache {
  readonly #marks = new Map<string, Uint8Array>()
  #bytes = 0

  /** The marks for `key`: as many as the dictionary has entries now. */
  get(key: string, count: number, mark: (bits: Uint8Array) => void): Uint8Array {
    let bits = this.#marks.get(key)
    this.#marks.delete(key)
    if (bits?.length !== count) {
      this.#bytes += count - (bits?.length ?? 0)
      bits = new Uint8Array(count)
      mark(bits)
    }
    this.#marks.set(key, bits)
    for (const [oldest, { length }] of this.#marks) {
      if (this.#bytes <= CACHE_LIMIT_BYTES || oldest === key) break
      this.#marks.delete(oldest)
      this.#bytes -= length
    }
    return bits
  }
}

export class TitleDictionary {
  readonly titles: string[] = ['']
  readonly #tokens: (readonly string[])[] = [[]]
  /** Word, without its plural -s -> the titles it occurs in, ascending. */
  readonly #occurrences = new Map<string, number[]>()
  readonly #cache = new MarkCache()

  add({ id, title }: TitleRecord): void {
    this.titles[id] = title
    const tokens = foldTokens(title)
    this.#tokens[id] = tokens
    for (const word of new Set(tokens.map(singularToken))) {
      const titles = this.#occurrences.get(word)
      if (titles) titles.push(id)
      else this.#occurrences.set(word, [id])
    }
  }

  get count(): number {
    return this.titles.length
  }

  /** The marks of a value. Only titles that contain the rarest required word of one of its forms are compared. */
  marks(key: string, searchOf: () => TitleSearch): Uint8Array {
    return this.#cache.get(key, this.count, bits => {
      const { forms, matches } = searchOf()
      for (const form of forms) {
        for (const id of this.#rarest(form)) if (bits[id] === 0 && matches(this.#tokens[id]!)) bits[id] = 1
      }
    })
  }

  #rarest(words: readonly string[]): readonly number[] {
    let rarest: readonly number[] | undefined
    for (const word of words) {
      const titles = this.#occurrences.get(word) ?? []
      if (!rarest || titles.length < rarest.length) rarest = titles
    }
    return rarest ?? []
  }
}

export class PlaceDictionary {
  readonly places: (LeadPlace | undefined)[] = [undefined]
  readonly records: (PlaceRecord | undefined)[] = [undefined]
  /** Country of each place, as a code of `countries`. */
  readonly countryOf: number[] = [0]
  readonly #byCountry = new Map<string, number[]>()
  readonly #cache = new MarkCache()
  #countries = new Codes([])

  add(record: PlaceRecord): void {
    const { id, country, region, city, lat, lon } = record
    this.records[id] = record
    this.places[id] = {
      country,
      region: region ?? undefined,
      city: city ?? undefined,
      point: lat === null || lon === null ? undefined : { lat, lon },
    }
    let ids = this.#byCountry.get(country)
    if (!ids) {
      ids = []
      this.#byCountry.set(country, ids)
      // Codes follow the order of the dictionary, which never changes, so all processes have the same codes.
      this.#countries = new Codes([...this.#countries.values, country])
    }
    ids.push(id)
    this.countryOf[id] = this.#countries.of(country)
  }

  get count(): number {
    return this.places.length
  }

  get countries(): Codes {
    return this.#countries
  }

  marks(place: Place): Uint8Array {
    return this.#cache.get(JSON.stringify(place), this.count, bits => {
      for (const part of 'area' in place ? expandArea(place.area) : [place]) this.#mark(bits, part)
    })
  }

  #mark(bits: Uint8Array, place: NamedPlace): void {
    const matches = placeMatcher(place)
    // Only a radius can reach across a border; every other place is in one country.
    const countries = place.radiusKm === undefined ? [place.country] : [...this.#byCountry.keys()]
    for (const country of countries) {
      for (const id of this.#byCountry.get(country) ?? []) if (matches(this.places[id]!)) bits[id] = 1
    }
  }
}

interface TitleSearch {
  /** For each form of the value, the words (without plural -s) that a matching title must contain. */
  forms: string[][]
  matches: TitleTest
}

/** Prepares a title value for the index of words: the words to look up, and the test that decides. */
export function titleSearch(value: string, match: TitleMatch): TitleSearch {
  const forms = match === 'similar' ? expandTitle(value) : [foldTokens(value)]
  return { forms: forms.map(form => neededWords(form, match)), matches: titleMatcher([value], match) }
}

/** Finds out by comparison which small words may be missing from a title. */
function neededWords(form: readonly string[], match: TitleMatch): string[] {
  const alone = titleMatcher([form.join(' ')], match === 'exact' ? 'exact' : 'words')
  const needed = form.filter(word => !alone(form.filter(other => singularToken(other) !== singularToken(word))))
  return [...new Set(needed.map(singularToken))]
}
