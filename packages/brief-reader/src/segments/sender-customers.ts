import type { Source } from '../model.ts'
import { entryOfWord, longestEntry } from '../vocabulary/lexicon.ts'
import { isKnownPlace, isPlaceWord } from '../vocabulary/place-words.ts'
import { phraseSet, readAllWords, wordSet } from '../vocabulary/word-files.ts'
import {
  ARTICLES,
  COMMON_WORDS,
  COMPANY_NOUNS,
  EXCEPT,
  NOT,
  ONLY,
  PLAIN_REQUESTS,
  REFUSE_THEM,
  RELATIVES,
  REQUESTS,
  SENDER,
} from '../vocabulary/word-lists.ts'
import { ASKS, asksFor, EVENTS, isPeopleOrCompanies, isPerson, MARKS, namesRole, namesRoles, OPENINGS, PURPOSES } from './sender-offer.ts'
import type { Layout } from './sentences.ts'

/** Those who have what the sender sells: "2,400 doctors already use it". They are his proof, not his wish. */

const USE_OURS = phraseSet('segments.txt', 'use ours')
const ALREADY = wordSet('segments.txt', 'already')
const PARTS = new Set([',', ';', '—', '(', ':'])

export function markCustomers({ words, items }: Source, layout: Layout, mark: (from: number, to: number) => void): void {
  for (let at = 1; at < words.length; at++) {
    const use = items[at]!.kind === 'word' ? USE_OURS.longest(words, at) : undefined
    if (!use) continue
    const [start, end] = layout.bounds[layout.sentence[at]!]!
    let from = at
    while (from > start && !PARTS.has(words[from - 1]!)) from--
    let to = at + use.length
    while (to < end && !PARTS.has(words[to]!)) to++
    const said = items.slice(from, to)
    if (!said.some(({ kind, word }) => kind === 'quantity' || ALREADY.has(word)) || said.some((_, next) => NOT.longest(words, from + next)))
      continue
    // "AI notetaker for physicians, 2,400 doctors already use it": what they use comes before it, and whom it is for.
    const serves = words.slice(start, from).findIndex(word => PURPOSES.has(word))
    const offers = serves > 0 && !namesRoles(words, start, start + serves)
    mark(offers ? start : from, to)
  }
}

/** "HR tech vendor here: …", "Anna here from Acme": who writes says in a few words what he is; "hotel managers here" are asked for. */
export function endOfSelfIntroduction(source: Source, first: number, end: number): number | undefined {
  const { words, items } = source
  const introduced = endOfIntroduction(source, first, end) ?? endOfOwnLine(source, first, end) ?? endOfAsker(words, first, end)
  if (introduced !== undefined) return introduced
  const opening = words.slice(first, Math.min(endOfClause(words, first, end), first + LONGEST_SELF))
  const here = first + opening.findIndex(word => HERE.has(word))
  if (here <= first) return undefined
  // "CRM for dentists here": whom it serves he does not ask for.
  const self = endOfNoun(words, first, here)
  // In "école de langues" the first word is the noun, in "language school" the last.
  const noun = words[here] === 'here' || words[here] === 'hier' ? words[self - 1]! : words[first]!
  const isNamed =
    here === first + 1 &&
    (isFirstName(source, first) || (words[here] === 'here' && MARKS.has(words[here + 1] ?? '.') && isUnknownName(source, first)))
  const goesOn = (isNamed ? BEHIND_SELF : RELATIVES).has(words[here + 1] ?? '')
  let to = goesOn ? endOfClause(words, here, end) : here + 1
  if ((to < end && !MARKS.has(words[to]!)) || asksOrRefuses(words, first, to)) return undefined
  const asksElsewhere = words.slice(to, to + FAR_WISH).some(isPerson)
  // "Retired teacher here, I tutor maths"; "Winzer hier" may be many.
  const isRole = words[here] === 'here' && namesRole([noun], 0, 1) && asksElsewhere
  const isOne = (isRole || namesSelf(words, first, self)) && !namesRoles(words, first, self) && !SEVERAL.test(noun)
  if (!isOne && !isNamed) return undefined
  // "… here (seed, Tallinn)"
  if (words[to] === '(') to = Math.max(to, words.slice(to, Math.min(end, to + LONGEST_BRACKET)).indexOf(')') + to + 1)
  // "…, nine people out of Tallinn": what follows is about him as well, unless it names whom he wants.
  while (words[to] === ',') {
    const next = endOfClause(words, to + 1, end)
    // "…, Antwerp. CFOs in Spain": where the wish has a place of its own, this one is the sender's.
    const isSeat = next === end && words.slice(to + 1, next).every(isPlaceWord) && namesPlace(words, end)
    // "…, 25 devs. CFOs in Spain"
    const isStaff = next === end && items[to + 1]?.kind === 'quantity' && next - to <= 3 && words.slice(end, end + FAR_WISH).some(isPerson)
    const isOwn = isSeat || words.slice(to, next).some(word => SELVES.has(word) || word === 'based')
    if (!isStaff && (namesRole(words, to, next) || !isOwn)) break
    to = next
  }
  return to
}

