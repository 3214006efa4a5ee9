import { readPhraseFile, readPhrases, readWordFile } from '../../../lead-terms/src/index.ts'

/** Readers of the word files in `words/`. */

const WORDS = new URL('../../words/', import.meta.url)

export const readEntries = (file: string): [value: string, phrases: string[]][] => readPhraseFile(new URL(file, WORDS))

/** A word file as it stands, without its comments. */
export const readWordText = (file: string): string => readWordFile(new URL(file, WORDS)).replace(/^#.*$/gm, '')

/** All phrases of a file, whatever comes before the colons. */
export const readAllWords = (file: string): ReadonlySet<string> =>
  new Set(readEntries(file).flatMap(([, phrases]) => phrases.flatMap(combinations)))

/** File -> name of a section -> its text. */
const sections = new Map<string, ReadonlyMap<string, string>>()

/** Several lists are made of the same section. They share its phrases, which are 6 MB. */
const rows = new Map<string, [value: string, phrases: string[]][]>()

function section(file: string, name: string): [value: string, phrases: string[]][] {
  const key = `${file} ${name}`
  const known = rows.get(key)
  if (known) return known
  const parts = sections.get(file) ?? splitSections(readWordFile(new URL(file, WORDS)))
  sections.set(file, parts)
  const text = parts.get(name)
  if (text === undefined) throw new Error(`no section [${name}] in words/${file}`)
  const read = readPhrases(text).map(([value, phrases]): [string, string[]] => [value, phrases.flatMap(combinations)])
  rows.set(key, read)
  return read
}

function splitSections(text: string): ReadonlyMap<string, string> {
  const parts = text.split('\n[').slice(1)
  return new Map(parts.map(part => [part.slice(0, part.indexOf(']')), part.slice(part.indexOf(']') + 1)]))
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

/** The phrases that begin alike, word by word. */
interface Branch<T> {
  value?: T
  next?: Map<string, Branch<T>>
}

/** Phrases of one or more words, found in a row of words: the longest that begins at a position. */
export class Phrases<T = true> {
  readonly #values: ReadonlyMap<string, T>
  /** By their first words. A branch is grown when a text first has its word. */
  readonly #branches = new Map<string, Branch<T> | string[]>()

  constructor(values: ReadonlyMap<string, T>) {
    this.#values = values
    for (const phrase of values.keys()) {
      const space = phrase.indexOf(' ')
      const first = space < 0 ? phrase : phrase.slice(0, space)
      const others = this.#branches.get(first) as string[] | undefined
      if (others) others.push(phrase)
      else this.#branches.set(first, [phrase])
    }
  }

  has(phrase: string): boolean {
    return this.#values.has(phrase)
  }

  /** The words that phrases begin with. */
  firsts(): Iterable<string> {
    return this.#branches.keys()
  }

  /** The words of all phrases. */
  *words(): Generator<string> {
    for (const phrase of this.#values.keys()) yield* phrase.split(' ')
  }

  longest(words: readonly string[], at: number, limit = words.length): { value: T; length: number } | undefined {
    let branch = at < limit ? this.#branchOf(words[at]!) : undefined
    let found: { value: T; length: number } | undefined
    for (let length = 1; branch; length++) {
      if (branch.value !== undefined) found = { value: branch.value, length }
      branch = at + length < limit ? branch.next?.get(words[at + length]!) : undefined
    }
    return found
  }

  #branchOf(first: string): Branch<T> | undefined {
    const phrases = this.#branches.get(first)
    if (!Array.isArray(phrases)) return phrases
    const root: Branch<T> = {}
    for (const phrase of phrases) {
      let branch = root
      for (const word of phrase.split(' ').slice(1)) {
        branch.next ??= new Map()
        const next: Branch<T> = branch.next.get(word) ?? {}
        branch.next.set(word, next)
        branch = next
      }
      branch.value = this.#values.get(phrase)!
    }
    this.#branches.set(first, root)
    return root
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
