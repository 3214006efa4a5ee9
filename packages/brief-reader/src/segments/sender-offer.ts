import type { Source } from '../model.ts'
import { entryOf, entryOfWord, longestEntry } from '../vocabulary/lexicon.ts'
import { isPlaceWord } from '../vocabulary/place-words.ts'
import { phraseSet, wordSet } from '../vocabulary/word-files.ts'
import { COMPANY_NOUNS, CONJUNCTIONS, EXCEPT, LEADS, NOT, OWN, REQUESTS, ROLE_NOUNS, SENDER, STOP_WORDS } from '../vocabulary/word-lists.ts'
import { COMPETITORS, declinesContact } from './sender-denials.ts'

/** Whether a stretch of words speaks of what the sender does, or of whom he asks for. */

export const CONTEXT_STARTS = phraseSet('segments.txt', 'context starts')
export const STARTS_BEFORE_WISH = phraseSet('segments.txt', 'starts before a wish')
export const SELLS = wordSet('segments.txt', 'sells')
export const EVENTS = wordSet('segments.txt', 'events')
const SELLER_VERBS = wordSet('segments.txt', 'seller verbs')

/** "am" is English only after "I": "am liebsten" tells of no trade. */
const tellsTrade = (words: readonly string[], from: number, end: number): boolean =>
  words.slice(from, end).some((word, at) => SELLS.has(word) || (SELLER_VERBS.has(word) && (word !== 'am' || words[from + at - 1] === 'i')))

/** Endings of several people. German compounds need none: "Marketingleiter" may be one or many. */
const PLURALS = /[^s]s$|en$|innen$/
const COMPOUNDS = /.{4}(?:leiter|fuhrer|inhaber|berater|kaufer|entwickler|planer)$/

export const namesRoles = (words: readonly string[], from: number, end: number): boolean =>
  words
    .slice(from, end)
    .some(
      word =>
        COMPOUNDS.test(word) || (PLURALS.test(word) && (ROLE_NOUNS.has(word) || entryOfWord(word)?.level || entryOfWord(word)?.title)),
    )

/** The same of one person: "Steuerberater" has no ending of a plural. */
export const namesRole = (words: readonly string[], from: number, end: number): boolean =>
  words.slice(from, end).some(word => ROLE_NOUNS.has(word) || entryOfWord(word)?.title !== undefined)

/**
 * "We typically sell to CFOs", "Wir arbeiten mit Inhabern", "We sell valves to hotels": where the words about the sender end and those
 * whom he serves begin.
 */
function endOfServing(words: readonly string[], first: number, end: number): number | undefined {
  let at = first
  while (at < first + MOST_BEFORE_SERVING && !SERVES.longest(words, at, end) && !OFFERS.has(words[at] ?? '')) at++
  const serves = SERVES.longest(words, at, end)?.length ?? 0
  let to = at + Math.max(serves, 1)
  while (serves === 0 && to < end && to < at + FAR_OFFERED && !OFFERED_TO.has(words[to - 1]!)) to++
  if (serves === 0 && !(OFFERS.has(words[at] ?? '') && OFFERED_TO.has(words[to - 1]!))) return undefined
  const isSomebody = namesSomebody(words, to, Math.min(end, to + 4))
  return isSomebody && SENDER.isWithin(words, first, to) ? to : undefined
}
/** For a brief that asks for no one: the people whom the sender serves, or those after a verb that reaches them. */
export function startOfCustomers(words: readonly string[], first: number, end: number): number | undefined {
  const start = endOfServing(words, first, end) ?? startOfPeople(words, first, end, isPeopleOrCompanies)
  // "We no longer sell to dentists", "our tool is not made for banks"
  if (start === undefined || declinesContact(words, first, start) || words.slice(first, start).some(word => COMPETITORS.has(word)))
    return undefined
  return NOT.isWithin(words, first, start) || EXCEPT.isWithin(words, first, start) ? undefined : start
}
const OFFERS = wordSet('segments.txt', 'offers')
const OFFERED_TO = new Set('to an a aux al'.split(' '))
const FAR_OFFERED = 7
const SERVES = phraseSet('segments.txt', 'serves')
const MOST_BEFORE_SERVING = 6

