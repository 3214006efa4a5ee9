import type { Source } from '../model.ts'
import { longestEntry } from '../vocabulary/lexicon.ts'
import { isPlaceWord } from '../vocabulary/place-words.ts'
import { phraseSet, wordSet } from '../vocabulary/word-files.ts'
import { EXCEPT, NOT } from '../vocabulary/word-lists.ts'
import { isFirstName, isUnknownName, namesPlace } from './sender-customers.ts'
import { asksFor, isPeopleOrCompanies, isPerson, namesRoles, OPENINGS } from './sender-offer.ts'
import { isDay, type Layout, MONTHS } from './sentences.ts'

/** Greetings and sign-offs: "Hi Jordan," names no country, "Cheers, Austin" no city. */

const GREETINGS = phraseSet('segments.txt', 'greetings')
const PASSED_ON = phraseSet('segments.txt', 'passed on')
const SMALL_TALK = phraseSet('segments.txt', 'small talk')
/** "Who do we know at bakeries in Lyon?": those after it are asked for, and not known. */
const QUESTIONS = phraseSet('segments.txt', 'questions')
const CLOSINGS = phraseSet('segments.txt', 'closings')
/** "Also include Portugal": more is wished for. */
const ADDS = wordSet('negation.txt', 'asks for more')
/** A greeting names no more people than this before its comma. */
const MOST_GREETED = 4
const ASKS_READER = phraseSet('segments.txt', 'asks the reader')
/** A signature has no more items than this, marks included. */
const LONGEST_SIGNATURE = 30

export function markGreetings(source: Source, layout: Layout, mark: (from: number, to: number) => void): void {
  for (let at = 0; at < source.words.length; at++) {
    mark(at, at + (SMALL_TALK.longest(source.words, at)?.length ?? 0))
    mark(at, endOfAsking(source, layout, at))
  }
  for (const [start, end] of layout.bounds) {
    const first = skipMarks(source, layout, start, end)
    if (source.words[end] === '?') mark(first, first + (QUESTIONS.longest(source.words, first, end)?.length ?? 0))
    const greeting = GREETINGS.longest(source.words, first, end)
    // "Lieber keine Agenturen", "Lieber Versicherer als Banken": the word prefers, and greets no one.
    const prefers = greeting && (NOT.longest(source.words, first + greeting.length, end) || source.words.slice(first, end).includes('als'))
    const greeted = greeting && !prefers ? endOfGreeting(source, first + greeting.length, end) : first
    mark(first, greeted)
    mark(first, Math.max(endOfAddress(source, first, end), endOfAddress(source, greeted, end)))
    mark(first, endOfThanks(source, first, end))
  }
  markHeaders(source, layout, mark)
  markDated(source, layout, mark)
  const end = signatureBlock(source)
  mark(end, source.words.length)
  markSignature(source, layout, end, mark)
}

/** "Compile plant managers in Ohio", "Hi Tom, please round up dentists": a verb that begins to ask is no part of their title. */
function endOfAsking({ words, items }: Source, { bounds, sentence }: Layout, at: number): number {
  const verb = ASKING.longest(words, at)
  if (!verb) return at
  const [start, end] = bounds[sentence[at]!]!
  const to = at + verb.length
  const before = OPENINGS.has(words[at - 1] ?? '') ? at - 2 : at - 1
  const opens = before < start || (items[before]!.kind === 'mark' && before - start < MOST_GREETED && !NOT.isWithin(words, start, at))
  return opens && words.slice(to, Math.min(end, to + FAR_ASKED)).some(isPeopleOrCompanies) ? to : at
}
const ASKING = phraseSet('segments.txt', 'asking verbs')
const FAR_ASKED = 5

/** "Petra, could you get me …", "message from Petra:", "@sofia": who is asked is no place, where the wish has one of its own. */
function endOfAddress(source: Source, first: number, end: number): number {
  const { words, items, tokens } = source
  const sign = first + 1 < end ? tokens[items[first]!.first]! : undefined
  // "CFOs @ Acme", "CFOs in Germany. @Acme only"
  const opens = first === 0 || words[first - 1] === '\n' || GREETINGS.longestBefore(words, first) !== undefined
  if (opens && sign?.text === '@' && sign.end === tokens[items[first + 1]!.first]!.start) return first + 2
  const passed = PASSED_ON.longest(words, first, end)?.length ?? 0
  const isNamed = passed > 0 && words[first + passed + 1] === ':'
  if (isNamed && (isFirstName(source, first + passed) || (passed > 1 && isUnknownName(source, first + passed)))) return first + passed + 2
  const isSomebody =
    isFirstName(source, first) || (isCapital(items, tokens, first) && isPlaceWord(words[first]!) && namesPlace(words, first + 1))
  if (!isSomebody) return first
  const isParted = [',', '—', '-', ':'].includes(words[first + 1] ?? '')
  const asks = isParted ? (ASKS_READER.longest(words, first + 2) ?? GREETINGS.longest(words, first + 2)) : undefined
  // "London, can you include Leeds too?"
  const isAsked = asks !== undefined && !ADDS.has(words[first + 2 + asks.length] ?? '')
  return isAsked ? first + 1 : first
}

