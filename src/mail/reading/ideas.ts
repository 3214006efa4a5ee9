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
  whole: Set<string>
  stems: Set<string>
  /** True when it can begin with any word. */
  isOpen: boolean
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
    phrases.forEach((phrase, i) => {
      const { whole, stems, isOpen } = beginningsOf(phrase, sections)
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
  if (known) known.push(i)
  else index.set(word, [i])
}

function beginningsOf(phrase: Phrase, sections: Sections): Beginnings {
  const found: Beginnings = { whole: new Set(), stems: new Set(), isOpen: false }
  addBeginnings(phrase, sections, found)
  return found
}

/** Returns true when the phrase may take in nothing, so that what stands behind it may come first. */
function addBeginnings({ text, language }: Phrase, sections: Sections, found: Beginnings): boolean {
  for (const part of partsOf(text)) {
    if (part === '^') continue
    if (part.startsWith('(')) {
      addBeginnings({ text: part.slice(1, -1), language }, sections, found)
      continue
    }
    if (part.startsWith('<')) {
      const mayBeEmpty = alternativesOf(part.slice(1, -1), language, sections).map(phrase => addBeginnings(phrase, sections, found))
      if (!mayBeEmpty.includes(true)) return false
      continue
    }
    const stem = part.indexOf('*')
    if (part.startsWith('.') || part.startsWith('$') || stem === 0) found.isOpen = true
    else if (stem > 0) found.stems.add(part.slice(0, stem))
    else found.whole.add(part)
    return false
  }
  found.isOpen = true
  return true
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
