import type { Source } from '../model.ts'
import { LABELS } from '../vocabulary/form-labels.ts'
import { entryOf } from '../vocabulary/lexicon.ts'
import { phraseSet, wordSet } from '../vocabulary/word-files.ts'
import {
  ARTICLES,
  BEFORE_US,
  EXCEPT,
  NEGATES_NOTHING,
  OWN,
  PLAIN_REQUESTS,
  REFUSE_THEM,
  REQUESTS,
  SENDER,
} from '../vocabulary/word-lists.ts'
import { delegatedLength, deniedRefusalAt, refusalAt } from './compound-refusals.ts'
import { endOfOccasion, endOfSelfIntroduction } from './sender-customers.ts'
import { CORRECTIONS, denialBetween, endOfDeclining, takesBack } from './sender-denials.ts'
import {
  ASKS,
  addsMore,
  asksFor,
  asksForPeople,
  audienceIntro,
  CONTEXT_STARTS,
  concludes,
  endOfAside,
  endOfComplaint,
  endOfStart,
  FAR_VERB,
  ownClause,
  PURPOSES,
  refusesBefore,
  SELLS,
  STARTS_BEFORE_WISH,
} from './sender-offer.ts'
import { endOfHabit, endOfPrincipal, endOfSpeaker, startOfPlanned } from './sender-plans.ts'
import { findRefusal, isCommand, refusalLength } from './sender-refusals.ts'

/**
 * The sender's own clause: what he sells, where he sits, whom he serves already. In a sentence about him the wish begins
 * at his request ("we sell X and look for Y"), at a refusal ("we work with X, so skip them"), or in the next clause.
 */

const ASKERS = wordSet('segments.txt', 'askers')
const OTHERS_ASK = wordSet('segments.txt', 'others ask')
const MENDING = phraseSet('segments.txt', 'mending')
const ASIDES = phraseSet('segments.txt', 'asides')
const RELATIONS = wordSet('segments.txt', 'relations')
const WANTED_BEHIND = phraseSet('negation.txt', 'wanted behind')

/** The sender is named near the beginning of his sentence, or it is not about him. */
const SENDER_WITHIN = 7
const MOST_PARTS = 12

const DOES_BEST_WITH = phraseSet('segments.txt', 'does best with')
const DENIED_SELVES = phraseSet('segments.txt', 'denied selves')
const CLAUSE_MARKS = new Set([',', ';', '—', ':', 'so', 'but', 'aber', 'mais', 'pero', 'sino', 'sondern'])

type Mark = (from: number, to: number) => void

