import { readPhrases } from './phrase-files.ts'

/**
 * What a single word is about: the sections of the word files that name it alone, whole or by its beginning. The model
 * learns from these, so that a word it has never met says something when its like is known.
 */

const FILES = ['classes.txt', 'concepts.txt']
const SINGLE_WORD = /^[a-z']+\*?$/
/** Most words recur, so they are cached. The words of strangers must not fill the memory. */
const MAX_REMEMBERED = 20_000

interface Lexicon {
  whole: Map<string, string[]>
  beginnings: Map<string, string[]>
}

function readLexicon(): Lexicon {
  const [whole, beginnings] = [new Map<string, string[]>(), new Map<string, string[]>()]
  for (const { section, text } of FILES.flatMap(readPhrases)) {
    if (!SINGLE_WORD.test(text)) continue
    const [words, key] = text.endsWith('*') ? ([beginnings, text.slice(0, -1)] as const) : ([whole, text] as const)
    words.set(key, [...(words.get(key) ?? []), section])
  }
  return { whole, beginnings }
}

let lexicon: Lexicon | undefined
const remembered = new Map<string, string[]>()

export function conceptsOf(word: string): string[] {
  const known = remembered.get(word)
  if (known) return known
  lexicon ??= readLexicon()
  const found = lookUp(word, lexicon)
  if (remembered.size === MAX_REMEMBERED) remembered.clear()
  remembered.set(word, found)
  return found
}

/** Takes time in proportion to the length of the word, however many words there are. */
function lookUp(word: string, { whole, beginnings }: Lexicon): string[] {
  const found = new Set(whole.get(word) ?? [])
  for (let end = 1; end <= word.length; end++) for (const concept of beginnings.get(word.slice(0, end)) ?? []) found.add(concept)
  return [...found]
}
