import type { Source } from '../model.ts'
import { entryOf, entryOfWord } from '../vocabulary/lexicon.ts'
import { isPlaceWord } from '../vocabulary/place-words.ts'
import { phraseSet, wordSet } from '../vocabulary/word-files.ts'
import { ARTICLES, CONJUNCTIONS, EXCEPT, NOT, OWN, PREDICATES, REQUESTS, SENDER, STOP_WORDS, TEAMS } from '../vocabulary/word-lists.ts'
import { namesPlace } from './sender-customers.ts'
import { declinesContact } from './sender-denials.ts'
import {
  ASKS,
  asksFor,
  asksForPeople,
  FAR_VERB,
  isPeopleOrCompanies,
  isPerson,
  MARKS,
  OF,
  OPENINGS,
  REFUSES,
  SELLS,
} from './sender-offer.ts'

/** The plans of a person with people make them the wish, whatever else his clause tells: "we're planning a mailing to CFOs of hotels". */

const PLANS = phraseSet('segments.txt', 'plans')
const PLAN_LINKS = wordSet('segments.txt', 'plan links')
const OVER = phraseSet('segments.txt', 'over and done')
const FAR_PEOPLE = 12

/** The start of the people whom a person plans to reach, with a trade, a place or a size of theirs. */
export function startOfPlanned({ words, items, tokens, distinct }: Source, first: number, end: number): number | undefined {
  // "Ziel ist es, Leiter der Entwicklung in Ulm zu erreichen": in German the verb comes last.
  const isLast = PLANS.has(words[end - 1]!) && isGerman(distinct)
  for (let at = first, clause = first; at < end; at++) {
    if (CONJUNCTIONS.has(words[at]!) || MARKS.has(words[at]!)) clause = at
    const plan = isLast && words[at] === ',' ? { length: 1 } : PLANS.longest(words, at, end)
    if (!plan) continue
    let role = at + plan.length
    while (role < end && role < at + FAR_PEOPLE && !isPerson(words[role]!) && !MARKS.has(words[role]!)) role++
    if (role === end || !isPerson(words[role]!)) continue
    let start = role
    // "it" is a small word, "IT" a department.
    while (start > at + plan.length && !(isSmall(words[start - 1]!) && !tokens[items[start - 1]!.first]!.allCaps)) start--
    // "a mailing tool for CFOs" is what he sells.
    if (!words.slice(at + plan.length, start).every(isSmall) || words.slice(clause, at).some(word => SELLS.has(word))) continue
    const isOver = OVER.isWithin(words, first, end) || declinesContact(words, first, role)
    const isKnown = items.slice(start, end).some(({ kind, word }, next) => kind === 'quantity' || (start + next !== role && asksFor(word)))
    return isOver || !isKnown ? undefined : start
  }
  return undefined
}
const isGerman = (distinct: ReadonlySet<string>): boolean => GERMAN.some(word => distinct.has(word))
const GERMAN = 'wir ich und der die ein eine mit bei'.split(' ')
const isSmall = (word: string): boolean => (STOP_WORDS.has(word) && !CONJUNCTIONS.has(word)) || ARTICLES.has(word) || PLAN_LINKS.has(word)

/**
 * "The user operates a catering company in Denver and wants to reach CFOs", "Der Auftraggeber ist ein Caterer aus Hamburg": where the words
 * end that tell of the one for whom another person asks.
 */
export function endOfPrincipal(source: Source, first: number, end: number): number | undefined {
  const { words } = source
  let at = first
  while (at < first + 5 && at < end && (OPENINGS.has(words[at]!) || OWN.has(words[at]!) || ARTICLES.has(words[at]!) || words[at] === 'l'))
    at++
  if (!PRINCIPALS.has(words[at] ?? '')) return undefined
  // "my client, a Parisian label, sells": what is between the commas tells of him, too.
  const aside =
    words[at + 1] === ',' || words[at + 1] === '('
      ? words.slice(at + 2, Math.min(end, at + FAR_PEOPLE)).findIndex(word => word === ',' || word === ')')
      : -1
  const verb = aside < 0 ? at + 1 : at + aside + 3
  if (verb >= end || !(PRINCIPAL_VERBS.has(words[verb]!) || ASKS.longest(words, verb, end))) return undefined
  const asked = startOfPlanned(source, verb, end) ?? endOfAsking(words, verb, end)
  const told = asked ?? end
  if (NOT.isWithin(words, verb, told) || EXCEPT.isWithin(words, verb, told) || REFUSES.isWithin(words, verb, told)) return undefined
  // "our client is entering Oregon"
  if (asked !== undefined || !PRINCIPAL_VERBS.has(words[verb]!) || REQUESTS.isWithin(words, verb, end)) return asked
  const rest = words.slice(end, end + FAR_WISH)
  const asks = rest.some(isPerson) || words.slice(Math.max(0, first - FAR_WISH), first).some(isPerson)
  return asks ? end : undefined
}
const PRINCIPALS = wordSet('segments.txt', 'principals')
const PRINCIPAL_VERBS = wordSet('segments.txt', 'principal verbs')
const FAR_WISH = 60