export function markSender(source: Source, first: number, end: number, consumed: Uint8Array, mark: Mark, markNames: Mark, parts = 0): void {
  const { words } = source
  /** Marks a clause about the sender, and reads what follows it. */
  const tell = (from: number, until: number) => {
    mark(from, parts < MOST_PARTS ? until : end)
    if (parts < MOST_PARTS && until + 1 < end) markSender(source, until + 1, end, consumed, mark, markNames, parts + 1)
  }
  const habit = endOfHabit(source, first, end)
  const intro = habit === undefined ? audienceIntro(source, first, end) : undefined
  if (intro !== undefined) {
    mark(first, Math.min(intro, end))
    return
  }
  // "Hilton is handled by my colleague"
  for (let at = first + 1; at < end && at < first + SENDER_WITHIN; at++) if (delegatedLength(source, at) > 0) return
  const self = habit ?? endOfSelfIntroduction(source, first, end)
  const speaker = self ?? endOfPrincipal(source, first, end) ?? endOfSpeaker(source, first, end)
  if (self === undefined && speaker !== undefined) {
    mark(first, speaker)
    return
  }
  // "In our experience CFOs ignore us"
  const aside = ASIDES.longest(words, first, end)
  const blame = () => aside && endOfComplaint(words, first + aside.length, end)
  const told = self ?? endOfOccasion(source, first, end) ?? endOfStart(words, first, end) ?? blame()
  if (told !== undefined) {
    tell(first, told)
    return
  }
  const sender = findSender(source, first, end, consumed)
  if (sender === undefined) {
    return
  }
  const target = words.slice(sender, end).findIndex((_, next) => DOES_BEST_WITH.longest(words, sender + next, end))
  // Next to a request it only praises the product.
  if (target >= 0 && (findRequest(source, end, words.length) ?? findRequest(source, 0, first)) === undefined) {
    mark(first, sender + target + DOES_BEST_WITH.longest(words, sender + target, end)!.length)
    return
  }
  // "We are not an agency": what he is not is said of him, too.
  const isDenied = DENIED_SELVES.longest(words, first, end) ?? DENIED_SELVES.longest(words, sender, end)
  if (isDenied && parts < MOST_PARTS) {
    let until = (DENIED_SELVES.longest(words, first, end) ? first : sender) + 1
    while (until < end && !CLAUSE_MARKS.has(words[until]!)) until++
    tell(first, until)
    return
  }
  // "no nos dirigimos a bancos", "don't send us banks": the refusal begins before its pronoun.
  for (let at = sender - 1; at >= first && at > sender - 4; at--)
    if ((EXCEPT.longest(words, at, end)?.length ?? 0) > sender - at) {
      mark(first, at)
      return
    }
  const request = findRequest(source, sender, end)
  const denied = request === undefined ? undefined : denialBetween(words, sender, request)
  if (denied !== undefined) {
    // "We are not looking for agencies": a request that is denied refuses.
    mark(ownClause(words, first, sender), denied)
    return
  }
  const away = request === undefined ? undefined : endOfDeclining(words, first, request, end)
  if (away !== undefined) {
    tell(first, away)
    return
  }
  if (request !== undefined) {
    // "scratch HR, we want finance", "no startups, we want banks": what is canceled or refused comes before the comma.
    // "Besides buyers I'd take planners as well": both are wanted.
    let from = addsMore(words, first, end) ? sender : ownClause(words, first, sender, asksForPeople)
    const refuses = (at: number) =>
      (refusalLength(words, first, at) > 0 || isCommand(words, first, at)) && !NEGATES_NOTHING.longest(words, first)
    for (let at = first; at < sender; at++) if (words[at] === ',' && (takesBack(words, first, at) || refuses(at))) from = at + 1
    if (from === first && refusesBefore(words, first, sender)) from = REQUESTS.longest(words, sender - 1, end) ? sender - 1 : sender
    // "I'd like to email development directors": what he wants to do with them is no part of their title.
    const planned = startOfPlanned(source, request, Math.min(end, request + FAR_VERB)) ?? endOfAnnouncing(words, request, end)
    mark(from, words.slice(request, planned).some(asksFor) ? request : planned)
    return
  }
  if (words.slice(first, Math.min(sender, first + 3)).some(word => PLAIN_REQUESTS.has(word))) {
    mark(sender, endOfAside(source, sender, end))
    return
  }
  // "Exclude our competitors Acme and Globex": the command comes first, the sender only owns what it speaks of.
  if (sender > first && sender - first <= 3 && RELATIONS.has(words[sender + 1] ?? '') && refusalLength(words, first) === sender - first)
    return
  const refusal = findRefusal(words, sender, end)
  const planned = startOfPlanned(source, sender, end)
  if (planned !== undefined && !(refusal !== undefined && (refusal < planned || REFUSE_THEM.longest(words, refusal)))) {
    mark(first, planned)
    return
  }
  if (refusal !== undefined) {
    // "Banks don't buy from us, so leave them out": the sentence speaks of others.
    if (words[sender] === 'us' && sender > first + 1) mark(sender, sender + 1)
    else if (REFUSE_THEM.longest(words, refusal)) markNames(first, refusal)
    else mark(ownClause(words, first, sender), refusal)
    return
  }
  // The words before a comma and the sender may be the wish itself: "Dentists in Porto, our best customers".
  let from = ownClause(words, first, sender, asksForPeople)
  for (let at = from; at < sender; at++) if (words[at] === ',' && (at - first >= 2 || entryOf(words[first]!)) && sender - at <= 2) from = at
  // "For our new scheduling tool: CFOs in Spain"
  const isPurpose = PURPOSES.has(words[first]!)
  let until = end
  for (let at = sender; at < end && until === end; at++)
    if (
      words[at] === ';' ||
      words[at] === '—' ||
      (words[at] === ':' && at > sender + 1 && (isPurpose || !words.slice(sender, at).some(word => SELLS.has(word)))) ||
      concludes(words, at, end)
    )
      until = at
  tell(from, until)
}