/**
 * "Small winery in Mendoza. CFOs at hotels in Spain", "Law firm in Zurich seeking CFOs": one business in its place before a wish that
 * has its own people and place is the sender's.
 */
function endOfOwnLine({ words }: Source, first: number, end: number): number | undefined {
  // "cabinet d'avocats"
  const noun = first + (longestEntry(words, first, end)?.length ?? 0)
  const self = endOfNoun(words, Math.max(first, noun - 1), Math.min(end, first + LONGEST_SELF))
  if (!BEHIND_SELF.has(words[self] ?? '') || !namesSelf(words, first, self) || SEVERAL.test(words[self - 1]!)) return undefined
  if (words.slice(Math.max(0, first - FAR_WISH), first).some(word => word === ':' || asksFor(word)) || namesRoles(words, first, self))
    return undefined
  // "Our tool does best with …" speaks of his product, "a hotel in Vienna looking for …" of another person.
  if (SENDER.isWithin(words, first, self) || ARTICLES.has(words[first]!)) return undefined
  let request = self
  while (request < end && !REQUESTS.longest(words, request, end)) request++
  if (EXCEPT.isWithin(words, first, request) || NOT.isWithin(words, first, request)) return undefined
  if (!words.slice(first, request).some(isPlaceWord) || asksForMore(words, self, request)) return undefined
  const from = request + (REQUESTS.longest(words, request, end)?.length ?? 0)
  // "Bank in Zürich sucht Software, IT-Leiter" is asked for.
  if (from > request) return words.slice(from, end).some(isPeopleOrCompanies) && namesPlace(words, from) ? from : undefined
  // "Restaurant in Rome. Owner. Hotels in Milan. Owner."
  if (!namesPlace(words.slice(end + 1, endOfClause(words, end + 1, end + FAR_WISH)), 0)) return undefined
  const rest = words.slice(end, end + FAR_WISH)
  const pointsBack = rest.some(word => POINTS_BACK.has(word) || word === words[self - 1])
  const isWhole = rest.some(isPerson) && namesPlace(words, end) && rest.some(isTrade) && !pointsBack
  return words[end] === '.' && isWhole ? end : undefined
}
/** "Payroll software vendor looking for: CFOs at hotels": who asks, before a person whom he asks for. */
function endOfAsker(words: readonly string[], first: number, end: number): number | undefined {
  let to = first + 1
  while (to < end && to < first + LONGEST_SELF && !ASKS.longest(words, to, end)) to++
  const asked = to + (ASKS.longest(words, to, end)?.length ?? 0)
  // "Ohne Agenturen suchen wir …", "Hotels in Ohio looking for …"
  if (asked === to || asksOrRefuses(words, first, to) || SENDER.isWithin(words, first, asked + 1) || namesRoles(words, first, to))
    return undefined
  if (words.slice(first, to).some(word => MARKS.has(word) || ARTICLES.has(word) || isPlaceWord(word))) return undefined
  const isOne = namesSelf(words, first, to) && !SEVERAL.test(words[endOfNoun(words, first, to) - 1]!)
  return isOne && words.slice(asked, end).some(isPerson) ? asked : undefined
}
/** "Software company in Berlin. Need their CTO": it is asked for. */
const POINTS_BACK = new Set('their there they its it also too same dort deren ihr auch leur leurs y aussi su sus alli tambien'.split(' '))
/** "…, 40 people" are the sender's. */
const asksForMore = (words: readonly string[], from: number, to: number): boolean =>
  words.slice(from, to).some((word, at) => isPerson(word) && words[from + at - 1] !== '#')