function endOfAsking(words: readonly string[], from: number, end: number): number | undefined {
  for (let at = from; at < end; at++) {
    const asks = ASKS.longest(words, at, end)?.length ?? 0
    if (asks > 0 && words.slice(at + asks, at + asks + FAR_PEOPLE).some(isPeopleOrCompanies)) return at + asks
  }
  return undefined
}

/**
 * "Anna wants dentists", "our head of sales needs buyers", "Marketing objects to Norway": where the words about the one who speaks end; what
 * he asks for or refuses follows.
 */
export function endOfSpeaker({ words, items, tokens }: Source, first: number, end: number): number | undefined {
  let at = first
  while (at < first + 3 && (OWN.has(words[at] ?? '') || OPENINGS.has(words[at] ?? ''))) at++
  if (items[at]?.kind !== 'word') return undefined
  // "On refuse les agences"
  if (SENDER.has(words[at]!) || EXCEPT.longest(words, at, end)) return undefined
  const entry = entryOf(words[at]!)
  const isName = tokens[items[at]!.first]!.capital && !entry && !NOT.has(words[at]!) && !/s$/.test(words[at]!)
  if (!isName && !TEAMS.has(words[at]!)) return endOfOfficer(words, at, end)
  // "The sales team would like", "the team at our Porto office wants"
  let verb = at + (TEAMS.has(words[at + 1] ?? '') ? 2 : 1)
  // "Nina (sales) says", "boss lady wants"
  if (words[verb] === '(' && words[verb + 2] === ')') verb += 3
  while (verb < at + FAR_OFFICE && HURRIES.has(words[verb] ?? '')) verb++
  if ((OF.has(words[verb] ?? '') || words[verb] === 'in') && TEAMS.has(words[at]!))
    while (verb < at + FAR_VERB && !ASKS.longest(words, verb, end) && !MARKS.has(words[verb]!)) verb++
  const refuses = REFUSES.longest(words, verb, end)
  // "Acme won't work for us" is said of Acme.
  if (refuses) return PREDICATES.has(words[verb + refuses.length] ?? '') ? undefined : verb
  const asks = ASKS.longest(words, verb, end)
  return asks && words[verb + asks.length] !== 'not' ? verb + asks.length : undefined
}

/** "CFO wants …", "head of sales is asking for …": one person of a rank, where another person is named after the verb. */
function endOfOfficer(words: readonly string[], at: number, end: number): number | undefined {
  let verb = at
  while (verb < at + FAR_OFFICE && isOffice(words[verb] ?? '')) verb++
  if (!words.slice(at, verb).some(isPerson)) return undefined
  while (verb < at + FAR_OFFICE && HURRIES.has(words[verb] ?? '')) verb++
  const asked = verb + (ASKS.longest(words, verb, end)?.length ?? 0)
  // "Sachbearbeiter brauchen wir nicht", "owner needs a loan, restaurants in Ohio"
  if (asked === verb || SENDER.longest(words, asked, end)) return undefined
  let to = asked
  while (to < end && (words[to] === ':' || !MARKS.has(words[to]!))) to++
  return words.slice(asked, to).some(isPeopleOrCompanies) ? asked : undefined
}
const isOffice = (word: string): boolean =>
  (isPerson(word) && !(/s$/.test(word) && asksForPeople(word))) || entryOfWord(word)?.function !== undefined || OF.has(word)
const FAR_OFFICE = 6
const HURRIES = wordSet('segments.txt', 'hurries')

/** "Traditionally we sell to farmers", "Our best clients are hotels": the end of a clause about what he does or has, where others are asked for. */
export function endOfHabit({ words }: Source, first: number, end: number): number | undefined {
  if (!HABITS.isWithin(words, first, end)) return undefined
  let to = first
  // "hasta ahora" continues, "…, ahora son hoteles" does not.
  while (to < end && !TURNS.has(words[to]!) && !(words[to] === ',' && TURNS_NOW.has(words[to + 1] ?? ''))) to++
  const rest = words.slice(to + 1, to + FAR_WISH)
  const hasPlaces = words.slice(first, to).some(isPlaceWord) && namesPlace(words, to + 1)
  const isWish = rest.some(isPerson) && (hasPlaces || rest.some(word => entryOfWord(word)?.industry !== undefined))
  const isHis = HABITS.isWithin(words, first, to) && SENDER.isWithin(words, first, Math.min(to, first + FAR_VERB))
  const isRefusal = NOT.isWithin(words, first, to) || EXCEPT.isWithin(words, first, to)
  return isHis && isWish && !isRefusal ? to : undefined
}
const HABITS = phraseSet('segments.txt', 'habits')
const TURNS = new Set('; — but aber mais pero'.split(' '))
const TURNS_NOW = new Set([...TURNS, ...'now jetzt nun heute inzwischen maintenant ahora hoy'.split(' ')])