/** "Interns or assistants never decide", "CFOs ignore us": the end of a clause that says something bad of the people it begins with. */
export function endOfComplaint(words: readonly string[], first: number, end: number): number | undefined {
  if (!words.slice(first, Math.min(end, first + 3)).some(isPerson)) return undefined
  let isBad = false
  let at = first + 1
  for (; at < end && !MARKS.has(words[at]!); at++) {
    const not = NOT.longest(words, at, end)
    // "the CFO and not the assistant"
    const isOther = not && words.slice(at + not.length, Math.min(end, at + not.length + 2)).some(isPerson)
    isBad ||= BLAMES.has(words[at]!) || (not !== undefined && !isOther)
  }
  return isBad ? at : undefined
}
export const MARKS = new Set([',', '(', ':', ';', '.', '-', '–', '—', '!', '\n'])
const BLAMES = wordSet('segments.txt', 'blames')

/**
 * "In our experience that's the plant manager or the buyer": where the first people of a sentence begin, unless they are the sender's own
 * ("our sales director", "we have two designers"), tell his trade ("we help buyers") or are refused.
 */
export function startOfPeople(words: readonly string[], first: number, end: number, isMeant = isPerson): number | undefined {
  let role = first
  while (role < end && !isMeant(words[role]!)) role++
  let clause = role
  while (clause > first && !MARKS.has(words[clause - 1]!)) clause--
  const verbAt = (at: number) => Math.max(...[REQUESTS, ASKS, REACHES].map(phrases => phrases.longest(words, at, role)?.length ?? 0))
  let verb = role - 1
  while (verb >= clause && verbAt(verb) === 0) verb--
  const near = words.slice(role, Math.min(end, role + FAR_IN_LIST))
  const isList = near.some(word => OR.has(word)) && near.filter(isPerson).length > 1
  if (role === end || !(verb >= clause || isList || namesRoles(near, 0, 2))) return undefined
  // "The CEO or CFO of our company"
  if (near.some((word, at) => OF.has(word) && OWN.has(near[at + 1] ?? '') && SENDER.has(near[at + 1]!))) return undefined
  const told = words.slice(clause, verb < clause ? role : verb)
  const opening = verb < clause ? clause : verb + verbAt(verb)
  const isOwn = words.slice(Math.max(opening, role - 3), role).some(word => OWN.has(word) && SENDER.has(word))
  // "I'm keen to get to know": before a verb that asks, to be tells of no trade.
  const trade = told.filter((word, at) => !IS.has(word) || (verb < clause && !/ing$/.test(told[at + 1] ?? '')))
  if (isOwn || tellsTrade(trade, 0, trade.length) || told.some(word => STORY_VERBS.has(word) || DEALS.has(word))) return undefined
  if (told.some(word => COMPETITORS.has(word)) || declinesContact(words, first, role) || endOfComplaint(words, role, end) !== undefined)
    return undefined
  while (role > opening && (!STOP_WORDS.has(words[role - 1]!) || CONJUNCTIONS.has(words[role - 1]!))) role--
  return role
}
export const isPerson = (word: string): boolean =>
  !LEADS.has(word) && (asksForPeople(word) || namesRole([word], 0, 1) || entryOfWord(word)?.level !== undefined)
/** People, or several companies. */
export const isPeopleOrCompanies = (word: string): boolean =>
  isPerson(word) || (PLURALS.test(word) && (COMPANY_NOUNS.has(word) || entryOfWord(word)?.industry !== undefined))
const REACHES = phraseSet('segments.txt', 'reaches')
const IS = wordSet('segments.txt', 'to be')
const OR = new Set('or oder ou o'.split(' '))
export const OF = new Set('of at von bei de chez'.split(' '))
const FAR_IN_LIST = 6
const STORY_VERBS = wordSet('segments.txt', 'story verbs')
const DEALS = wordSet('segments.txt', 'deals with')