/** Whether a place that people know is named from a position on; many everyday words are towns somewhere. */
export const namesPlace = (words: readonly string[], from: number): boolean =>
  words
    .slice(from, from + FAR_WISH)
    .some(word => SHORT_PLACES.has(word) || (word.length > 3 && !COMMON_WORDS.has(word) && isKnownPlace(word)))
const SHORT_PLACES = new Set('uk usa uae eu'.split(' '))
const isTrade = (word: string): boolean => entryOfWord(word)?.industry !== undefined || PLAIN_REQUESTS.has(word)

/** A word for what a sender is, or a business of one trade: "winery". */
const namesSelf = (words: readonly string[], from: number, to: number): boolean =>
  words.slice(from, to).some((word, at) => {
    const { entry, length } = longestEntry(words, from + at, to) ?? { length: 1 }
    return SELVES.has(word) || OWN_HOUSES.test(word) || (entry?.industry !== undefined && !SEVERAL.test(words[from + at + length - 1]!))
  })
/** German says it in one word: "Softwarehaus", "Rösterei". */
const OWN_HOUSES = /.(?:haus|betrieb|buro|firma|agentur|kanzlei|verlag|werkstatt|[^h]erei)$/

function endOfNoun(words: readonly string[], first: number, end: number): number {
  let self = first + 1
  while (self < end && !BEHIND_SELF.has(words[self]!)) self++
  return self
}

/** "this is Derek from the boat yard, …", "Derek from the boat yard, we …", "Ici Paul, de l'imprimerie, …", "it's Bill, we …" */
function endOfIntroduction(source: Source, first: number, end: number): number | undefined {
  const { words } = source
  let at = first
  while (at < first + 5 && OPENINGS.has(words[at] ?? '')) at++
  const intro = INTRODUCES.longest(words, at, end)?.length ?? 0
  const name = at + intro
  if (!isFirstName(source, name) && !isUnknownName(source, name)) return undefined
  at = name + 1
  while (at < name + 3 && isCapital(source, at)) at++
  const works = words[at] === ',' && intro > 0 ? at + 1 : at
  const isBracket = words[at] === '(' && intro > 0
  const to = BEHIND_SELF.has(words[works] ?? '') ? endOfClause(words, works, end) : at
  if ((to === at && works === at && !isBracket) || asksOrRefuses(words, first, to)) return undefined
  // "Oscar from New York, our competitor, skip"
  if (RELATIONS.has(words[to + 2] ?? '') || NOT.longest(words, to + 1) || REFUSE_THEM.isWithin(words, to, end)) return undefined
  if (intro > 0) return endOfTelling(source, to, end)
  // "Ceramicists in Porto, we sell kilns"
  return isFirstName(source, name) && SENDER.longest(words, to + 1, end) ? to : undefined
}
/** "…, sales lead at Brightline Coatings (Akron, Ohio)": the clauses after his name continue about him, unless they name several people or ask. */
function endOfTelling({ words, items, tokens }: Source, from: number, end: number): number {
  const asksElsewhere = words.slice(end, end + FAR_WISH).some(isPerson)
  const isSeveral = (word: string, at: number) =>
    (namesRoles([word], 0, 1) && !(asksElsewhere && COMPOUND.test(word))) ||
    (isPeopleOrCompanies(word) && /s$/.test(word) && !tokens[items[at]!.first]!.capital)
  let to = from
  while (TELLS_ON.has(words[to] ?? '')) {
    const next = endOfClause(words, to + 1, end)
    if (asksOrRefuses(words, to, next) || words.slice(to, next).some((word, at) => isSeveral(word, to + at))) return to
    if (SENDER.isWithin(words, to, next) || !tellsSelf(words, to + 1, next, asksElsewhere)) return to
    to = next
  }
  return to
}
/** A role, a business, or nothing but places. */
const tellsSelf = (words: readonly string[], from: number, to: number, asksElsewhere: boolean): boolean =>
  namesSelf(words, from, to) ||
  words.slice(from, to).some(word => isPerson(word) || entryOfWord(word)?.function !== undefined || word === 'lead') ||
  (asksElsewhere && words.slice(from, to).every(word => isPlaceWord(word) || word === ')' || BEHIND_SELF.has(word)))
