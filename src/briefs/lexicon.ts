import { foldTokens, singularToken } from '../search/terms/text.ts'
import { type Department, INDUSTRIES, TECHNOLOGIES } from '../search/terms/vocabulary.ts'
import { FUNCTION_PHRASES } from './lexicon/functions.ts'
import { INDUSTRY_PHRASES } from './lexicon/industries.ts'
import { KEYWORD_PHRASES, LEVEL_PHRASES, SIZE_PHRASES, STAGE_PHRASES, TITLE_PREFIXES } from './lexicon/levels.ts'
import { ROLE_PHRASES } from './lexicon/roles.ts'
import { TECHNOLOGY_NAMES } from './lexicon/technologies.ts'
import { TITLE_PHRASES } from './lexicon/titles.ts'
import { tokenize } from './tokens.ts'

/** Everything one phrase may mean; the grammar decides which reading the text supports. */
export interface Entry {
  industry?: string
  weakIndustry?: boolean
  technology?: string
  weakTechnology?: boolean
  title?: string
  weakTitle?: boolean
  function?: { title: string; department: Department | undefined }
  level?: string
  levelTitle?: string
  prefix?: string
  size?: string
  stage?: string
  keyword?: string
}

export interface Lexicon {
  exact: ReadonlyMap<string, Entry>
  /** By stem, for plurals and endings that are not listed. */
  stems: ReadonlyMap<string, Entry>
  /** First word (stem) -> the most words a phrase with that beginning has. */
  reach: ReadonlyMap<string, number>
  /** Single words worth repairing a slip of the fingers for. */
  vocabulary: ReadonlySet<string>
  /** Every word that occurs in a phrase -> its stem. */
  words: ReadonlyMap<string, string>
}

/** A light stem that brings plurals and case endings of four languages together; used on both sides alike. */
export function stemWord(word: string): string {
  if (word.length < 4) return word
  let stem = singularToken(word)
  if (stem.length > 5 && stem.endsWith('en')) stem = stem.slice(0, -2)
  else if (stem.length > 6 && stem.endsWith('rn')) stem = stem.slice(0, -1)
  if (stem.length > 4 && stem.endsWith('e')) stem = stem.slice(0, -1)
  return stem
}

/** Phrases go through the tokeniser of the briefs, so that both sides agree on "r&d" and "e-commerce". */
const phraseWords = (phrase: string): string[] =>
  /^[a-z ]+$/.test(phrase) ? phrase.split(' ') : tokenize(phrase).map(token => (token.kind === 'word' ? token.word : token.text))

let built: Lexicon | undefined

export function lexicon(): Lexicon {
  built ??= buildLexicon()
  return built
}

