import { readPhrases } from './phrase-files.ts'

/**
 * The concepts of a single word: the sections of the word files that contain it alone, whole or by its beginning. The model
 * learns from these, so that an unknown word has a meaning if a similar word is known.
 */

const FILES = ['classes.txt', 'concepts.txt']
const SINGLE_WORD = /^[a-z']+\*?$/
/** Most words recur, so they are cached, with a limit because strangers choose them. */
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

/** Takes time linear in the length of the word, however many words there are. */
function lookUp(word: string, { whole, beginnings }: Lexicon): string[] {
  const found = new Set(whole.get(word) ?? [])
  for (let end = 1; end <= word.length; end++) for (const concept of beginnings.get(word.slice(0, end)) ?? []) found.add(concept)
  return [...found]
}
