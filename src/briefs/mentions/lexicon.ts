import { functionPhrases, industryPhrases, sharedPhraseText } from '../../search/terms/phrase-file.ts'
import { foldTokens, singularToken } from '../../search/terms/text.ts'
import { type Department, INDUSTRIES, TECHNOLOGIES } from '../../search/terms/vocabulary.ts'
import { tokenize } from '../text/tokens.ts'
import { readEntries, readWordText } from '../words.ts'

/**
 * The vocabulary as a trie whose first level is the first three letters of a phrase. A branch is grown when a brief first
 * asks for it: loading only sorts the phrases into their branches.
 */

/** Everything one phrase may mean; the readers of mentions decide which reading the text supports. */
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
  /** A title begins with it: the form, "%" for the function. */
  opening?: string
  size?: string
  stage?: string
  weakStage?: boolean
  keyword?: string
  /** The keyword stands beside its industry, which is wider. */
  narrower?: boolean
}

/** Phrases and their entries in turn, in one flat array because there are many. A branch that has grown is gone. */
type Branch = (string | Entry)[]

const branches = new Map<number, Branch>()
const exact = new Map<string, Entry>()
/** By stem, for plurals and endings that are not listed. */
const stems = new Map<string, Entry>()
/** Stem of the first word -> the most words a phrase with that beginning has. */
const reach = new Map<string, number>()
let loaded = false

/** A light stem that brings plurals and case endings of four languages together; used on both sides alike. */
export function stemWord(word: string): string {
  if (word.length < 4) return word
  let stem = singularToken(word)
  if (stem.length > 6) stem = stem.replace(FEMININE, ending => MASCULINE[ending]!)
  if (stem.length > 5 && stem.endsWith('en')) stem = stem.slice(0, -2)
  else if (stem.length > 6 && stem.endsWith('rn')) stem = stem.slice(0, -1)
  if (stem.length > 4 && stem.endsWith('e')) stem = stem.slice(0, -1)
  return stem
}

/** "Fotografinnen", "conservatrices": a woman's title is read as a man's. */
const FEMININE = /(?<=[a-z]{4})innen$|(?<=er|or|ist|eur|log|ekt|graf)in$|(?<=t)rice$|(?<=e)use$|(?<=ien)ne$/
const MASCULINE: Record<string, string> = { innen: '', in: '', rice: 'eur', use: 'ur', ne: '' }

/** The first three letters of the first word, or all of a shorter one, as one number; -1 where they are no plain letters. */
function branchKey(phrase: string): number {
  let key = 0
  for (let at = 0; at < 3 && at < phrase.length; at++) {
    const letter = phrase.charCodeAt(at) - 96
    if (letter === SPACE && at > 0) break
    if (letter < 1 || letter > 26) return -1
    key = key * 32 + letter
  }
  return key
}
const SPACE = -64

function add(raw: string, entry: Entry): void {
  let key = branchKey(raw)
  const phrase = key < 0 ? asRead(raw) : raw
  if (key < 0) key = branchKey(phrase)
  const branch = branches.get(key)
  if (branch) branch.push(phrase, entry)
  else branches.set(key, [phrase, entry])
}
const PLAIN = /^[a-z ]+$/

/** Phrases go through the tokeniser of the briefs, so that both sides agree on "r&d" and "e-commerce". */
const asRead = (phrase: string): string =>
  tokenize(phrase)
    .map(token => (token.kind === 'word' ? token.word : token.text))
    .join(' ')