/** "Thanks for the call, Lourdes." */
function endOfThanks(source: Source, first: number, end: number): number {
  const { words, items, tokens } = source
  const thanks = CLOSINGS.longest(words, first, end)
  if (!thanks || !BEHIND_THANKS.has(words[first + thanks.length] ?? '')) return first
  let to = first
  while (to < end && words[to] !== ',') to++
  // "Thanks for leaving Acme out"
  const isMore = (at: number) => asksFor(words[at]!) || isCapital(items, tokens, at) || items[at]!.kind === 'domain'
  for (let at = first + 1; at < to; at++) if (isMore(at) || NOT.longest(words, at, to) || EXCEPT.longest(words, at, to)) return first
  return end - to === 2 && isCapital(items, tokens, to + 1) ? end : to
}
const BEHIND_THANKS = new Set('for fur pour por'.split(' '))

/** "On 3 March Florence Martin wrote:", "[10:32] Madison:", "Notes of 12 June, Berlin office:": a line above the brief that tells when. */
function markDated(source: Source, layout: Layout, mark: (from: number, to: number) => void): void {
  const { words, items, tokens } = source
  const textOf = (at: number) => tokens[items[at]?.first ?? -1]?.text ?? ''
  const isTime = (at: number) => words[at + 1] === ':' && HOURS.test(textOf(at)) && MINUTES.test(textOf(at + 2))
  const isDate = (at: number) => isDay(items[at]) && MONTHS.has(words[words[at + 1] === '.' ? at + 2 : at + 1] ?? '')
  for (let start = 0, end = 0; start < words.length; start = end + 1) {
    end = words.indexOf('\n', start)
    if (end < 0) end = words.length
    const named = words.slice(start, end)
    if (end - start > LONGEST_DATED || named.some(isPeopleOrCompanies) || named.some(word => BOUNDS_TIME.has(word))) continue
    // "12 May, Madrid:\nhotel directors"
    if (named.some(isPlaceWord) && !namesPlace(words, end)) continue
    const line = items.slice(start, end)
    const isHeading = words[end - 1] === ':'
    const isNamed = line.every(({ kind, first }) => kind !== 'word' || tokens[first]!.capital)
    const when = line.some((_, at) => isTime(start + at)) ? 'time' : line.some((_, at) => isDate(start + at)) ? 'date' : undefined
    if (!when || !(isHeading || (when === 'time' && isNamed))) continue
    layout.labels.fill(undefined, start, end)
    layout.isLabel.fill(0, start, end)
    mark(start, end)
  }
}
const HOURS = /^(?:[01]?\d|2[0-3])$/
const MINUTES = /^[0-5]\d$/
const BOUNDS_TIME = new Set('since after founded funded seit nach gegrundet depuis apres desde despues'.split(' '))
const LONGEST_DATED = 20

/** "From: Lena", "To: Growth team" above a forwarded mail: one such line alone may be a form's. */
function markHeaders({ words }: Source, layout: Layout, mark: (from: number, to: number) => void): void {
  const headers = layout.bounds.filter(([start]) => HEADERS.has(words[start]!) && words[start + 1] === ':')
  const names = new Set(headers.map(([start]) => words[start]!))
  if (names.size < 2) return
  for (const [start, end] of headers) {
    layout.labels.fill(undefined, start, end)
    layout.isLabel.fill(0, start, end)
    mark(start, end)
  }
}
const HEADERS = wordSet('negation.txt', 'headers')
const isCapital = (items: Source['items'], tokens: Source['tokens'], at: number): boolean =>
  items[at]?.kind === 'word' && tokens[items[at]!.first]!.capital && !tokens[items[at]!.first]!.allCaps

function skipMarks({ items }: Source, { isLabel }: Layout, from: number, end: number): number {
  let at = from
  while (at < end && (items[at]!.kind === 'mark' || isLabel[at])) at++
  return at
}

/** As far as the comma or the end of the line, if only names come before it; else the greeting alone. */
function endOfGreeting({ words, items }: Source, from: number, end: number): number {
  for (let at = from; at <= Math.min(end, from + MOST_GREETED); at++) {
    if (at === end || [',', '—', '-', ':'].includes(words[at]!)) return at
    if (items[at]!.kind !== 'word') return from
  }
  return from
}

