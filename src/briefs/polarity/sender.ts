import { ARTICLES, BEFORE_US, EXCEPT, IS, NEGATES_NOTHING, OWN, PLAIN_REQUESTS, REFUSE_THEM, REQUESTS, SENDER } from '../lists.ts'
import { entryOf } from '../mentions/lexicon.ts'
import { isPlaceWord } from '../mentions/place-words.ts'
import type { Source } from '../model.ts'
import { LABELS } from '../text/labels.ts'
import { phraseSet, wordSet } from '../words.ts'
import { excludedAt, handedOver, keptAt } from './composed.ts'
import { denialBetween, endOfTurningAway, takesBack } from './denials.ts'
import { endOfPrincipal, endOfSpeaker, startOfPlanned } from './plans.ts'
import { findRefusal, isCommand, refusalLength } from './sender-refusals.ts'
import { endOfOccasion, endOfSelf, namesPlace } from './served.ts'
import {
  ASKS,
  addsMore,
  asksFor,
  asksForPeople,
  audienceIntro,
  CONTEXT_STARTS,
  concludes,
  endOfAside,
  endOfBlame,
  endOfStart,
  FAR_VERB,
  isAnybody,
  namesRole,
  namesRoles,
  ownClause,
  PURPOSES,
  refusesBefore,
  SELLS,
  STARTS_BEFORE_WISH,
  saysTarget,
} from './trade.ts'

/**
 * The sender's own clause: what he sells, where he sits, whom he serves already. In a sentence about him the wish begins
 * at his request ("we sell X and look for Y"), at a refusal ("we work with X, so skip them"), or in the next clause.
 */

const ASKERS = wordSet('voices.txt', 'askers')
const OTHERS_ASK = wordSet('voices.txt', 'others ask')
const MENDING = phraseSet('voices.txt', 'mending')
const ASIDES = phraseSet('voices.txt', 'asides')
const RELATIONS = wordSet('voices.txt', 'relations')
const WANTED_BEHIND = phraseSet('polarity.txt', 'wanted behind')
const OWN_REQUESTS = wordSet('voices.txt', 'own requests')

/** The sender is named near the beginning of his sentence, or it is not about him. */
const SENDER_WITHIN = 7
const MOST_PARTS = 12

const I_VERBS = wordSet('voices.txt', 'i verbs')

const DOES_BEST_WITH = phraseSet('voices.txt', 'does best with')
const DENIED_SELVES = phraseSet('voices.txt', 'denied selves')
const CLAUSE_MARKS = new Set([',', ';', '—', ':', 'so', 'but', 'aber', 'mais', 'pero', 'sino', 'sondern'])

const DENIES = new Set('ne n no non not nicht'.split(' '))
const HELP = new Set('help aidez aide helft hilf ayuda'.split(' '))

type Mark = (from: number, to: number) => void

