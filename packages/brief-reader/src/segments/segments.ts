import { REFUSED, type Segment, type Segments, type Source } from '../model.ts'
import { entryOfWord } from '../vocabulary/lexicon.ts'
import { isPlaceWord } from '../vocabulary/place-words.ts'
import { phraseSet, wordSet } from '../vocabulary/word-files.ts'
import { ARTICLES, EXCEPT, NOT, REFUSE_THEM, REQUESTS, ROLE_NOUNS, SENDER, TAKES_ALL_BACK } from '../vocabulary/word-lists.ts'
import { refusalAt } from './compound-refusals.ts'
import { endOfCoveredPlaces, existingAccountClauses } from './existing-accounts.ts'
import { markGreetings } from './greetings.ts'
import { markPastRoles } from './past-roles.ts'
import { markSender } from './sender.ts'
import { markCustomers } from './sender-customers.ts'
import { isPeopleOrCompanies, namesSomebody, startOfCustomers, startOfPeople } from './sender-offer.ts'
import { LEAVE_TO } from './sender-refusals.ts'
import type { Layout } from './sentences.ts'

const SENDER_TAILS = phraseSet('segments.txt', 'sender tails')
const TAIL_ENDS = new Set([',', ';', ')', '(', '\n', '—'])
const DECIDING = phraseSet('segments.txt', 'deciding about')
const AFTER_SUBJECT = new Set(['at', 'in', 'from', 'for', 'and', 'or', 'bei', 'chez', 'en', 'und', 'et', 'y'])

/** The speakers whose words are separated from the wish: the sender; the sender, but not where he names people; his, but not those whom he serves. */
export type SenderMode = 'sender' | 'all but people' | 'those he serves'

export function readSegments(source: Source, layout: Layout, consumed: Uint8Array, senderMode: SenderMode = 'sender'): Segments {
  const { words, items } = source
  const segments: Segments = { of: new Array(words.length).fill('wish'), namesOnly: new Uint8Array(words.length) }
  const known = new Uint8Array(words.length)
  for (const [from, to] of existingAccountClauses(source, layout)) {
    known.fill(1, from, to)
    segments.namesOnly.fill(refusesThem(words, to) ? REFUSED : 1, endOfCoveredPlaces(source, from, to), to)
    layout.labels.fill('exclude', from, to)
  }
  const mark = (segment: Segment) => (from: number, to: number) => {
    for (let at = from; at < to; at++) if (segments.of[at] === 'wish' && !consumed[at] && !known[at]) segments.of[at] = segment
  }
  const people = layout.bounds.map(([start, end]) => (senderMode === 'all but people' ? startOfPeople(words, start, end) : undefined))
  const served = layout.bounds.map(([start, end]) => (senderMode === 'those he serves' ? startOfCustomers(words, start, end) : undefined))
  let isRefusal = false
  for (let at = 0; at < words.length; at++) {
    const isNote = layout.labels[at] === 'note'
    if (isNote && layout.labels[at - 1] !== 'note') isRefusal = refuses(words, at, layout.bounds[layout.sentence[at]!]![1])
    if (layout.isLabel[at]) segments.of[at] = 'label'
    else if (isNote && at < (people[layout.sentence[at]!] ?? at + 1) && !isRefusal) mark('sender')(at, at + 1)
  }
  markInstructions(source, layout, consumed, segments, mark('machine'))
  markGreetings(source, layout, mark('courtesy'))
  markCustomers(source, layout, mark('sender'))
  const taken = consumed.map((used, at) => (segments.of[at] === 'courtesy' ? 1 : used))
  const readSender = (first: number, end: number) =>
    markSender(source, first, end, taken, mark('sender'), (from, to) => segments.namesOnly.fill(REFUSED, from, to))
  for (const [sentence, [start, end]] of layout.bounds.entries()) {
    for (const [from, to] of bracketsOfSender(source, start, end)) {
      readSender(from, to)
      taken.fill(1, from, to)
    }
    let first = start
    while (first < end && (items[first]!.kind === 'mark' || segments.of[first] !== 'wish' || known[first])) first++
    if (people[sentence] !== undefined) mark('sender')(first, people[sentence])
    // If nothing else is asked for, the people whom he serves are the wish.
    else if (served[sentence] !== undefined) mark('sender')(first, served[sentence])
    else
      for (let from = first, to = first; from < end; from = to + 1) {
        to = jointBehind(words, from, end)
        if (from < to) readSender(from, to)
      }
  }
  markTails(source, layout, consumed, segments, mark('sender'))
  markPastRoles(source, segments, mark('past'))
  return segments
}