/**
 * "it's for our solar product, so house builders in Queensland": after "so" comes the wish, unless the sender continues.
 * In "wir haben daher Kunden in Wien" he does; in "…, daher Einkäufer in Wien" a role comes next.
 */
export function concludes(words: readonly string[], so: number, end: number): boolean {
  if (SO.has(words[so]!)) return words[so - 1] === ',' && namesSomebody(words, so + 1, Math.min(end, so + 3))
  return words[so] === 'so' && so + 1 < end && !SENDER.longest(words, so + 1) && !GOES_ON.has(words[so + 1]!)
}
const SO = new Set('daher deshalb deswegen donc'.split(' '))
const GOES_ON = new Set('that far they you it is are much many and'.split(' '))

/** "CFOs in Poland, we don't want agencies": before the sender's clause stands the wish, where it names a person. */
export function ownClause(words: readonly string[], first: number, sender: number, asks = asksFor): number {
  if (CONTEXT_STARTS.longest(words, first) || STARTS_BEFORE_WISH.longest(words, first) || TELLS_WHERE.has(words[first]!)) return first
  // "CFOs in Poland (we don't want agencies)"
  let comma = sender
  while (comma > first && !OPENS_ASIDE.has(words[comma]!)) comma--
  return comma > first && words.slice(first, comma).some(words[comma] === '—' ? asksForPeople : asks) ? comma : first
}
/** "On behalf of a bank in Leeds, CFOs of insurers": as far as the comma before several people or companies. */
export function endOfStart(words: readonly string[], first: number, end: number): number | undefined {
  if (!STARTS_BEFORE_WISH.longest(words, first, end)) return undefined
  // "For my boss, head of sales at Acme: …": one person may be the one for whom the list is.
  const isMeant = (word: string) => asksForPeople(word) || (isPeopleOrCompanies(word) && !isPerson(word))
  for (let at = first; at < end; at++) if (words[at] === ',' && words.slice(at + 1, Math.min(end, at + 4)).some(isMeant)) return at
  return undefined
}
export const PURPOSES = new Set('for fur pour para'.split(' '))
const OPENS_ASIDE = new Set([',', '(', '—'])

/** "Ohne Agenturen suchen wir CFOs": what is refused before the verb, but "Ohne eigenen Vertrieb suchen wir" tells what he lacks. */
export function refusesBefore(words: readonly string[], first: number, sender: number): boolean {
  const opener = EXCEPT.longest(words, first, sender)
  const refused = words.slice(first + (opener?.length ?? 0), sender)
  return opener !== undefined && !OF_ONE.has(refused[0] ?? '') && !refused.some(word => word === ',' || OWNED.test(word))
}
const OF_ONE = new Set('a an ein eine einen un une una'.split(' '))
const OWNED = /^(?:own|eigen|propre|propi)/

/** Whether people or a trade are named: "managed service providers". */
export const namesSomebody = (words: readonly string[], from: number, to: number): boolean =>
  words.slice(from, to).some((word, at) => isPerson(word) || longestEntry(words, from + at, to)?.entry?.industry !== undefined)
export const asksForPeople = (word: string): boolean => namesRoles([word], 0, 1)
export const asksFor = (word: string): boolean =>
  asksForPeople(word) || ROLE_NOUNS.has(word) || entryOfWord(word)?.industry !== undefined || isPlaceWord(word) || word === 'us'
/** "From Berlin, we …": where the sender sits. */
const TELLS_WHERE = new Set('from based located sitting as being here aus als mit bases depuis desde con'.split(' '))

