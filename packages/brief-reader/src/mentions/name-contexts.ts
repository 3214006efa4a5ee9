import type { Source } from '../model.ts'
import { isPurpose } from '../segments/compound-refusals.ts'
import type { Layout } from '../segments/sentences.ts'
import { entryOf } from '../vocabulary/lexicon.ts'
import { isKnownPlace } from '../vocabulary/place-words.ts'
import { Phrases, phraseSet, readAllWords, wordSet } from '../vocabulary/word-files.ts'
import {
  AMBIGUOUS,
  AT_THE_END,
  BEGAN,
  COMPETITORS,
  CONJUNCTIONS,
  EMPLOYER_PHRASES,
  EXCEPT,
  EXCLUDED,
  NOT,
  PEOPLE_NOUNS,
  REFUSE_THEM,
  RELATIONSHIPS,
  RETRACTIONS,
  ROLE_NOUNS,
  STOP_WORDS,
} from '../vocabulary/word-lists.ts'

/** The places at which the text expects the name of a company: after "at", after a refusal, before a verb that refuses it. */

export const COMPANIES = new Phrases(new Map([...readAllWords('companies.txt')].map(name => [name, true])))
const EMPLOYERS = wordSet('things-grammar.txt', 'employers')
/** German "keine" comes before nouns, never before names. */
const BEFORE_NOUNS = /^(?:bitte )?kein(?:e[nrms]?|erlei)?$/

/** "Bitte Acme ausschließen", "Auf Acme verzichten wir": with a capital only because the sentence begins with them. */
export const OPENS_CLAUSE = new Set(
  'bitte please pls auf von mit with avec con svp merci fur nach bei zu um pour chez para including deja dejad dejemos'.split(' '),
)
export const PRONOUNS = new Set('we i our they you he she it wir ich nous je'.split(' '))
export const CONNECTORS = new Set('of de des du del di der'.split(' '))

/** `example`: after "no agencies like". */
export type Opener = 'employer' | 'refusal' | 'label' | 'list' | 'example'

export const WORKS = wordSet('things-grammar.txt', 'works')

/** A refusal stands at most this far after its name. The limit bounds the search in a clause without an end. */
const FAR_AHEAD = 40

export function refusedLater({ words }: Source, layout: Layout, from: number): boolean {
  const end = layout.bounds[layout.sentence[from]!]![1]
  for (let at = from + 1; at < end && at < from + FAR_AHEAD; at++) {
    if (REFUSE_THEM.longest(words, at, end)) return true
    // "so please skip": a command at the end of the sentence.
    const command = EXCEPT.longest(words, at, end)
    if (command && at + command.length === end) return true
  }
  return false
}

/** "tesla, rivian - battery engineers": a line that opens with a row of companies that everyone knows needs no capitals. */
export function isRow(words: readonly string[], from: number): boolean {
  const line = from === 0 || words[from - 1] === '\n' ? words.slice(from, from + LONGEST_ROW) : []
  const end = line.findIndex(word => word === '—' || word === ':')
  const names = line
    .slice(0, Math.max(0, end))
    .join(' ')
    .split(/ [,/] /)
  const known = names.filter(name => COMPANIES.has(name))
  return known.length > 1 && known.some(name => !AMBIGUOUS.has(name)) && names.every(name => !name.includes(' ') || known.includes(name))
}
const LONGEST_ROW = 30

/** "Compass and Sodexo are taken, skip both": what opens the clause and is joined to a known company, both of them refused, is one too. */
export function joinedBefore(source: Source, layout: Layout, at: number): number {
  const { words, items, tokens } = source
  const isName = items[at - 2]?.kind === 'word' && tokens[items[at - 2]!.first]!.capital
  const opens = items[at - 3] === undefined || items[at - 3]!.kind === 'mark'
  return isName && opens && CONJUNCTIONS.has(words[at - 1]!) && refusedLater(source, layout, at) ? at - 2 : at
}