/** "I want to try something different: CFOs": no one is named before the colon. */
function endOfAnnouncing(words: readonly string[], request: number, end: number): number {
  const colon = words.slice(request, Math.min(end, request + FAR_VERB)).indexOf(':')
  return colon > 0 && !words.slice(request, request + colon).some(asksFor) ? request + colon + 1 : request
}

/** The first word of the sender in a sentence; "US" the country is not "us" the people. */
function findSender({ words, items, tokens }: Source, first: number, end: number, consumed: Uint8Array): number | undefined {
  for (let at = first, seen = 0; at < end && seen < SENDER_WITHIN; at++) {
    if (items[at]!.kind === 'mark') {
      if (words[at] === ':' || words[at] === ';') break
      if (words[at] !== ',') continue
    }
    seen++
    // "I meant Portugal": the speaker corrects the brief, and says nothing about himself.
    const mends = CORRECTIONS.longest(words, at, end)
    if (MENDING.longest(words, at) || (mends && SENDER.isWithin(words, at, at + mends.length))) return undefined
    const aside = ASIDES.longest(words, at, end)
    if (aside) {
      at += aside.length - 1
      continue
    }
    // Capitals make another word of it: "100 MA" are employees, "the US" is a country.
    // "Assistenten brauchen wir nicht": the pronoun belongs to the refusal.
    const saidOfNoun = (from: number) =>
      Math.max(refusalAt(words, from, end), deniedRefusalAt(words, from, end), WANTED_BEHIND.longest(words, from, end)?.length ?? 0)
    if ([0, 1, 2, 3, 4].some(back => saidOfNoun(at - back) > back)) continue
    if (items[at]!.kind !== 'word' || consumed[at] || (tokens[items[at]!.first]!.allCaps && words[at]!.length > 1)) continue
    if (words[at] === 'us' ? BEFORE_US.has(words[at - 1] ?? '') : SENDER.longest(words, at)) return at
  }
  return (CONTEXT_STARTS.longest(words, first, end) ?? STARTS_BEFORE_WISH.longest(words, first, end)) ? first : undefined
}

/** The first item after the sender's request: "we (are looking for)". */
function findRequest({ words, items, tokens }: Source, sender: number, end: number): number | undefined {
  for (let at = Math.max(0, sender - 1); at < end; at++) {
    const request = items[at]!.kind === 'word' ? REQUESTS.longest(words, at, end) : undefined
    if (!request) continue
    const before = items[at - 1]
    // "After our launch in Brazil we want"
    if (words[at] === 'after' && OWN.has(words[at + 1] ?? '')) continue
    // "…: robotics companies in Zurich, contact: CTO": after his clause it is a label.
    if (at > sender + 2 && words[at + request.length] === ':' && before?.word === ',' && LABELS.has(words[at]!)) continue
    const gerund = words[at]!.endsWith('ing') && before !== undefined && !OTHERS_ASK.has(before.word)
    const asked = before === undefined || before.kind === 'mark' || ASKERS.has(before.word) || SENDER.has(before.word)
    // "Für die Messe suchen wir": the verb comes before its subject.
    let next = at + request.length
    const inverted = SENDER.has(words[next] ?? '')
    if (inverted) next++
    // "my boss wants", "my boss Karin asked for", "notre jeune cabinet lyonnais veut"
    const isNamed = at === sender + 3 && tokens[items[sender + 2]!.first]!.capital
    const isSubject = items[sender - 1]?.kind !== 'word' && items.slice(sender, at).every(({ kind }) => kind === 'word')
    const isFar = isSubject && at <= sender + FAR_VERB && ASKS.longest(words, at, end)
    const theirs = (at === sender + 2 || isNamed || isFar) && (OWN.has(words[sender]!) || ARTICLES.has(words[sender]!))
    if (at > sender && !gerund && !asked && !inverted && !theirs) continue
    // "want to reach", "need to find": the whole chain is the request.
    while (next < end && ['to', 'de', 'zu', 'a'].includes(words[next]!)) {
      const longer = REQUESTS.longest(words, next + 1, end)
      if (!longer) break
      next += 1 + longer.length
    }
    return next
  }
  return undefined
}
