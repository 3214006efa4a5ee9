import { readPhraseFile, readWordFile } from '../search/terms/phrase-file.ts'

/** Readers of the word files in `words/`. */

const WORDS = new URL('./words/', import.meta.url)

export const readEntries = (file: string): [value: string, phrases: string[]][] => readPhraseFile(new URL(file, WORDS))

/** A word file as it stands, without its comments. */
export const readWordText = (file: string): string => readWordFile(new URL(file, WORDS)).replace(/^#.*$/gm, '')

/** All phrases of a file, whatever stands before the colons. */
export const readAllWords = (file: string): ReadonlySet<string> =>
  new Set(readEntries(file).flatMap(([, phrases]) => phrases.flatMap(combinations)))

const sections = new Map<string, Map<string, [string, string[]][]>>()

function section(file: string, name: string): [value: string, phrases: string[]][] {
  let found = sections.get(file)
  if (!found) {
    found = new Map()
    let lines: [string, string[]][] = []
    for (const line of readWordFile(new URL(file, WORDS)).split('\n')) {
      if (line === '' || line.startsWith('#')) continue
      if (line.startsWith('[')) {
        lines = []
        found.set(line.slice(1, -1), lines)
        continue
      }
      const colon = line.indexOf(': ')
      lines.push([
        line.slice(0, colon),
        line
          .slice(colon + 2)
          .split(', ')
          .flatMap(combinations),
      ])
    }
    sections.set(file, found)
  }
  const lines = found.get(name)
  if (!lines) throw new Error(`no section [${name}] in words/${file}`)
  return lines
}

/** "(skip|drop) (them|those)" stands for each of its four combinations. */
function combinations(phrase: string): string[] {
  if (!phrase.includes('(')) return [phrase]
  const parts = phrase.split(/[()]/).map((part, at) => (at % 2 === 0 ? [part] : part.split('|')))
  const joined = parts.reduce((all, part) => all.flatMap(before => part.map(each => before + each)), [''])
  return joined.map(each => each.replaceAll('  ', ' ').trim())
}

/** The lines of a section as they stand. */
export const wordRows = section

/** A list of single words or of phrases, to ask whether something is in it. */
export const wordSet = (file: string, name: string): ReadonlySet<string> => new Set(section(file, name).flatMap(([, phrases]) => phrases))

/** Words by what they stand for: "1e6: million, mio". */
export const wordMap = <T>(file: string, name: string, read: (value: string) => T): ReadonlyMap<string, T> =>
  new Map(section(file, name).flatMap(([value, phrases]) => phrases.map(phrase => [phrase, read(value)] as const)))

/** Phrases of one or more words, found in a row of words: the longest that begins at a position. */
export class Phrases<T = true> {
  readonly #values: ReadonlyMap<string, T>
  readonly #reach = new Map<string, number>()

  constructor(values: ReadonlyMap<string, T>) {
    this.#values = values
    for (const phrase of values.keys()) {
      const words = phrase.split(' ')
      if (words.length > (this.#reach.get(words[0]!) ?? 0)) this.#reach.set(words[0]!, words.length)
    }
  }

  has(phrase: string): boolean {
    return this.#values.has(phrase)
  }

  /** The words that phrases begin with. */
  firsts(): Iterable<string> {
    return this.#reach.keys()
  }

  /** The words of all phrases. */
  *words(): Generator<string> {
    for (const phrase of this.#values.keys()) yield* phrase.split(' ')
  }

  longest(words: readonly string[], at: number, limit = words.length): { value: T; length: number } | undefined {
    const most = Math.min(this.#reach.get(words[at] ?? '') ?? 0, limit - at)
    let phrase = ''
    let found: { value: T; length: number } | undefined
    for (let length = 1; length <= most; length++) {
      phrase = length === 1 ? words[at]! : `${phrase} ${words[at + length - 1]!}`
      const value = this.#values.get(phrase)
      if (value !== undefined) found = { value, length }
    }
    return found
  }

  /** Whether a phrase lies within a stretch of words. */
  isWithin(words: readonly string[], from: number, to: number): boolean {
    for (let at = from; at < to; at++) if (this.longest(words, at, to)) return true
    return false
  }

  /** The longest phrase that ends before a position. */
  longestBefore(words: readonly string[], end: number, most = 4): { value: T; length: number } | undefined {
    let phrase = ''
    let found: { value: T; length: number } | undefined
    for (let length = 1; length <= most && end - length >= 0; length++) {
      phrase = length === 1 ? words[end - 1]! : `${words[end - length]!} ${phrase}`
      const value = this.#values.get(phrase)
      if (value !== undefined) found = { value, length }
    }
    return found
  }
}

export const phraseSet = (file: string, name: string): Phrases =>
  new Phrases(new Map([...wordSet(file, name)].map(phrase => [phrase, true])))