/** "Our best clients are hospitals - this time we need hotels": where a sentence of the sender comes to what he wants. */
function jointBehind(words: readonly string[], from: number, end: number): number {
  if (!SENDER.longest(words, from, end)) return end
  for (let at = from + 1; at < end; at++)
    if (JOINTS.has(words[at]!) && [1, 2, 3, 4].some(next => REQUESTS.longest(words, at + next, end))) return at
  return end
}
const JOINTS = new Set('- – — ; but aber mais pero'.split(' '))

/** "CTOs in Prague (we are based in Vienna), Brno": what the sender says in a bracket ends with it. */
function bracketsOfSender({ words }: Source, start: number, end: number): [from: number, to: number][] {
  const found: [number, number][] = []
  for (let from = start + 1, to = start; from < end; from++) {
    if (words[from - 1] !== '(') continue
    if (to < from) to = from
    while (to < end && words[to] !== ')') to++
    if (to > from && to < end && SENDER.longest(words, from, to)) found.push([from, to])
  }
  return found
}

/** "We have enough insurers already, so please skip them" */
function refusesThem(words: readonly string[], end: number): boolean {
  let at = end
  while (at < end + 4 && (words[at] === ',' || words[at] === ';' || words[at] === '.' || THEREFORE.has(words[at]!))) at++
  return REFUSE_THEM.longest(words, at + (LEAVE_TO.longest(words, at)?.length ?? 0)) !== undefined
}
const THEREFORE = wordSet('segments.txt', 'therefore')

/** "PS: no agencies", "Notes: agencies are out": a note that begins with a refusal, and a remark that refuses at all, ask for something. */
function refuses(words: readonly string[], first: number, end: number): boolean {
  for (let at = first; at < end && (at === first || REMARKS.has(words[first - 2] ?? '')); at++)
    if (NOT.longest(words, at, end) || EXCEPT.longest(words, at, end) || refusalAt(words, at, end) > 0) return true
  return false
}

const REMARKS = new Set('note notes hinweis ps s fyi btw'.split(' '))

/** The position at which a sentence turns from the people wanted to what the sender has to offer: "CTOs in Spain for our new tool". */
function markTails(
  source: Source,
  layout: Layout,
  consumed: Uint8Array,
  segments: Segments,
  mark: (from: number, to: number) => void,
): void {
  const { words, items } = source
  for (let at = 0; at < words.length; at++) {
    if (items[at]!.kind !== 'word' || segments.of[at] !== 'wish') continue
    const decides = DECIDING.longest(words, at)
    if (decides) {
      // "people who decide about facility cleaning": what they decide about is the sender's trade, not theirs.
      let to = at + decides.length
      while (to < words.length && to < at + 6 && items[to]!.kind === 'word' && !AFTER_SUBJECT.has(words[to]!)) to++
      mark(at + decides.length, to)
    }
    if (consumed[at] || !SENDER_TAILS.longest(words, at) || deniedBefore(words, at)) continue
    // "our product is not for banks": from the negation on it refuses.
    const end = clauseEnd(words, at, layout, TAIL_ENDS, introduces)
    let to = at
    while (to < end && !NOT.longest(words, to, end)) to++
    mark(at, to)
  }
}

/** "partners for our backup software: managed service providers", but "for our new tool: a CRM for banks". */
const introduces = (words: readonly string[], colon: number, end: number): boolean =>
  words[colon] === ':' && !ARTICLES.has(words[colon + 1] ?? '') && namesSomebody(words, colon + 1, Math.min(end, colon + 5))

/** "not allowed to sell to banks", "refuse to sell to banks": a tail that is denied tells nothing of the offer. */
const deniedBefore = (words: readonly string[], at: number): boolean =>
  (EXCEPT.longest(words, at - 1)?.length ?? 0) > 1 ||
  [0, 1].some(back => NOT.longestBefore(words, at - back, 1) && words.slice(at - back, at).every(word => /^\p{L}/u.test(word)))

