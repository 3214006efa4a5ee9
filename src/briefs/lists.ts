import { phraseSet, readAllWords, readEntries, wordSet } from './words.ts'

/** Word lists that several readers ask. */

export const AT_THE_END = phraseSet('polarity.txt', 'excluded at the end')
export const EXCEPT = phraseSet('polarity.txt', 'except')
export const EXCLUDED = phraseSet('polarity.txt', 'excluded')
export const LIKEWISE_BEFORE = phraseSet('polarity.txt', 'likewise before')
export const NEGATES_NOTHING = phraseSet('polarity.txt', 'negates nothing')
export const NOT = phraseSet('polarity.txt', 'not')
export const PREDICATES = wordSet('polarity.txt', 'refusing predicates')
export const REFUSE_THEM = phraseSet('polarity.txt', 'refuse them')
export const RELATIVES_BEFORE_A_REFUSAL = wordSet('polarity.txt', 'relatives before a refusal')
export const REPLACED_BY = wordSet('polarity.txt', 'replaced by')
export const REPLACING = wordSet('polarity.txt', 'replacing')
export const RETRACTIONS = phraseSet('polarity.txt', 'retractions')
export const SPLIT_VERBS = wordSet('polarity.txt', 'split verbs')
export const TURNS_BACK = wordSet('polarity.txt', 'turns back')
export const WELCOMES = wordSet('polarity.txt', 'welcoming predicates')
export const ANYONE = wordSet('small.txt', 'anyone')
export const COMPANY_NOUNS = wordSet('small.txt', 'company nouns')
export const COMPASS = wordSet('small.txt', 'compass')
export const CONJUNCTIONS = wordSet('small.txt', 'conjunctions')
export const GENERIC_NOUNS = wordSet('small.txt', 'generic nouns')
export const IDLE_ADJECTIVES = wordSet('small.txt', 'idle adjectives')
export const PEOPLE_NOUNS = wordSet('small.txt', 'people nouns')
export const STOP_WORDS = wordSet('small.txt', 'stop words')
export const ACQUAINTANCES = wordSet('things-grammar.txt', 'acquaintances')
export const AMBIGUOUS = wordSet('things-grammar.txt', 'ambiguous companies')
export const BEGAN = wordSet('things-grammar.txt', 'began work')
export const EMPLOYER_PHRASES = wordSet('things-grammar.txt', 'employer phrases')
export const IS = wordSet('things-grammar.txt', 'is')
export const PLACE_KINDS = wordSet('things-grammar.txt', 'place kinds')
export const RIVALS = wordSet('things-grammar.txt', 'rivals')
export const USERS = wordSet('things-grammar.txt', 'users')
export const ARTICLES = wordSet('voices.txt', 'articles')
export const BEFORE_US = wordSet('voices.txt', 'before us')
export const OWN = wordSet('voices.txt', 'own')
export const PLAIN_REQUESTS = wordSet('voices.txt', 'plain requests')
export const RELATIVES = wordSet('voices.txt', 'relatives')
export const REQUESTS = phraseSet('voices.txt', 'requests')
export const SENDER = phraseSet('voices.txt', 'sender')
export const TEAMS = wordSet('voices.txt', 'teams')
export const LEADS = wordSet('wishes.txt', 'leads')
export const ONLY = wordSet('wishes.txt', 'only')

/** Everyday words that must not be repaired into something they resemble, nor taken for topics or names. */
export const COMMON_WORDS = readAllWords('common.txt')

/** Every form of a noun that ends a title, and its singular in English. */
export const ROLE_NOUNS: ReadonlyMap<string, string> = new Map(
  readEntries('role-nouns.txt').flatMap(([role, forms]) => forms.map(form => [form, role] as const)),
)
