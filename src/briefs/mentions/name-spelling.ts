import type { Token } from '../text/tokens.ts'

/** How a text writes its nouns: where all of them have capitals, a capital makes no name. */

const GERMAN = new Set('und oder der das bei ohne nicht ausser mit im fur von keine mitarbeiter'.split(' '))

export const isGerman = (words: readonly string[]): boolean => words.some(word => GERMAN.has(word))

export function isTitleCase(tokens: readonly Token[]): boolean {
  const long = tokens.filter(token => token.kind === 'word' && token.word.length > 3)
  return long.length > 5 && long.filter(token => token.capital).length > long.length * 0.7
}