/** "Besides buyers I'd take planners as well", "Apart from Spain, Portugal too": what a clause of a kind is added to stays wanted. */
export function addsMore(words: readonly string[], first: number, end: number): boolean {
  const opener = BESIDES.longest(words, first, end)
  if (!opener) return false
  const from = first + opener.length
  let also = from + 2
  while (also < end && also < from + FAR_BESIDES && !ALSO.longest(words, also, end)) also++
  if (also >= end || also >= from + FAR_BESIDES) return false
  // "Apart from interns, everyone, freelancers too"
  if (words.slice(from, end).some(word => EVERYONE.has(word))) return false
  const kinds: ((word: string) => boolean)[] = [asksForPeople, isPlaceWord]
  return kinds.some(
    isKind =>
      words.slice(from, from + 3).some(isKind) &&
      words.slice(from + 2, end).filter(isKind).length > 0 &&
      words.slice(from, end).filter(isKind).length > 1,
  )
}
const FAR_BESIDES = 20
const EVERYONE = wordSet('negation.txt', 'anything')
const BESIDES = phraseSet('segments.txt', 'besides')
const ALSO = phraseSet('segments.txt', 'also')

const IDEAL = wordSet('segments.txt', 'ideal')
const AUDIENCE = wordSet('segments.txt', 'audience')
export const AUDIENCE_ALONE = wordSet('segments.txt', 'audience alone')
const AUDIENCE_LINKS = wordSet('segments.txt', 'audience links')
const IS_LINK = wordSet('segments.txt', 'is links')
export const OPENINGS = wordSet('segments.txt', 'openings')

/** "Our ideal client is", "Unser Wunschkunde:", "The buyer is usually": what follows is the lead after all. */
export function audienceIntro({ words, items }: Source, first: number, end: number): number | undefined {
  let at = first
  while (at < end && at < first + 5 && OPENINGS.has(words[at]!)) at++
  const from = at
  let own = false
  let ideal = false
  let named = false
  for (; at < end && at < from + 9; at++) {
    const word = words[at]!
    if (items[at]!.kind === 'mark') {
      return named && (own || ideal) && [':', '—', '=', '-'].includes(word) ? at + 1 : undefined
    }
    if (items[at]!.kind !== 'word') return undefined
    if (OWN.has(word) && !named) own = true
    else if (IDEAL.has(word)) ideal = true
    else if (AUDIENCE_ALONE.has(word)) {
      if (!own && !ideal) return undefined
      named = true
      ideal = true
    } else if (AUDIENCE.has(word)) named ||= own || ideal || BUYERS.has(word)
    else if (!named || !SO_FAR.has(word)) return undefined
    if (!named || !IS_LINK.has(words[at + 1] ?? '')) continue
    // "The buyer is usually the CFO" and "would be the CFO" introduce; "our clients are banks" speaks of those he has.
    const isBuyer = words[at + 2] === 'be' || (BUYERS.has(word) && USUALLY.has(words[at + 2] ?? ''))
    if (!ideal && !isBuyer && !IDEAL.has(words[at + 1]!)) return undefined
    at += 2
    while (at < end && AUDIENCE_LINKS.has(words[at]!)) at++
    return at
  }
  return undefined
}
/** "Our best clients so far have been hotels", "Buyers there would be" */
const SO_FAR = new Set('so far until now to date there bisher jusqu ici hasta ahora dort'.split(' '))
const BUYERS = wordSet('negation.txt', 'buyers')
const USUALLY = wordSet('negation.txt', 'usually')

/** The verb of a long subject: "my boss at the printing company in Bergamo wants". */
export const FAR_VERB = 10
export const ASKS = phraseSet('segments.txt', 'others want')
export const REFUSES = phraseSet('segments.txt', 'others refuse')

/** "agencies (we can partner with) in Berlin": the aside ends at a mark. */
export function endOfAside({ words, items }: Source, from: number, end: number): number {
  for (let at = from + 1; at < end; at++) {
    if (items[at]!.kind === 'mark') return at
    // "buscamos ampliar nuestra cartera con directores financieros": a role is whom he asks for.
    if (at > from + 1 && (ROLE_NOUNS.has(words[at]!) || entryOf(words[at]!)?.level || entryOf(words[at]!)?.title) && /s$/.test(words[at]!))
      return at
  }
  return end
}
