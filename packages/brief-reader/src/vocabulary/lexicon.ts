import {
  type Department,
  foldTokens,
  functionText,
  INDUSTRIES,
  industryText,
  moreFunctionText,
  moreIndustryText,
  singularToken,
  tradeText,
} from '../../../lead-terms/src/index.ts'
import type { Entry } from '../model.ts'
import { readWordText } from './word-files.ts'

/**
 * The vocabulary in branches: the phrases with the same first three letters. A branch is grown when a brief first asks for it. The first
 * branches are searched for in the word files; a process that asks for more sorts all phrases into theirs.
 */

/** Phrases and their entries in turn, in one flat array because there are many. A branch that has grown is gone. */
type Branch = (string | Entry)[]

const exact = new Map<string, Entry>()
/** By stem, for plurals and endings that are not listed. */
const stems = new Map<string, Entry>()
/** Stem of the first word -> the most words a phrase with that beginning has. */
const reach = new Map<string, number>()

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

/** The meaning of a line of a word file, by its head. A phrase that ends in "?" means it only where the text supports it, and is marked so. */
interface WordFile {
  text(): string
  read(head: string): Entry
  weak?: Entry
  /** No slip is likely to have meant its words. */
  isRare?: true
}

/** The most certain file is read first, and the first meaning of a phrase stays. */
const WORD_FILES: readonly WordFile[] = [
  { text: () => readWordText('levels.txt'), read: head => ({ level: before(head), levelTitle: behind(head) }) },
  { text: () => readWordText('title-openings.txt'), read: opening => ({ opening }) },
  { text: () => readWordText('titles.txt'), read: title => ({ title }), weak: { weakTitle: true } },
  { text: () => readWordText('sizes.txt'), read: size => ({ size }) },
  { text: () => readWordText('stages.txt'), read: stage => ({ stage }), weak: { weakStage: true } },
  { text: () => readWordText('keywords.txt'), read: keyword => ({ keyword }), weak: { narrower: true } },
  { text: functionText, read: readFunction },
  { text: () => readWordText('technologies.txt'), read: technology => ({ technology }), weak: { weakTechnology: true } },
  { text: industryText, read: industry => ({ industry }), weak: { weakIndustry: true } },
  { text: tradeText, read: industry => ({ industry }), weak: { weakIndustry: true }, isRare: true },
  { text: () => readWordText('levels-more.txt'), read: head => ({ level: before(head), levelTitle: behind(head) }), isRare: true },
  { text: () => readWordText('title-openings-more.txt'), read: opening => ({ opening }), isRare: true },
  { text: () => readWordText('sizes-more.txt'), read: size => ({ size }), isRare: true },
  { text: () => readWordText('titles-more.txt'), read: title => ({ title, foreignTitle: true }), isRare: true },
  { text: moreFunctionText, read: head => ({ function: { ...readFunction(head).function!, foreign: true } }), isRare: true },
  { text: moreIndustryText, read: industry => ({ industry }), weak: { weakIndustry: true }, isRare: true },
  { text: industryNames, read: industry => ({ industry }), isRare: true },
]
const before = (head: string): string => head.slice(0, head.indexOf(' | '))
const behind = (head: string): string => head.slice(head.indexOf(' | ') + 3)

function readFunction(head: string): Entry {
  const department = behind(head)
  return { function: { title: before(head), department: department === '-' ? undefined : (department as Department) } }
}

function industryNames(): string {
  const names = [...INDUSTRIES.values()]
  return names.map(({ slug, label }) => `${slug}: ${foldTokens(label).join(' ')}, ${slug.replaceAll('-', ' ')}\n`).join('')
}

let texts: readonly string[] | undefined

function wordTexts(): readonly string[] {
  texts ??= WORD_FILES.map(({ text }) => text())
  return texts
}

/** Calls `take` with every phrase that begins so; a space at the end says that a word ends there. */
function findPhrases(start: string, take: (phrase: string, entry: Entry) => void): void {
  const begins = ` ${start.trimEnd()}`
  for (const [file, text] of wordTexts().entries()) {
    const { read, weak: mark } = WORD_FILES[file]!
    let end = -1
    let entry: Entry = {}
    let weak = entry
    // Patterns are slower, and this runs over all words before the first brief is read.
    for (let at = text.indexOf(begins); at >= 0; at = text.indexOf(begins, at + 1)) {
      if (text[at - 1] !== ',' && text[at - 1] !== ':') continue
      let last = at + begins.length
      if (start.endsWith(' ') && !ENDS.has(text[last]!) && text[last] !== ' ') continue
      while (!ENDS.has(text[last]!)) last++
      if (at > end) {
        const line = text.lastIndexOf('\n', at) + 1
        end = text.indexOf('\n', at)
        entry = read(text.slice(line, text.indexOf(': ', line)))
        weak = mark ? { ...entry, ...mark } : entry
      }
      take(text.slice(at + 1, last), text[last] === '?' ? weak : entry)
    }
  }
}
const ENDS: ReadonlySet<string | undefined> = new Set([',', '?', '\n', undefined])

/** The first three letters of the first word, or all of a shorter one and the space after it. */
function branchKey(phrase: string): string {
  const key = phrase.length < 3 ? `${phrase} ` : phrase.slice(0, 3)
  return key[1] === ' ' ? key.slice(0, 2) : key
}

/** So many branches are searched for before all phrases are sorted: most briefs need fewer, and sorting costs as much as fifty searches. */
const MOST_SEARCHES = 24
const searched = new Set<string>()
let branches: Map<string, Branch> | undefined

/** The phrases of a branch; undefined where it has grown. */
function takeBranch(key: string): Branch | undefined {
  if (searched.size === MOST_SEARCHES) branches ??= sortBranches()
  if (branches) {
    const branch = branches.get(key)
    if (branch) branches.delete(key)
    return branch
  }
  if (searched.has(key) || !/^[a-z0-9]+ ?$/.test(key)) return undefined
  searched.add(key)
  const found: Branch = []
  findPhrases(key, (phrase, entry) => found.push(phrase, entry))
  return found
}

function sortBranches(): Map<string, Branch> {
  const sorted = new Map<string, Branch>()
  findPhrases('', (phrase, entry) => {
    const key = branchKey(phrase)
    const branch = sorted.get(key)
    if (branch) branch.push(phrase, entry)
    else sorted.set(key, [phrase, entry])
  })
  for (const key of searched) sorted.delete(key)
  return sorted
}

function grow(word: string): void {
  const branch = takeBranch(branchKey(word))
  if (!branch) return
  for (let at = 0; at < branch.length; at += 2) {
    const phrase = branch[at] as string
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

/** The meaning of a stretch of words as a whole, whatever their endings. */
export function entryOfWords(words: readonly string[], at: number, length: number): Entry | undefined {
  const found = longestEntry(words, at, at + length)
  return found?.length === length ? found.entry : undefined
}

/** The meaning of a single word, whatever its ending. */
export const entryOfWord = (word: string): Entry | undefined => longestEntry([word], 0, 1)?.entry

/** The word files in one, without rare names: for the reader of slips, which needs every word that occurs. */
export const vocabularyText = (): string =>
  [...wordTexts().filter((_, at) => !WORD_FILES[at]!.isRare), readWordText('role-nouns.txt')].join('\n')