/** "Acme bitte nicht", "Acme? Nope", "Acme doesn't fit": where the names that a negation after them refuses end. */
export function refusalBehind({ words, items }: Source, layout: Layout, at: number): number | undefined {
  const found = NOT.longest(words, at) ?? AT_THE_END.longest(words, at) ?? answerAt(words, at)
  if (!found || at === 0 || isPurpose(words, at)) return undefined
  const answers = items[at - 1]!.kind === 'mark'
  if (answers && !ANSWERED.has(words[at - 1]!)) return undefined
  const end = layout.bounds[layout.sentence[at]!]![1]
  let next = at + found.length
  // "ITAR not an issue" refuses nothing.
  if (HARMLESS.has(words[next] ?? '')) return undefined
  while (next < end && next < at + found.length + LONGEST_PREDICATE && items[next]!.kind === 'word') next++
  if (next < end && (items[next]!.kind !== 'mark' || words[next] === '(')) return undefined
  // "Acme, no." answers; in "Acme, no banks" the negation has its own noun.
  if (words[at - 1] === ',' && (next > at + found.length || next < end)) return undefined
  const before = answers ? at - 1 : at
  return before > 0 ? before : undefined
}
/** "Acme, non merci": what answers to a name after its comma. */
const answerAt = (words: readonly string[], at: number) => (words[at - 1] === ',' ? EXCLUDED.longest(words, at) : undefined)
const HARMLESS = wordSet('negation.txt', 'harmless predicates')
const ANSWERED = new Set([',', ':', '?', '—', '-', '→', '='])
const LONGEST_PREDICATE = 6

/** "lassen Sie Acme weg": what is refused comes after the pronoun. */
export const behindPolite = (words: readonly string[], at: number): number => (POLITE.has(words[at] ?? '') ? at + 1 : at)
const POLITE = new Set('sie ihr wir mal bitte'.split(' '))

/** Whether the second part of a verb follows in its clause: "leave … out". */
export function isSplit({ words }: Source, layout: Layout, verb: number): boolean {
  const end = Math.min(layout.bounds[layout.sentence[verb]!]![1], verb + 20)
  for (let at = verb + 2; at < end; at++)
    // "haltet Ausschau nach CFOs aus Wien": where they are is no part of a verb.
    if (AT_THE_END.longest(words, at, end) && !(words[at] === 'aus' && isKnownPlace(words[at + 1] ?? ''))) return true
  return false
}

/** "heads of X": the beginning of a title; in "store managers of X" the title is complete. */
function opensTitle({ words, items }: Source, of: number): boolean {
  if (!entryOf(`${words[of - 1]} ${words[of]}`)?.opening) return false
  const before = items[of - 2]
  return before?.kind !== 'word' || STOP_WORDS.has(before.word) || CONJUNCTIONS.has(before.word)
}

export const negatorAt = (words: readonly string[], at: number) =>
  EXCEPT.longest(words, at) ?? NOT.longest(words, at) ?? RETRACTIONS.longest(words, at)

export function openerAt(source: Source, at: number): { next: number; kind: Opener } | undefined {
  const { words } = source
  const word = words[at]!
  const before = words[at - 1] ?? ''
  if (EMPLOYERS.has(word) || EMPLOYER_PHRASES.has(`${before} ${word}`)) return { next: at + 1, kind: 'employer' }
  if (word === 'from' && (PEOPLE_NOUNS.has(before) || ROLE_NOUNS.has(before))) return { next: at + 1, kind: 'employer' }
  if ((word === 'of' || word === 'de') && (ROLE_NOUNS.has(before) || entryOf(before)?.title) && !opensTitle(source, at))
    return { next: at + 1, kind: 'employer' }
  // "who joined Stripe", "que entraron hace poco a Mercado Libre"
  if (BEGAN.has(word) || (['a', 'en', 'to', 'by'].includes(word) && words.slice(Math.max(0, at - 4), at).some(each => BEGAN.has(each))))
    return { next: at + 1, kind: 'label' }
  if (word === 'ex' && COMPANIES.longest(words, at + 1)) return { next: at + 1, kind: 'refusal' }
  if (COMPETITORS.has(word) && ['(', ':', 'such', 'like', 'e', 'wie', 'comme', 'como'].includes(words[at + 1] ?? ''))
    return { next: at + 1, kind: 'label' }
  // "…, menos Barça y Real Madrid"
  const named = source.tokens[source.items[at + 1]?.first ?? -1]
  if (LESS.has(word) && before === ',' && named?.capital && !isKnownPlace(named.word)) return { next: at + 1, kind: 'refusal' }
  if (LIKE.has(word) && refusedExamples(source, at)) return { next: at + 1, kind: 'example' }
  // "clubes de España, menos Real Madrid"
  const exception = before === ',' || isKnownPlace(before) ? BEHIND_PLACE.longest(words, at) : undefined
  if (exception && word !== 'but') return { next: at + exception.length, kind: 'refusal' }
  const negator = negatorAt(words, at)
  const said = negator ? words.slice(at, at + negator.length).join(' ') : ''
  if (!negator || BEFORE_NOUNS.test(said)) return undefined
  const next = at + negator.length
  if ((SAYS_USING.test(said) || refusesUse(words, at, next)) && !COMPANIES.longest(words, next)) return undefined
  return { next, kind: 'refusal' }
}