/** "--" on a line of its own: mail programs put the sender's card after it. */
function signatureBlock(source: Source): number {
  const { words } = source
  const dashed = (at: number) => isDash(words[at]) && words[at - 1] === '\n' && words[at + 1] === '\n'
  const first = words.includes('\n') ? words.findIndex((_, at) => dashed(at)) : -1
  if (first < 0 || words.length - first > LONGEST_CARD || words.some((_, at) => at > first && dashed(at))) return words.length
  // A card begins with a name.
  let end = first + 2
  while (end < words.length && isCapital(source.items, source.tokens, end)) end++
  return end - first >= 4 && (end === words.length || source.items[end]!.kind === 'mark') ? first : words.length
}
const LONGEST_CARD = 40

/** The last words of a text, when they are thanks or a name under them. */
function markSignature(source: Source, layout: Layout, end: number, mark: (from: number, to: number) => void): void {
  const { words, items } = source
  for (let at = Math.max(0, end - LONGEST_SIGNATURE); at < end; at++) {
    if (at > 0 && items[at - 1]!.kind !== 'mark') continue
    const closing = CLOSINGS.longest(words, at)
    const name = closing ? endOfWishes(source, at + closing.length, end) : at
    if (closing && (isSignature(source, name, end) || isCard(source, name, end))) {
      mark(at, end)
      return
    }
    // "…in Florida? - Madison"
    const dashed = isDash(words[at]) && ['.', '!', '?', '\n'].includes(words[at - 1] ?? '') && !isListed(source, layout, at)
    if (dashed && at + 1 < end && end - at <= 3 && isSignature(source, at + 1, end)) {
      mark(at, end)
      return
    }
  }
}

/** "Many thanks and have a lovely week,", "Grüße aus Köln": what a closing line says more of the day, of the help, or of his town. */
function endOfWishes({ words, items, tokens }: Source, from: number, end: number): number {
  let to = from
  let requirements = false
  for (; to < end && items[to]!.kind === 'word'; to++) {
    const isWish = GOOD_WISHES.has(words[to]!) || CLOSINGS.longest(words, to, end) !== undefined || FROM.has(words[to - 1]!)
    requirements ||= isWish
    if (!isWish && tokens[items[to]!.first]!.capital) return from
    if (isPeopleOrCompanies(words[to]!) || NOT.longest(words, to, end) || EXCEPT.longest(words, to, end)) return from
  }
  return requirements ? to : from
}
const GOOD_WISHES = wordSet('segments.txt', 'good wishes')
const FROM = new Set('from aus de desde'.split(' '))

const isDash = (word: string | undefined): boolean => word === '—' || word === '-'

/** "Exclude\n- Athens": a line under a heading, or with another such line before it, is an entry of a list. */
function isListed({ words }: Source, { labels, bounds }: Layout, dash: number): boolean {
  return (
    labels[dash + 1] !== undefined ||
    bounds.some(([start]) => start < dash && isDash(words[start]) && (start === 0 || words[start - 1] === '\n'))
  )
}

/** "Best,\nPriya\nHead of Client Services | Brightfold, Leeds": a name under the thanks, and who that is. */
function isCard(source: Source, from: number, end: number): boolean {
  const { words, items, tokens } = source
  const isLine = words[from] === '\n' || words[from + 1] === '\n'
  if (words[from] !== ',' && !(isLine && items[from]!.kind === 'mark')) return false
  const name = words[from + 1] === '\n' ? from + 2 : from + 1
  let at = name
  while (at < name + 3 && isCapital(items, tokens, at)) at++
  if (at === name || items[at]?.kind !== 'mark') return false
  const rest = words.slice(at, end)
  const isAddress = items.slice(at, end).every((item, next) => item.kind !== 'word' || tokens[items[at + next]!.first]!.capital)
  const isRole = rest.some((word, next) => isPerson(word) || longestEntry(rest, next, rest.length)?.entry.title)
  if (!isAddress && !rest.includes('|') && !isRole) return false
  // "Vertriebsleiter" may be one or many: where people are asked for above, it is the one who signs.
  const isOne = (word: string) => !/s$/.test(word) && words.slice(0, from).some(isPeopleOrCompanies)
  return !rest.some((_, next) => NOT.longest(rest, next)) && rest.every(word => !namesRoles([word], 0, 1) || isOne(word))
}

/** On lines of its own a signature may tell the firm and the town as well. */
const MOST_SIGNED = 8

/** Nothing but capitalized words and marks up to the end, and few of them. */
function isSignature(source: Source, from: number, end: number): boolean {
  const { tokens, items, words } = source
  let names = 0
  for (let at = from; at < end; at++) {
    if (items[at]!.kind === 'mark') continue
    if (items[at]!.kind !== 'word' || !tokens[items[at]!.first]!.capital) return false
    if (++names > (words[from] === ',' && words[from + 1] === '\n' ? MOST_SIGNED : 3)) return false
  }
  // Names need a mark or a new line between them and the thanks: "Thanks, Ana"; in "LG Steffi" the only word must be a name.
  return (
    names === 0 ||
    (end - from === 1 && isUnknownName(source, from)) ||
    items[from]?.kind === 'mark' ||
    ['—', '-'].includes(words[from - 1] ?? '')
  )
}
