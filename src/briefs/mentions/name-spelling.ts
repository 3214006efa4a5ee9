import type { Source } from '../model.ts'

/** How a text writes its nouns: where all of them have capitals, a capital makes no name. */
export interface Spelling {
  isGerman: boolean
  isTitleCase: boolean
}

const GERMAN = new Set('und oder der das bei ohne nicht ausser mit im fur von keine mitarbeiter'.split(' '))

export function spellingOf({ words, tokens }: Source): Spelling {
  const long = tokens.filter(token => token.kind === 'word' && token.word.length > 3)
  return {
    isGerman: words.some(word => GERMAN.has(word)),
    isTitleCase: long.length > 5 && long.filter(token => token.capital).length > long.length * 0.7,
  }
}