const BEHIND_PLACE = phraseSet('negation.txt', 'except behind place')

/** "not using Acme": what is not used is a product. */
export const SAYS_USING = /(?:^| )(?:use|using|usan|usen|not on)$/
/** "not on Acme", "die nicht mit Acme arbeiten", "no Acme users" */
const refusesUse = (words: readonly string[], at: number, next: number): boolean =>
  /^(?:on|sous)$/.test(words[next] ?? '') ||
  USER_NOUNS.has(words[next + 1] ?? '') ||
  (/^(?:mit|avec)$/.test(words[next] ?? '') && [words[at - 1], words[next + 2]].some(word => /^(?:arbeite|travaille)n?/.test(word ?? '')))
const USER_NOUNS = wordSet('things-grammar.txt', 'user nouns')
const LESS = new Set('menos moins'.split(' '))
const LIKE = new Set('like as wie comme como'.split(' '))
const MOST_REFUSED_WORDS = 5

/** "no franchises like Planet Fitness": the names after it are examples of what the same clause refuses. */
function refusedExamples({ words, items }: Source, like: number): boolean {
  for (let at = like - 1; at >= 0 && at >= like - MOST_REFUSED_WORDS && items[at]!.kind === 'word'; at--)
    if (NOT.longest(words, at, like) ?? EXCEPT.longest(words, at, like)) return true
  return false
}

/** "without the Big Four: PwC, EY", "none of the majors, i.e. Shell": where the list begins that says who a refused group is. */
export function listedBehind({ words, items }: Source, from: number): number | undefined {
  let at = from
  while (at < words.length && at < from + MOST_REFUSED_WORDS && items[at]!.kind !== 'mark') at++
  if (LISTS.has(words[at] ?? '')) return at + 1
  const namely = words[at] === ',' || words[at] === '(' ? NAMELY.longest(words, at + 1) : undefined
  const next = namely && at + 1 + namely.length
  return next && words[next] === ':' ? next + 1 : next
}
const LISTS = new Set([':', '(', '—'])
export const NAMELY = phraseSet('things-grammar.txt', 'namely')

/** A command stands at most this far after the verb. The limit bounds the search in a text that repeats the verb. */
const FAR_BEHIND = 60

/** "Siemens Mobility and Alstom are competitors, please exclude them": the names come before the verb. */
export function statesRefusal({ words }: Source, layout: Layout, verb: number): boolean {
  const after = words.slice(verb + 1, verb + 6)
  if (after.some(word => COMPETITORS.has(word))) return true
  if (!after.some(word => RELATIONSHIPS.has(word))) return false
  const end = Math.min(layout.bounds[layout.sentence[verb]! + 1]?.[1] ?? words.length, verb + FAR_BEHIND)
  for (let at = verb + 1; at < end; at++) if (REFUSE_THEM.longest(words, at) || EXCEPT.longest(words, at)) return true
  return false
}