/** The most certain file is read first, and the first meaning of a phrase stays. */
function load(): void {
  loaded = true
  /** A phrase that ends in "?" means this only where the text supports it. */
  const addAll = (phrases: readonly string[], entry: Entry, weak: Entry = entry) => {
    for (const phrase of phrases) phrase.endsWith('?') ? add(phrase.slice(0, -1), weak) : add(phrase, entry)
  }
  for (const [head, phrases] of readEntries('levels.txt')) {
    const [level, levelTitle] = head.split(' | ') as [string, string]
    addAll(phrases, { level, levelTitle })
  }
  for (const [opening, phrases] of readEntries('title-openings.txt')) addAll(phrases, { opening })
  for (const [title, phrases] of readEntries('titles.txt')) addAll(phrases, { title }, { title, weakTitle: true })
  for (const [size, phrases] of readEntries('sizes.txt')) addAll(phrases, { size })
  for (const [stage, phrases] of readEntries('stages.txt')) addAll(phrases, { stage }, { stage, weakStage: true })
  for (const [keyword, phrases] of readEntries('keywords.txt')) addAll(phrases, { keyword }, { keyword, narrower: true })
  for (const [title, department, phrases] of functionPhrases())
    addAll(phrases, { function: { title, department: department === '-' ? undefined : (department as Department) } })
  for (const [technology, phrases] of readEntries('technologies.txt')) {
    if (!TECHNOLOGIES.has(technology)) throw new Error(`unknown technology ${technology}`)
    addAll(phrases, { technology }, { technology, weakTechnology: true })
  }
  for (const [industry, phrases] of industryPhrases()) {
    if (!INDUSTRIES.has(industry)) throw new Error(`unknown industry ${industry}`)
    addAll(phrases, { industry }, { industry, weakIndustry: true })
  }
  for (const { slug, label } of INDUSTRIES.values()) {
    add(foldTokens(label).join(' '), { industry: slug })
    add(slug.replaceAll('-', ' '), { industry: slug })
  }
}

function grow(word: string): void {
  if (!loaded) load()
  const key = branchKey(word)
  const branch = branches.get(key)
  if (!branch) return
  branches.delete(key)
  for (let at = 0; at < branch.length; at += 2) {
    const raw = branch[at] as string
    const phrase = PLAIN.test(raw) ? raw : asRead(raw)
    const entry = branch[at + 1] as Entry
    const words = phrase.split(' ')
    index(words, phrase, entry)
    // "Forschung & Entwicklung": the sign is read as "and" in every language.
    const conjunction = words.findIndex((each, at) => at > 0 && at < words.length - 1 && (each === 'und' || each === 'et' || each === 'y'))
    if (conjunction > 0) {
      const english = words.with(conjunction, 'and')
      index(english, english.join(' '), entry)
    }
  }
}

function index(words: readonly string[], phrase: string, entry: Entry): void {
  const known = exact.get(phrase)
  exact.set(phrase, known ? { ...entry, ...known } : entry)
  const stem = words.map(stemWord).join(' ')
  const related = stems.get(stem)
  stems.set(stem, related ? { ...entry, ...related } : entry)
  const first = stemWord(words[0]!)
  if ((reach.get(first) ?? 0) < words.length) reach.set(first, words.length)
}

export function entryOf(phrase: string): Entry | undefined {
  grow(phrase)
  return exact.get(phrase)
}

/** The longest phrase of the vocabulary at a position, exact spelling before stem. */
export function longestEntry(words: readonly string[], at: number, limit: number): { entry: Entry; length: number } | undefined {
  const first = words[at]!
  grow(first)
  let stem = stemWord(first)
  const most = Math.min(reach.get(stem) ?? 0, limit - at, words.length - at)
  let phrase = first
  let found: { entry: Entry; length: number } | undefined
  for (let length = 1; length <= most; length++) {
    if (length > 1) {
      phrase += ` ${words[at + length - 1]!}`
      stem += ` ${stemWord(words[at + length - 1]!)}`
    }
    const entry = exact.get(phrase) ?? (length > 1 || first.length > 3 ? stems.get(stem) : undefined)
    if (entry) found = { entry, length }
  }
  return found
}

/** What a stretch of words means as a whole, whatever their endings. */
export function entryOfWords(words: readonly string[], at: number, length: number): Entry | undefined {
  const found = longestEntry(words, at, at + length)
  return found?.length === length ? found.entry : undefined
}

/** The meaning of a single word, whatever its ending. */
export const entryOfWord = (word: string): Entry | undefined => longestEntry([word], 0, 1)?.entry

const FILES = [
  'levels.txt',
  'title-openings.txt',
  'titles.txt',
  'sizes.txt',
  'stages.txt',
  'keywords.txt',
  'technologies.txt',
  'role-nouns.txt',
]

/** All word files of the vocabulary in one: for the reader of slips, which needs every word that occurs. */
export const vocabularyText = (): string => [...FILES.map(readWordText), sharedPhraseText()].join('\n')
