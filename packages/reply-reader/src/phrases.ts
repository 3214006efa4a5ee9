import { firstIndex } from './first-index.ts'
import { alternativesOf, type Phrase, partsOf, readSections, type Sections, sourceOf } from './phrase-files.ts'

/**
 * The sections of a word file, each searched for in a row of words. A section has up to thousands of phrases. Each
 * is compiled when a text first has a word that it can begin with, so that startup costs nothing and a text costs little.
 */

export interface Found {
  index: number
  text: string
}

/** The words that a phrase can begin with. */
interface Beginnings {
  whole: string[]
  stems: string[]
  /** True when it can begin with any word. */
  isOpen: boolean
  /** True if it can be empty, so that the text can begin with the next part. */
  mayBeEmpty: boolean
}

/** A text to search for phrases: its words and their positions. */
interface Row {
  starts: number[]
  words: Word[]
}

/** A word with the phrases that can begin with it, in file order, by the number of their idea. They are computed once. */
interface Word {
  text: string
  candidates: (number[] | undefined)[]
}

/** Words recur, so they are cached, with a limit because strangers choose them. */
const MAX_WORDS = 5_000
/** A sentence is compared with a hundred ideas before the next sentence. */
const MAX_ROWS = 50

const words = new Map<string, Word>()
const rows = new Map<string, Row>()

function wordOf(text: string): Word {
  const known = words.get(text)
  if (known) return known
  if (words.size === MAX_WORDS) words.clear()
  const word = { text, candidates: [] }
  words.set(text, word)
  return word
}

function rowOf(text: string): Row {
  const known = rows.get(text)
  if (known) return known
  const row: Row = { starts: [], words: [] }
  for (let at = 0, end = 0; at < text.length; at = end + 1) {
    end = text.indexOf(' ', at)
    if (end < 0) end = text.length
    row.starts.push(at)
    row.words.push(wordOf(text.slice(at, end)))
  }
  if (rows.size === MAX_ROWS) rows.clear()
  rows.set(text, row)
  return row
}

let ideasMade = 0

export class PhraseSet {
  readonly #number = ideasMade++
  readonly #phrases: Phrase[]
  readonly #sections: Sections
  readonly #forms: (string | RegExp | undefined)[] = []
  readonly #whole = new Map<string, number[]>()
  readonly #stems = new Map<string, number[]>()
  readonly #open: number[] = []