export function markSender(source: Source, first: number, end: number, consumed: Uint8Array, mark: Mark, markNames: Mark, parts = 0): void {
  const { words, items, tokens } = source
  /** Marks a clause about the sender, and reads what follows it. */
  const tell = (from: number, until: number) => {
    mark(from, parts < MOST_PARTS ? until : end)
    if (parts < MOST_PARTS && until + 1 < end) markSender(source, until + 1, end, consumed, mark, markNames, parts + 1)
  }
  const intro = audienceIntro(source, first, end)
  if (intro !== undefined && !tellsOfOne(words, first, intro, end)) {
    mark(first, Math.min(intro, end))
    return
  }
  // "Hilton is handled by my colleague"
  for (let at = first + 1; at < end && at < first + SENDER_WITHIN; at++) if (handedOver(source, at) > 0) return
  const capital = tokens[items[first]!.first]!.capital
  if (capital && statesRelation(source, first, end)) return
  const self = endOfSelf(source, first, end)
  if (self !== undefined) {
    tell(first, self)
    return
  }
  const speaker = endOfPrincipal(source, first, end) ?? endOfSpeaker(source, first, end)
  if (speaker !== undefined) {
    mark(first, speaker)
    return
  }
  const occasion = endOfOccasion(source, first, end) ?? endOfStart(words, first, end)
  if (occasion !== undefined) {
    tell(first, occasion)
    return
  }
  // "In our experience CFOs ignore us"
  const aside = ASIDES.longest(words, first, end)
  const blame = aside && endOfBlame(words, first + aside.length, end)
  if (blame !== undefined) {
    tell(first, blame)
    return
  }
  const sender = findSender(source, first, end, consumed)
  if (sender === undefined) {
    // "Paywise is a Dublin start-up": a name that is something speaks of its bearer.
    if (capital && IS.has(words[first + 1] ?? '') && ARTICLES.has(words[first + 2] ?? '') && excludedAt(words, first + 1) === 0)
      mark(first, end)
    return
  }
  if (saysTarget(words, sender)) {
    mark(sender - 1, end)
    return
  }
  const target = words.slice(sender, end).findIndex((_, next) => DOES_BEST_WITH.longest(words, sender + next, end))
  // Beside a request it only praises the product.
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
  const away = request === undefined ? undefined : endOfTurningAway(words, first, request, end)
  if (away !== undefined) {
    tell(first, away)
    return
  }
  // "Steuerberater in Wien suchen wir aus drei Gründen": who is wanted stands before the verb.
  const isBefore = namesRole(words, first, sender - 1) || end - sender <= 2
  if (request === sender + 1 && sender - 1 > first && isBefore && !namesRoles(words, request, end)) {
    mark(sender - 1, request)
    return
  }
  if (request !== undefined) {
    // "scratch HR, we want finance", "no startups, we want banks": what is taken back or refused stands before the comma.
    // "Besides buyers I'd take planners as well": both are wanted.
    let from = addsMore(words, first, end) ? sender : ownClause(words, first, sender, asksForPeople)
    const refuses = (at: number) =>
      (refusalLength(words, first, at) > 0 || isCommand(words, first, at)) && !NEGATES_NOTHING.longest(words, first)
    for (let at = first; at < sender; at++) if (words[at] === ',' && (takesBack(words, first, at) || refuses(at))) from = at + 1
    if (from === first && refusesBefore(words, first, sender)) from = REQUESTS.longest(words, sender - 1, end) ? sender - 1 : sender
    // "I'd like to email development directors": what he wants to do with them is no part of their title.
    const planned = startOfPlanned(source, request, Math.min(end, request + FAR_VERB)) ?? request
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
  // "without the ones we did in March (Acme, Globex)": he only says which ones.
  const opening = words[first] === 'please' || words[first] === 'bitte' ? first + 1 : first
  const refused = refusalLength(words, opening, end)
  if (refused > 0 && sender >= opening + refused) {
    mark(sender, endOfAside(source, sender, end))
    return
  }
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
  // What stands before a comma and the sender may be the wish itself: "Dentists in Porto, our best customers".
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

/** "Our best customer is a dairy in Cork. Plant managers at breweries in Tyrol": one whom he has, where others are asked for behind it. */
const tellsOfOne = (words: readonly string[], first: number, intro: number, end: number): boolean =>
  words.slice(first, intro).some(word => HE_HAS.has(word)) &&
  (ARTICLES.has(words[intro]!) || ARTICLES.has(words[intro - 1]!)) &&
  words.slice(first, end).some(isPlaceWord) &&
  words.slice(end, end + FAR_WISH).some(isAnybody) &&
  namesPlace(words, end)
const HE_HAS = wordSet('voices.txt', 'those he has')
const FAR_WISH = 60

/** The first word of the sender in a sentence; "US" the country is not "us" the people. */
function findSender({ words, items, tokens }: Source, first: number, end: number, consumed: Uint8Array): number | undefined {
  for (let at = first, seen = 0; at < end && seen < SENDER_WITHIN; at++) {
    if (items[at]!.kind === 'mark') {
      if (words[at] === ':' || words[at] === ';') break
      if (words[at] !== ',') continue
    }
    seen++
    // "I meant Portugal": the speaker mends the brief, and says nothing about himself.
    if (MENDING.longest(words, at)) return undefined
    const aside = ASIDES.longest(words, at, end)
    if (aside) {
      at += aside.length - 1
      continue
    }
    // Capitals make another word of it: "100 MA" are employees, "the US" is a country.
    // "Assistenten brauchen wir nicht": the pronoun belongs to the refusal.
    const saidOfNoun = (from: number) =>
      Math.max(excludedAt(words, from, end), keptAt(words, from, end), WANTED_BEHIND.longest(words, from, end)?.length ?? 0)
    if ([0, 1, 2, 3, 4].some(back => saidOfNoun(at - back) > back)) continue
    if (items[at]!.kind !== 'word' || consumed[at] || (tokens[items[at]!.first]!.allCaps && words[at]!.length > 1)) continue
    // In other languages a small "i" joins or means "in"; the sender's is followed by what he does.
    const isSmall = tokens[items[at]!.first]!.text === 'i' && items[at - 1]?.kind === 'word'
    if (isSmall && at > first && items[at + 1]?.kind === 'word' && !I_VERBS.has(words[at + 1]!)) continue
    if (words[at] === 'us' ? BEFORE_US.has(words[at - 1] ?? '') : SENDER.longest(words, at)) return at
  }
  return (CONTEXT_STARTS.longest(words, first, end) ?? STARTS_BEFORE_WISH.longest(words, first, end)) ? first : undefined
}

/** "Alstom is a competitor, exclude them": a statement about companies that are not wanted is a filter. */
function statesRelation({ words, items }: Source, first: number, end: number): boolean {
  if (items[first]!.kind !== 'word' || SENDER.has(words[first]!)) return false
  for (let verb = first + 1; verb < end && verb < first + 14; verb++)
    if (IS.has(words[verb]!)) return words.slice(verb, Math.min(end, verb + 6)).some(word => RELATIONS.has(word))
  return false
}

/** The first item after the sender's request: "we (are looking for)". */
function findRequest({ words, items, tokens }: Source, sender: number, end: number): number | undefined {
  for (let at = Math.max(0, sender - 1); at < end; at++) {
    const request = items[at]!.kind === 'word' ? REQUESTS.longest(words, at, end) : undefined
    if (!request) continue
    const before = items[at - 1]
    // "After our launch in Brazil we want"
    if (words[at] === 'after' && OWN.has(words[at + 1] ?? '')) continue
    // "…: robotics companies in Zurich, contact: CTO": behind his clause it is a label.
    if (at > sender + 2 && words[at + request.length] === ':' && before?.word === ',' && LABELS.has(words[at]!)) continue
    const gerund = words[at]!.endsWith('ing') && before !== undefined && !OTHERS_ASK.has(before.word)
    const asked =
      before === undefined ||
      before.kind === 'mark' ||
      ASKERS.has(before.word) ||
      SENDER.has(before.word) ||
      (OWN_REQUESTS.has(words[at]!) && !DENIES.has(before.word))
    // "Für die Messe suchen wir": the verb stands before its subject.
    let next = at + request.length
    const inverted = SENDER.has(words[next] ?? '')
    if (inverted) next++
    // "my boss wants", "my boss Karin asked for", "notre jeune cabinet lyonnais veut"
    const isNamed = at === sender + 3 && tokens[items[sender + 2]!.first]!.capital
    // "can you help our team in Oslo find …"
    const isHelped = HELP.has(words[sender - 1] ?? '')
    const isSubject = (items[sender - 1]?.kind !== 'word' || isHelped) && items.slice(sender, at).every(({ kind }) => kind === 'word')
    const isFar = isSubject && at <= sender + FAR_VERB && (isHelped || ASKS.longest(words, at, end))
    const theirs = (at === sender + 2 || isNamed || isFar) && (isHelped || OWN.has(words[sender]!) || ARTICLES.has(words[sender]!))
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