function buildLexicon(): Lexicon {
  const exact = new Map<string, Entry>()
  const stems = new Map<string, Entry>()
  const reach = new Map<string, number>()
  const vocabulary = new Set<string>()
  const stemmed = new Map<string, string>()
  const stemOf = (word: string): string => {
    const known = stemmed.get(word)
    if (known !== undefined) return known
    const stem = stemWord(word)
    stemmed.set(word, stem)
    return stem
  }
  const add = (phrase: string, entry: Entry) => {
    const words = phraseWords(phrase)
    const key = words.join(' ')
    // What was said first about a phrase stays: files are read from the most certain to the least.
    index(words, key, entry)
    // "Forschung & Entwicklung": the sign is read as "and" in every language.
    const conjunction = words.findIndex((word, at) => at > 0 && at < words.length - 1 && (word === 'und' || word === 'et' || word === 'y'))
    if (conjunction > 0) {
      const english = words.with(conjunction, 'and')
      index(english, english.join(' '), entry)
    }
  }
  const index = (words: string[], key: string, entry: Entry) => {
    // Entries are shared until a phrase means a second thing: most never do, and copying them all takes its time.
    const known = exact.get(key)
    exact.set(key, known ? { ...entry, ...known } : entry)
    let stem = ''
    for (const word of words) stem = stem === '' ? stemOf(word) : `${stem} ${stemOf(word)}`
    const related = stems.get(stem)
    stems.set(stem, related ? { ...entry, ...related } : entry)
    const first = stemOf(words[0]!)
    if ((reach.get(first) ?? 0) < words.length) reach.set(first, words.length)
    for (const word of words) if (word.length >= 5) vocabulary.add(word)
  }
  const lines = (text: string) => text.trim().split('\n')
  const split = (line: string): [string, string[]] => {
    const colon = line.indexOf(': ')
    return [line.slice(0, colon).trim(), line.slice(colon + 2).split(', ')]
  }
  const weak = (phrase: string): [string, boolean] => (phrase.endsWith('?') ? [phrase.slice(0, -1), true] : [phrase, false])

  for (const line of lines(LEVEL_PHRASES)) {
    const [head, phrases] = split(line)
    const [level, levelTitle] = head.split(' | ') as [string, string]
    for (const phrase of phrases) add(phrase, { level, levelTitle })
  }
  for (const line of lines(TITLE_PREFIXES)) {
    const [prefix, phrases] = split(line)
    for (const phrase of phrases) add(phrase, { prefix })
  }
  for (const line of [...lines(TITLE_PHRASES), ...lines(ROLE_PHRASES)]) {
    const [title, phrases] = split(line)
    for (const raw of phrases) {
      const [phrase, isWeak] = weak(raw)
      add(phrase, isWeak ? { title, weakTitle: true } : { title })
    }
  }
  for (const [text, field] of [
    [SIZE_PHRASES, 'size'],
    [STAGE_PHRASES, 'stage'],
    [KEYWORD_PHRASES, 'keyword'],
  ] as const) {
    for (const line of lines(text)) {
      const [value, phrases] = split(line)
      for (const phrase of phrases) add(phrase.replace('?', ''), { [field]: value })
    }
  }
  for (const line of lines(FUNCTION_PHRASES)) {
    const [title, department, phrases] = line.split(' | ') as [string, string, string]
    const value = { title, department: department === '-' ? undefined : (department as Department) }
    for (const phrase of phrases.split(', ')) add(phrase, { function: value })
  }
  for (const line of lines(TECHNOLOGY_NAMES)) {
    const [technology, phrases] = split(line)
    if (!TECHNOLOGIES.has(technology)) throw new Error(`unknown technology ${technology}`)
    for (const raw of phrases) {
      const [phrase, isWeak] = weak(raw)
      add(phrase, isWeak ? { technology, weakTechnology: true } : { technology })
    }
  }
  for (const line of lines(INDUSTRY_PHRASES)) {
    const [industry, phrases] = split(line)
    if (!INDUSTRIES.has(industry)) throw new Error(`unknown industry ${industry}`)
    for (const raw of phrases) {
      const [phrase, isWeak] = weak(raw)
      add(phrase, isWeak ? { industry, weakIndustry: true } : { industry })
    }
  }
  for (const { slug, label } of INDUSTRIES.values()) {
    for (const words of [foldTokens(label), slug.split('-')]) {
      const key = words.join(' ')
      if (!exact.get(key)?.industry) add(key, { industry: slug })
    }
  }
  return { exact, stems, reach, vocabulary, words: stemmed }
}

/** The longest phrase of the lexicon at a position, exact spelling before stem. */
export function longestEntry(words: readonly string[], at: number, limit: number): { entry: Entry; length: number } | undefined {
  const { exact, stems, reach, words: stemOf } = lexicon()
  const first = words[at]!
  let stem = stemWord(first)
  const most = Math.min(reach.get(stem) ?? 0, limit - at)
  if (most === 0) return undefined
  let phrase = first
  let entry = exact.get(phrase) ?? (first.length > 3 ? stems.get(stem) : undefined)
  let found = entry && { entry, length: 1 }
  for (let length = 2; length <= most; length++) {
    const word = words[at + length - 1]!
    // Most words stand in no phrase at all, and end every run they are in.
    const wordStem = stemOf.get(word)
    if (wordStem === undefined && !stemValues().has(stemWord(word))) break
    phrase += ` ${word}`
    stem += ` ${wordStem ?? stemWord(word)}`
    entry = exact.get(phrase) ?? stems.get(stem)
    if (entry) found = { entry, length }
  }
  return found
}

let knownStems: Set<string> | undefined
function stemValues(): ReadonlySet<string> {
  knownStems ??= new Set(lexicon().words.values())
  return knownStems
}