  constructor(phrases: Phrase[], sections: Sections) {
    this.#phrases = phrases
    this.#sections = sections
    const known: KnownBeginnings = new Map()
    phrases.forEach((phrase, i) => {
      const { whole, stems, isOpen } = beginningsOf(phrase, sections, known)
      if (isOpen) this.#open.push(i)
      else
        for (const [words, index] of [[whole, this.#whole] as const, [stems, this.#stems] as const])
          for (const word of words) push(index, word, i)
    })
  }

  test(text: string): boolean {
    return this.find(text, 0) !== null
  }

  startsWith(text: string): boolean {
    return text !== '' && this.#firstAt(text, rowOf(text), 0) !== null
  }

  *all(text: string): Generator<Found> {
    let from = 0
    for (let found = this.find(text, from); found; found = this.find(text, from)) {
      yield found
      from = found.index + Math.max(1, found.text.length)
    }
  }

  replace(text: string, by: string): string {
    let replaced = ''
    let from = 0
    for (const { index, text: found } of this.all(text)) {
      replaced += text.slice(from, index) + by
      from = index + found.length
    }
    return from === 0 ? text : replaced + text.slice(from)
  }

  /** The first position at or after a position. */
  find(text: string, from: number): Found | null {
    const row = rowOf(text)
    for (let n = from === 0 ? 0 : firstFrom(row.starts, from); n < row.words.length; n++) {
      const found = this.#firstAt(text, row, n)
      if (found !== null) return { index: row.starts[n] as number, text: found }
    }
    return null
  }

  /** The text of the first phrase that matches at the word with this number. */
  #firstAt(text: string, { words, starts }: Row, n: number): string | null {
    const word = words[n] as Word
    let candidates = word.candidates[this.#number]
    if (candidates === undefined) {
      candidates = this.#candidates(word.text)
      word.candidates[this.#number] = candidates
    }
    for (const i of candidates) {
      const found = this.#takenIn(i, text, starts[n] as number)
      if (found !== null) return found
    }
    return null
  }

  #takenIn(i: number, text: string, at: number): string | null {
    const form = this.#forms[i] ?? formOf(this.#phrases[i] as Phrase, this.#sections)
    this.#forms[i] = form
    if (typeof form === 'string') return text.startsWith(form, at) ? form : null
    form.lastIndex = at
    return form.exec(text)?.[0] ?? null
  }

  #candidates(word: string): number[] {
    const found = new Set([...this.#open, ...(this.#whole.get(word) ?? [])])
    for (let end = 1; end <= word.length; end++) for (const i of this.#stems.get(word.slice(0, end)) ?? []) found.add(i)
    return found.size === 0 ? NONE : [...found].sort((a, b) => a - b)
  }
}

const NONE: number[] = []
const PATTERN_SIGN = /[*.()<>^$]/

/** Most phrases are plain words and need no pattern. */
const formOf = (phrase: Phrase, sections: Sections): string | RegExp =>
  PATTERN_SIGN.test(phrase.text) ? new RegExp(sourceOf(phrase, sections), 'y') : `${phrase.text} `

/** The index of the first of these rising numbers that is not less than `least`. */
const firstFrom = (numbers: number[], least: number): number => firstIndex(numbers.length, at => (numbers[at] as number) >= least)

function push(index: Map<string, number[]>, word: string, i: number): void {
  const known = index.get(word)
  if (!known) index.set(word, [i])
  // A phrase can begin with the same word in two ways.
  else if (known.at(-1) !== i) known.push(i)
}

/** Hundreds of phrases refer to the same section, so its beginnings are cached by name and language. */
type KnownBeginnings = Map<string, Beginnings>

function beginningsOf({ text, language }: Phrase, sections: Sections, known: KnownBeginnings): Beginnings {
  const found: Beginnings = { whole: [], stems: [], isOpen: false, mayBeEmpty: false }
  const add = (other: Beginnings) => {
    found.whole.push(...other.whole)
    found.stems.push(...other.stems)
    found.isOpen ||= other.isOpen
  }
  for (const part of partsOf(text)) {
    if (part === '^') continue
    if (part.startsWith('(')) {
      add(beginningsOf({ text: part.slice(1, -1), language }, sections, known))
      continue
    }
    if (part.startsWith('<') && !part.startsWith('<!')) {
      const section = beginningsOfSection(part.slice(1, -1), language, sections, known)
      add(section)
      if (!section.mayBeEmpty) return found
      continue
    }
    const stem = part.indexOf('*')
    if (/^[.$*<]/.test(part)) found.isOpen = true
    else if (stem > 0) found.stems.push(part.slice(0, stem))
    else found.whole.push(part)
    return found
  }
  found.isOpen = true
  found.mayBeEmpty = true
  return found
}

function beginningsOfSection(name: string, language: string, sections: Sections, known: KnownBeginnings): Beginnings {
  const key = `${language} ${name}`
  const before = known.get(key)
  if (before) return before
  const all = alternativesOf(name, language, sections).map(phrase => beginningsOf(phrase, sections, known))
  const found = {
    whole: [...new Set(all.flatMap(({ whole }) => whole))],
    stems: [...new Set(all.flatMap(({ stems }) => stems))],
    isOpen: all.some(({ isOpen }) => isOpen),
    mayBeEmpty: all.some(({ mayBeEmpty }) => mayBeEmpty),
  }
  known.set(key, found)
  return found
}

const filesRead = new Map<string, Sections>()

/** The sections of a file by their names. */
export function readPhraseSets(file: string): (name: string) => PhraseSet {
  const ideas = new Map<string, PhraseSet>()
  return name => {
    const known = ideas.get(name)
    if (known) return known
    const sections = filesRead.get(file) ?? readSections(file)
    filesRead.set(file, sections)
    const idea = new PhraseSet(alternativesOf(name, '*', sections), sections)
    ideas.set(name, idea)
    return idea
  }
}