const TELLS_ON = new Set([',', '(', '-', '–', '—'])
const COMPOUND = /[^s]$/
/** A capitalized word that means nothing in a brief: after an introduction it is a name. */
export const isUnknownName = (source: Source, at: number): boolean => isCapital(source, at) && isStrange(source.words[at]!)
const isCapital = ({ items, tokens }: Source, at: number): boolean =>
  items[at]?.kind === 'word' && tokens[items[at].first]!.capital && !tokens[items[at].first]!.allCaps
const isStrange = (word: string): boolean => !entryOfWord(word) && !COMMON_WORDS.has(word) && !isKnownPlace(word)
const INTRODUCES = phraseSet('segments.txt', 'introductions')
const BEHIND_SELF = wordSet('segments.txt', 'behind the sender')
const RELATIONS = wordSet('segments.txt', 'relations')

/** Any other capitalized word may be whom the brief asks for. */
export const isFirstName = ({ words, items, tokens }: Source, at: number): boolean =>
  items[at]?.kind === 'word' && tokens[items[at].first]!.capital && FIRST_NAMES.has(words[at]!) && !isKnownPlace(words[at]!, true)
const FIRST_NAMES = readAllWords('first-names.txt')
const SEVERAL = /[^su]s$|(?:ei|er)en$/

const asksOrRefuses = (words: readonly string[], from: number, to: number): boolean =>
  words.slice(from, to).some(word => PLAIN_REQUESTS.has(word) || ONLY.has(word)) ||
  REQUESTS.isWithin(words, from, to) ||
  NOT.isWithin(words, from, to) ||
  EXCEPT.isWithin(words, from, to)

function endOfClause(words: readonly string[], from: number, end: number): number {
  let at = from
  while (at < end && !MARKS.has(words[at]!)) at++
  return at
}
/** So many words around his sentence tell whether the sender asks for a person there; more would take too long in a text of many such sentences. */
const FAR_WISH = 60
const LONGEST_SELF = 12
const LONGEST_BRACKET = 16
const HERE = new Set('here hier ici aqui'.split(' '))
const SELVES = wordSet('segments.txt', 'selves')

/** "It's for the trade fair in Hanover", "I need it before my trip to Boston": where the words end that tell when and for what, not whom. */
export function endOfOccasion({ words }: Source, first: number, end: number): number | undefined {
  const opening = OCCASIONS.longest(words, first, end)
  if (!opening) return undefined
  let to = first + opening.length
  const isEvent = words.slice(to, to + FAR_EVENT).some((word, at, all) => EVENTS.has(word) && !COMPANY_NOUNS.has(all[at + 1] ?? ''))
  while (to < end && !(MARKS.has(words[to]!) && asksBehind(words, to, end))) to++
  // "for an event with banks in Vienna", "about the launch in Spain, hotels and restaurants"
  const isWished =
    words.slice(first, to).some(isPeopleOrCompanies) || (to < end && namesPlace(words.slice(first, to), 0) && !namesPlace(words, to))
  return isEvent && !isWished ? to : undefined
}
/** "It's for the fair in Hanover, hall 4" continues, "…: CFOs in Spain" and "…, no banks" do not. */
const asksBehind = (words: readonly string[], mark: number, end: number): boolean =>
  words[mark] === ':' ||
  words.slice(mark, end).some(isPeopleOrCompanies) ||
  NOT.isWithin(words, mark, end) ||
  EXCEPT.isWithin(words, mark, end)
const OCCASIONS = phraseSet('segments.txt', 'occasions')
const FAR_EVENT = 6
