import { entryOf } from '../mentions/lexicon.ts'
import { ROLE_NOUNS } from '../mentions/role-nouns.ts'
import { phraseSet, wordSet } from '../words.ts'

/** Whether a stretch of words speaks of what the sender does, or of whom he asks for. */

const SENDER = phraseSet('voices.txt', 'sender')
export const SELLS = wordSet('voices.txt', 'sells')
const SELLER_VERBS = wordSet('voices.txt', 'seller verbs')
export const SUBJECTS = new Set('we i wir ich nous je on wij ik'.split(' '))

export const tellsTrade = (words: readonly string[], from: number, end: number): boolean =>
  words.slice(from, end).some(word => SELLS.has(word) || SELLER_VERBS.has(word))

export const namesRoles = (words: readonly string[], from: number, end: number): boolean =>
  words
    .slice(from, end)
    .some(word => /[^s]s$|en$|innen$/.test(word) && (ROLE_NOUNS.has(word) || entryOf(word)?.level || entryOf(word)?.title))

/** "it's for our solar product, so house builders in Queensland": behind "so" comes the wish, unless the sender goes on. */
export const concludes = (words: readonly string[], at: number, end: number): boolean =>
  at < end && !SENDER.longest(words, at) && !['that', 'far', 'they', 'you', 'it', 'is', 'are', 'much', 'many', 'and'].includes(words[at]!)