const INSTRUCTIONS = phraseSet('segments.txt', 'instructions')
const INSTRUCTION_LABELS = phraseSet('segments.txt', 'instruction labels')
/** A person may write these before his own words. */
const WISHING_LABELS = wordSet('segments.txt', 'labels before a wish')
/** The end of the name of a speaker and its colon: "SYSTEM:"; 0 if there is none. */
function endOfLabel(words: readonly string[], first: number, end: number): number {
  const label = INSTRUCTION_LABELS.longest(words, first, end)?.length ?? 0
  return label > 0 && words[first + label] === ':' ? first + label + 1 : 0
}
/** The next speaker who may wish, or the end of the line. */
function endOfTurn(words: readonly string[], from: number): number {
  let to = from
  while (to < words.length && words[to] !== '\n' && !(WISHING_LABELS.has(words[to]!) && words[to + 1] === ':')) to++
  return to
}
const FAR_WISH = 30
const REFUSING_INSTRUCTIONS = wordSet('segments.txt', 'refusing instructions')
const ORDERS = wordSet('segments.txt', 'orders')
const OPENS_COMMAND = new Set(['and', 'then', 'please', 'und', 'et', 'y', 'now', 'bitte', 'also', 'but'])
const SQL = new Set(['drop', 'delete', 'select', 'update'])

/** Words to the machine: a line that begins with "System:", or a command wherever a clause begins. */
function markInstructions(
  source: Source,
  layout: Layout,
  consumed: Uint8Array,
  segments: Segments,
  mark: (from: number, to: number) => void,
): void {
  const { words, items } = source
  const asks = words.map(
    (word, at) => items[at]!.kind === 'word' && (ROLE_NOUNS.has(word) || isPlaceWord(word) || Boolean(entryOfWord(word))),
  )
  const lastAsk = asks.lastIndexOf(true)
  for (let at = 0; at < words.length; at++) {
    if (items[at]!.kind !== 'word' || segments.of[at] !== 'wish' || consumed[at]) continue
    const before = items[at - 1]
    const opens = before === undefined || before.kind === 'mark' || OPENS_COMMAND.has(before.word)
    const instruction = opens ? INSTRUCTIONS.longest(words, at) : undefined
    if (!instruction || refusesSomebody(source, at, at + instruction.length)) continue
    // "Forget everything. CMOs in Bari": what takes the wish back is said to the machine only where no other wish follows.
    const back = at + (TAKES_ALL_BACK.longest(words, at)?.length ?? 0)
    if (back > at && items[back]?.kind === 'mark' && words.slice(back, back + FAR_WISH).some(isPeopleOrCompanies)) continue
    // A statement of SQL ends at its semicolon; a plea in prose takes its whole sentence with it.
    mark(at, Math.min(endOfTurn(words, at), clauseEnd(words, at, layout, SQL.has(words[at]!) ? new Set([';', '—', '\n']) : undefined)))
  }
  let asked = false
  for (const [start, end] of layout.bounds) {
    let first = start
    while (first < end && items[first]!.kind === 'mark') first++
    for (let turn = endOfLabel(words, first, end); turn > 0; ) {
      // The words of a speaker of that name continue to the next speaker or the end of the line; where nothing else asks, the brief is in it.
      const isWish = WISHING_LABELS.has(words[first]!) && !asked
      const to = endOfTurn(words, turn)
      if (isWish) segments.of.fill('label', first, turn)
      else mark(start, asked || lastAsk > to ? to : end)
      first = to
      turn = first < end && !isWish ? endOfLabel(words, first, end) : 0
    }
    for (let at = start; at < end && !asked; at++) asked = asks[at]! && segments.of[at] === 'wish'
  }
}

/** "Ignore all agencies", "vergiss die Banken": a verb of refusal with a person who can be asked for excludes him. */
function refusesSomebody({ words, items, tokens }: Source, at: number, from: number): boolean {
  if (!REFUSING_INSTRUCTIONS.has(words[at]!)) return false
  let refuses = false
  for (let next = at + 1; next < words.length && next < from + 5 && items[next]!.kind === 'word'; next++) {
    const word = words[next]!
    if (ORDERS.has(word)) return false
    const entry = entryOfWord(word)
    refuses ||= ROLE_NOUNS.has(word) || isPlaceWord(word) || (entry !== undefined && entry.function === undefined)
    refuses ||= tokens[items[next]!.first]!.capital && next >= from && !tokens[items[next]!.first]!.allCaps && !isGerman(words[at]!)
  }
  return refuses
}
const isGerman = (verb: string): boolean => /^(?:ignorier|vergiss|missacht)/.test(verb)

/** The end of the sentence, or of the clause where marks that end one are given. */
function clauseEnd(words: readonly string[], from: number, layout: Layout, marks?: ReadonlySet<string>, ends?: typeof introduces): number {
  const end = layout.bounds[layout.sentence[from]!]![1]
  if (!marks) return end
  for (let at = from; at < end; at++) if (marks.has(words[at]!) || ends?.(words, at, end)) return at
  return end
}
