import { conceptsOf } from './concepts.ts'

/**
 * The features of a text for the model: words, word pairs, beginnings and endings of words, and their concepts, each as a
 * number. A text has about fifty of these.
 */

const MAX_CHARS = 1500
const MAX_WORD_CHARS = 40
/** The beginning and the end of a word identify its other forms. */
const BEGINNING_CHARS = [4, 6]
const END_CHARS = 3
/** The maximum distance between two words of a pair. */
const NEAR_WORDS = 3
const UNKNOWN = -1

/** The kinds of pairs. */
const NEXT = 0
const BEFORE = 1
const AFTER = 2
const NEAR = 3
const ALONE = 4
const FIRST = 5
const ASKED = 6
const LAST = 7
const LENGTH = 8
const KINDS = 9

interface Word {
  number: number
  /** The word itself, its beginning, and its ending. */
  parts: number[]
  concepts: number[]
}

/** The trained content of a feature book: the features and the names in the order of their numbers. */
export interface LearntFeatures {
  /** The keys of the pairs. */
  pairs: Float64Array
  names: string[]
}

/** Pairs of numbers below this fit into one number. */
const RADIX = 2 ** 24

/** Numbers features during training; afterwards it knows only the trained ones. */
export class FeatureBook {
  #isLearning: boolean
  /** The features of the current text, each once: `#metIn` contains the number of the text that last had a feature. */
  #found: number[] = []
  readonly #metIn: number[] = []
  #texts = 0
  readonly #features = new Map<number, number>()
  readonly #numbers = new Map<string, number>()
  readonly #words = new Map<string, Word>()

  constructor(learnt?: LearntFeatures) {
    this.#isLearning = learnt === undefined
    learnt?.pairs.forEach(pair => void this.#features.set(pair, this.#features.size))
    learnt?.names.forEach(name => void this.#numbers.set(name, this.#numbers.size))
  }

  get size(): number {
    return this.#features.size
  }

  get learnt(): LearntFeatures {
    return { pairs: Float64Array.from(this.#features.keys()), names: [...this.#numbers.keys()] }
  }

  featuresOf(normalized: string): Int32Array {
    this.#found = []
    this.#texts++
    const tokens: Word[] = []
    let sentence: Word[] = []
    for (const piece of normalized.slice(0, MAX_CHARS).match(/[a-z0-9']+|[?!.,;:\n]/g) ?? []) {
      if (piece === ',' || piece === ':' || COURTESIES.has(piece)) continue
      if (MARKS.has(piece)) {
        if (piece === '?' || piece === '!') tokens.push(this.#word(piece))
        this.#addConcepts(sentence, piece === '?')
        sentence = []
        continue
      }
      const text = piece.slice(0, MAX_WORD_CHARS)
      tokens.push(this.#word(text <= '9' ? '0' : text))
      if (text.includes("'")) sentence.push(...wordsOf(text).map(part => this.#word(part)))
      else sentence.push(this.#word(text))
    }
    this.#addConcepts(sentence, false)
    this.#addTokens(tokens)
    return Int32Array.from(this.#found)
  }

  #addTokens(tokens: Word[]): void {
    // The beginning, the ending and the length of the text: "ok" alone differs from "ok" in a letter.
    this.#add(FIRST, tokens[0]?.number ?? UNKNOWN, NOTHING)
    this.#add(LAST, tokens.at(-1)?.number ?? UNKNOWN, NOTHING)
    this.#add(LENGTH, Math.min(5, Math.floor(Math.log2(tokens.length + 1))), NOTHING)
    let before: Word | undefined
    for (const token of tokens) {
      for (const part of token.parts) this.#add(ALONE, part, NOTHING)
      if (before) this.#add(NEXT, before.number, token.number)
      before = token
    }
  }

  /** "Delete my address" and "borren mi correo" are the same three adjacent concepts. */
  #addConcepts(words: Word[], isQuestion: boolean): void {
    for (let i = 0; i < words.length; i++) {
      const { number, concepts } = words[i] as Word
      for (const concept of words[i - 1]?.concepts ?? NONE) this.#add(BEFORE, concept, number)
      for (const concept of words[i + 1]?.concepts ?? NONE) this.#add(AFTER, concept, number)
      for (const concept of concepts) {
        this.#add(ALONE, concept, NOTHING)
        if (i === 0) this.#add(FIRST, concept, NOTHING)
        if (isQuestion) this.#add(ASKED, concept, NOTHING)
        for (let next = i + 1; next <= i + NEAR_WORDS; next++)
          for (const other of words[next]?.concepts ?? NONE) this.#add(NEAR, concept, other)
      }
    }
  }

  #add(kind: number, left: number, right: number): void {
    if (left === UNKNOWN || right === UNKNOWN) return
    const feature = this.#featureOf((left * KINDS + kind) * RADIX + right)
    if (feature === UNKNOWN || this.#metIn[feature] === this.#texts) return
    this.#metIn[feature] = this.#texts
    this.#found.push(feature)
  }

  #featureOf(pair: number): number {
    const known = this.#features.get(pair)
    if (known !== undefined) return known
    if (!this.#isLearning) return UNKNOWN
    this.#features.set(pair, this.#features.size)
    return this.#features.size - 1
  }

  #numberOf(name: string): number {
    const known = this.#numbers.get(name)
    if (known !== undefined) return known
    if (!this.#isLearning) return UNKNOWN
    this.#numbers.set(name, this.#numbers.size)
    return this.#numbers.size - 1
  }

  /** Only trained words are cached, because words of strangers must not fill the memory. */
  #word(text: string): Word {
    const known = this.#words.get(text)
    if (known) return known
    const number = this.#numberOf(text)
    const parts = [number]
    for (const chars of BEGINNING_CHARS) if (text.length > chars) parts.push(this.#numberOf(`${text.slice(0, chars)}-`))
    if (text.length > END_CHARS + 1) parts.push(this.#numberOf(`-${text.slice(-END_CHARS)}`))
    const word = { number, parts, concepts: conceptsOf(text).map(name => this.#numberOf(`<${name}>`)) }
    if (number !== UNKNOWN) this.#words.set(text, word)
    return word
  }
}

/** Words of any request. Most requests in the corpus are opt-outs, so the model would learn that these words mean one. */
const COURTESIES = new Set(['please', 'pls', 'plz', 'kindly', 'bitte', 'veuillez', 'favor', 'svp'])
const NONE: number[] = []
const NOTHING = 0
const MARKS = new Set(['?', '!', '.', ';', '\n'])

/** "don't" becomes "do" and "not", "m'envoyez" becomes "m" and "envoyez". */
const wordsOf = (word: string): string[] => word.replace(/n't$/, "'not").split("'").filter(Boolean)
