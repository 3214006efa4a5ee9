import type { Token } from '../model.ts'
import { Phrases, wordRows } from '../vocabulary/word-files.ts'

/**
 * Small words of a language that are other words in English ("do" is "up to" in Polish, "i" is "in" in Danish). Where the text is in
 * that language, they are read as the words by which the grammar knows them. The text as written stays what is quoted.
 */

/** Language -> its phrases and the words that they are read as: no more than it has itself. */
const languages = new Map<string, Phrases<readonly string[]>>()

function phrasesOf(language: string): Phrases<readonly string[]> {
  const ready = languages.get(language)
  if (ready) return ready
  const rows = wordRows('translations.txt', language)
  const phrases = new Phrases(new Map(rows.flatMap(([meant, all]) => all.map(phrase => [phrase, meant.split(' ')] as const))))
  languages.set(language, phrases)
  return phrases
}

/** Word -> the languages that have it, and how sure it makes us: "-" for those that the grammar knows. */
const MARKS = new Map<string, [language: string, weight: number][]>()
for (const [head, words] of wordRows('translations.txt', 'marks'))
  for (const word of words) {
    const mark: [string, number] = head.endsWith('!') ? [head.slice(0, -1), 2] : [head, 1]
    MARKS.set(word, [...(MARKS.get(word) ?? []), mark])
  }
const SURE = 2
/** Letters that only its words have. */
const LETTERS = wordRows('translations.txt', 'letters').map(([language, [letters]]) => [language, new RegExp(`[${letters}]`)] as const)

function languageOf(tokens: readonly Token[]): string | undefined {
  const found = new Map<string, number>()
  const count = (language: string, weight: number) => found.set(language, (found.get(language) ?? 0) + weight)
  for (const [word, token] of new Map(tokens.map(token => [token.word, token]))) {
    for (const [language, weight] of MARKS.get(word) ?? []) count(language, weight)
    // "Łódź": the name of a place has its letters in every language.
    if (!token.capital || token === tokens[0]) for (const [language, letters] of LETTERS) if (letters.test(token.text)) count(language, 1)
  }
  const [best] = [...found].sort(([, one], [, other]) => other - one)
  return best && best[1] >= SURE && best[1] > (found.get('-') ?? 0) ? best[0] : undefined
}

export function translateSmallWords(tokens: readonly Token[]): readonly Token[] {
  const language = languageOf(tokens)
  if (language === undefined) return tokens
  const phrases = phrasesOf(language)
  const words = tokens.map(token => token.word)
  const read: Token[] = []
  for (let at = 0; at < tokens.length; at++) {
    // "Till Meyer": a capital within the sentence makes a name.
    const isName = tokens[at]!.capital && tokens[at - 1]?.kind === 'word'
    const found = isName ? undefined : phrases.longest(words, at)
    if (!found) {
      read.push(tokens[at]!)
      continue
    }
    const last = at + found.length - 1
    for (const [step, word] of found.value.entries()) {
      const token = tokens[at + step]!
      read.push({ ...token, word, ...(step === found.value.length - 1 ? { end: tokens[last]!.end } : {}) })
    }
    at = last
  }
  return read
}
