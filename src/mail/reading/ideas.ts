import { alternativesOf, type Phrase, partsOf, readSections, type Sections, sourceOf } from './words.ts'

/**
 * The sections of a word file, each to be looked for in a row of words. A section holds up to thousands of phrases: each
 * is compiled when a text first has a word that it can begin with, so that a start costs nothing and a text little.
 */

export interface Found {
  index: number
  text: string
}

/** By which words a phrase can begin. */
interface Beginnings {
  whole: string[]
  stems: string[]
  /** True when it can begin with any word. */
  isOpen: boolean
  /** True when it may take in nothing, so that what stands behind it may come first. */
  mayBeEmpty: boolean
}

/** Words come again and again. Those of strangers must not fill the memory. */
const MAX_REMEMBERED = 5_000

export class Idea {
  readonly #phrases: Phrase[]
  readonly #sections: Sections
  readonly #compiled: (RegExp | undefined)[] = []
  readonly #whole = new Map<string, number[]>()
  readonly #stems = new Map<string, number[]>()
  readonly #open: number[] = []
  readonly #remembered = new Map<string, number[]>()

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
    return this.#firstAt(text, 0) !== null
  }

  /** All places, one behind the other. */
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
    return replaced + text.slice(from)
  }

  /** The first place at or behind a place: words begin where a text does, and behind spaces. */
  find(text: string, from: number): Found | null {
    let at = from === 0 || text[from - 1] === ' ' ? from : text.indexOf(' ', from) + 1
    while (at < text.length) {
      const found = this.#firstAt(text, at)
      if (found !== null) return { index: at, text: found }
      const space = text.indexOf(' ', at)
      if (space < 0) break
      at = space + 1
    }
    return null
  }

  /** What the first phrase that fits takes in. */
  #firstAt(text: string, at: number): string | null {
    const space = text.indexOf(' ', at)
    for (const i of this.#candidates(text.slice(at, space < 0 ? text.length : space))) {
      const pattern = this.#pattern(i)
      pattern.lastIndex = at
      const match = pattern.exec(text)
      if (match) return match[0]
    }
    return null
  }

  #pattern(i: number): RegExp {
    const pattern = this.#compiled[i] ?? new RegExp(sourceOf(this.#phrases[i] as Phrase, this.#sections), 'y')
    this.#compiled[i] = pattern
    return pattern
  }

  /** The phrases that can begin with a word, in the order of the file. */
  #candidates(word: string): number[] {
    const known = this.#remembered.get(word)
    if (known) return known
    const found = new Set([...this.#open, ...(this.#whole.get(word) ?? [])])
    for (let end = 1; end <= word.length; end++) for (const i of this.#stems.get(word.slice(0, end)) ?? []) found.add(i)
    const ordered = [...found].sort((a, b) => a - b)
    if (this.#remembered.size === MAX_REMEMBERED) this.#remembered.clear()
    this.#remembered.set(word, ordered)
    return ordered
  }
}

function push(index: Map<string, number[]>, word: string, i: number): void {
  const known = index.get(word)
  if (!known) index.set(word, [i])
  // A phrase can begin with the same word in two ways.
  else if (known.at(-1) !== i) known.push(i)
}

/** A section stands in hundreds of phrases: by its name and language. */
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
export function readIdeas(file: string): (name: string) => Idea {
  const ideas = new Map<string, Idea>()
  return name => {
    const known = ideas.get(name)
    if (known) return known
    const sections = filesRead.get(file) ?? readSections(file)
    filesRead.set(file, sections)
    const idea = new Idea(alternativesOf(name, '*', sections), sections)
    ideas.set(name, idea)
    return idea
  }
}
