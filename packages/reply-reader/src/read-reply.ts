import { autoReplyConfidence, withoutReplyPrefixes } from './auto-reply.ts'
import { type Bounce, isOfDaemon } from './bounce.ts'
import type { CalendarAnswer } from './calendar.ts'
import { sentencesOf } from './clauses.ts'
import { conceptsOf } from './concepts.ts'
import { withoutFooters } from './footers.ts'
import { isForeign } from './language.ts'
import { isFamiliar, judgeText, LEARNED_KINDS, type LearnedKind } from './model.ts'
import { normalizeText } from './normalize.ts'
import { optOuts } from './opt-outs.ts'
import { findDeferral, findReferral } from './referral.ts'
import { type ReplyClass, SURE, settleKind } from './reply-class.ts'
import { withoutReportedSpeech } from './reported-speech.ts'
import { findReturnDate } from './return-date.ts'
import { pointsOf } from './signals.ts'
import { correctSpelling } from './spelling.ts'

/**
 * What a reply means, and how sure that is: headers and reports first, then phrases that leave no doubt, then phrases and
 * a small learned model weighed together. The README has how often this is right.
 */

/** A message as a mail parser gives it. Only the text and the day are needed; everything else makes the reading surer. */
export interface ReplyMessage {
  /** What the person wrote: `stripQuotes` removes what is quoted, and the signature. */
  text: string
  /** When it was written, or else received. Days such as "next Monday" are counted from here. */
  date: Date
  subject?: string
  from?: { address: string } | null
  /** Names in lower case. */
  headers?: ReadonlyMap<string, string>
  /** `readBounce` finds this. */
  bounce?: Bounce | null
  /** `readCalendar` finds this. */
  calendar?: CalendarAnswer | null
  /** A mail system wrote it about another message: its delivery outcome, that it was displayed, or a complaint of its reader (RFC 5965). */
  report?: 'delivery' | 'disposition' | 'complaint' | null
  /** A mail program wrote it, because its user pressed the button to unsubscribe. */
  isOptOutMail?: boolean
  /** The end of the message was not read; it may contain more words of the person. */
  isEndMissing?: boolean
}

/** Phrases and weights are loaded when they are first used. A process that calls this when it starts does not make its first message wait. */
export function loadReader(): void {
  decide('load', '', false)
}

const NO_HEADERS: ReadonlyMap<string, string> = new Map()
const MAX_SUBJECT_CHARS = 500
/** Hardly anybody says what they want after a dozen pages. A person reads such a reply. */
const MAX_JUDGED_CHARS = 40_000

export function readReply(message: ReplyMessage): ReplyClass {
  // Somebody has called our message spam, and their provider passes it on; or has pressed the button to unsubscribe, and whatever else the
  // mail program writes, or says of itself in the headers, is not theirs.
  if (message.report === 'complaint' || message.isOptOutMail) return { kind: 'opt_out', confidence: 0.99 }
  if (message.bounce) return { kind: 'bounce', confidence: 0.99, bounce: message.bounce }
  // A report that a message is late, was delivered, or was displayed. No person wrote it, so no date in it is theirs.
  if (message.report || isOfDaemon(message.from?.address ?? '')) return { kind: 'auto_reply', confidence: 0.99 }
  const subject = normalizeText((message.subject ?? '').slice(0, MAX_SUBJECT_CHARS)).trim()
  const own = withoutFooters(message.text.slice(0, MAX_JUDGED_CHARS))
  const text = withoutReportedSpeech(correctSpelling(normalizeText(own)))
  const back = findReturnDate(own, message.date)
  const announced = autoReplyConfidence(message.headers ?? NO_HEADERS, subject)
  const said = announced > 0 ? null : decide(text, withoutReplyPrefixes(subject), back !== null)
  // An opt-out may stand where nobody has read.
  const isPart = message.isEndMissing || message.text.length > MAX_JUDGED_CHARS
  const heard = isPart && said?.kind === 'auto_reply' ? { kind: 'neutral' as const, confidence: UNREAD } : said
  const verdict = byCalendar(message.calendar ?? null, text, heard) ?? heard ?? { kind: 'auto_reply' as const, confidence: announced }
  const isDoubted = isPart && verdict.kind !== 'opt_out' && verdict.kind !== 'auto_reply'
  const isOpen = verdict.kind === 'neutral' || verdict.kind === 'negative'
  const deferredUntil = isOpen ? findDeferral(own, message.date) : null
  // Interest that nobody is sure of may be that of somebody else: "send the slides to Claire, I am only the assistant".
  const mayRefer = verdict.kind === 'auto_reply' || ['neutral', 'negative'].includes(settleKind(verdict).kind)
  const referral = mayRefer ? findReferral(own, message.from?.address ?? null) : null
  return {
    ...verdict,
    ...(isDoubted ? { confidence: Math.min(verdict.confidence, MOST_DOUBTED) } : {}),
    ...(back ? { returnDate: back } : {}),
    ...(deferredUntil ? { deferredUntil } : {}),
    ...(referral ? { referral } : {}),
  }
}

const PRESSED = 0.9

/**
 * A button in a calendar is pressed by a person, whatever the headers say. Words that were written beside it may ask to be left alone,
 * or to meet at another time.
 */
function byCalendar(answer: CalendarAnswer | null, text: string, said: ReplyClass | null): ReplyClass | null {
  if (!answer || said?.kind === 'opt_out') return null
  if (answer === 'accepted') return { kind: 'positive', confidence: PRESSED }
  const isPositive = said?.kind === 'positive' && text.trim() !== ''
  if (answer === 'declined') return isPositive ? { kind: 'neutral', confidence: HALF_BELIEVED } : { kind: 'negative', confidence: PRESSED }
  return isPositive ? said : { kind: 'neutral', confidence: HALF_BELIEVED }
}

/** How much a point weighs against the learned model; found by trying, on replies neither had seen. */
const POINT_WEIGHT = 0.6
/** Saying much does not make it truer. */
const MAX_POINTS = 6
/** From here on it is a machine that speaks of unsubscribing. */
const SURELY_PRINTED_POINTS = 8
/** The model knows the words of an opt-out, but not what they are about. */
const SPARED = 0.3
/** Below this, a person decides about an opt-out that only the model hears: the reply waits for one in any case. */
const LEAST_OPT_OUT = 0.5
/** Less is enough when no rule knows anything else in the reply: taking the writer for a buyer would be worse. */
const LEAST_OPT_OUT_ALONE = 0.42
/** A reply without a word about mail, lists, rights or an end mostly asks for something else: "please take your time". */
const LEAST_OPT_OUT_UNNAMED = 0.65
/** One sentence of a letter must be clear by itself, because the others were not judged, and the letter must leave room for it. */
const LEAST_OPT_OUT_IN_LETTER = 0.75
const LEAST_OPT_OUT_OF_LETTER = 0.1
const LEAST_LETTER_SENTENCES = 3
/**
 * Where the model hears less than this of an opt-out, a phrase was met in another sense. Of replies that the model had not learnt
 * from, one opt-out of 90 that is a single sentence falls below, and one of 372 that are longer.
 */
const LEAST_HEARD = 0.02
const LEAST_HEARD_IN_TEXT = 0.03
/** A person looks at a few words in which the model hears this much of an opt-out and no rule knows anything. */
const LEAST_HEARD_OF_FEW = 0.05
/** "No longer write to me about this, but to Ms Wolf" asks for no end. */
const LEAST_HEARD_OF_REFERRED = 0.2
const MAX_LETTER_SENTENCES = 60
/** As sure as the reader ever is of what a person means. */
const MOST = 0.95
const MOST_GUESSED = 0.5
const SAID_POINTS = 2
/** One sign of interest alone may be a word in another sense: either there are two of them, or the model agrees. */
const WELL_SAID_POINTS = 4
const AGREED = 0.9
/** From here on, interest is right 98 times of 100, measured on replies that the model had not learnt from. Less is doubted. */
const WELL_BELIEVED = 0.92
const MOST_DOUBTED = 0.75
const HALF_BELIEVED = 0.5
/** Nobody could judge the reply, so a person looks at it. */
const UNREAD = 0.4

/** Judges by the rules alone. They recognize an automatic reply; a person looks at the rest. */
function byWordsAlone(points: Record<LearnedKind, number>): ReplyClass {
  const best = LEARNED_KINDS.reduce((a, b) => (points[b] > points[a] ? b : a))
  if (points[best] < SAID_POINTS) return { kind: 'neutral', confidence: UNREAD }
  return { kind: best, confidence: best === 'auto_reply' ? SURE : MOST_GUESSED }
}

function decide(text: string, subject: string, isDated: boolean): ReplyClass {
  const isEmpty = text.trim() === ''
  const sentences = sentencesOf(isEmpty ? subject : text)
  const points = pointsOf(sentences, isDated)
  const isAsked = points.opt_out > 0 && points.auto_reply < SURELY_PRINTED_POINTS
  const isMisheard = isAsked && !points.isOutright && !isEmpty && !isHeard(text, points.isReferred)
  if (isAsked && !isMisheard) return { kind: 'opt_out', confidence: MOST }
  if (isMisheard) points.opt_out = 0
  // Nothing but a picture or a sign: there are no words to judge.
  if (isEmpty || !/\p{L}/u.test(text)) return { kind: 'neutral', confidence: UNREAD }
  // A refusal in a language that nobody taught the model looks to it like anything.
  if (isForeign(text)) return byWordsAlone(points)
  const judged = judgeText(text)
  const learned = points.isSpared ? withoutOptOut(judged, judgeText(points.rest).opt_out) : judged
  const weighed = LEARNED_KINDS.map(kind => {
    return learned[kind] * Math.exp(POINT_WEIGHT * Math.min(MAX_POINTS, points[kind]))
  })
  const sum = weighed.reduce((a, b) => a + b, 0)
  const [optOut, negative] = [LEARNED_KINDS.indexOf('opt_out'), LEARNED_KINDS.indexOf('negative')]
  // A person who asks to be left alone mostly says no first: that no speaks for it, not against it.
  const refused = (weighed[negative] as number) - learned.negative
  const optOutChance = (weighed[optOut] as number) / (sum - refused)
  const isAllThereIs = !points.isSpared && Math.max(points.positive, points.negative, points.neutral, points.auto_reply) < SAID_POINTS
  const leastOptOut = !speaksOfContact(text) ? LEAST_OPT_OUT_UNNAMED : isAllThereIs ? LEAST_OPT_OUT_ALONE : LEAST_OPT_OUT
  if (optOutChance >= leastOptOut) return { kind: 'opt_out', confidence: rounded(optOutChance) }
  const saidInLetter = isMisheard ? 0 : loudestOptOut(points.isSpared ? points.rest : text)
  if (saidInLetter > 0) return { kind: 'opt_out', confidence: rounded(saidInLetter) }
  // What sounded most like an opt-out, and was not sure enough to be one, is settled by a person.
  const isWithheld = optOutChance >= HALF_BELIEVED || weighed[optOut] === Math.max(...weighed)
  weighed[optOut] = 0
  // Interest that nothing in the words speaks for, and that the model only half believes, is mostly none. So is that of who calls a talk off.
  if (points.positive < SAID_POINTS && (learned.positive < HALF_BELIEVED || points.isCalledOff))
    weighed[LEARNED_KINDS.indexOf('positive')] = 0
  const best = Math.max(...weighed)
  const kind = LEARNED_KINDS[weighed.indexOf(best)] as LearnedKind
  const chance = best / sum
  // A machine that no phrase speaks for, and in which an opt-out is heard, may be a person: "back off!" So may one that uses the words of
  // an opt-out for something else: "no longer write to the old address, it will be closed".
  const leastHeard = wordCount(text) <= MAX_CURT_WORDS ? LEAST_HEARD_IN_TEXT : LEAST_OPT_OUT_OF_LETTER
  const isHalfHeard =
    (points.auto_reply < SAID_POINTS && learned.opt_out >= leastHeard) ||
    (points.isSpared && points.auto_reply < SURELY_PRINTED_POINTS && judged.opt_out >= HALF_BELIEVED)
  if (kind === 'auto_reply' && (isWithheld || isHalfHeard)) return { kind: 'neutral', confidence: UNREAD }
  const isBacked = points.positive >= WELL_SAID_POINTS || (points.positive >= SAID_POINTS && learned.positive >= AGREED)
  const isGuess = !isBacked || !isFamiliar(text)
  const isDoubted = chance < WELL_BELIEVED
  const mostPositive = isGuess ? MOST_GUESSED : isDoubted ? MOST_DOUBTED : MOST
  // Words that the model has never met, and that say nothing anybody knows: it calls that neutral, and a person has to look.
  const mostNeutral = points.neutral < SAID_POINTS && !isFamiliar(text) ? MOST_GUESSED : MOST
  // A few words that no rule knows, or that refuse for good ("the answer is no, now and forever"), may ask for an end.
  const isUnknown = points[kind] < SAID_POINTS && learned.opt_out >= LEAST_HEARD_OF_FEW
  const isForEver = () =>
    sentences.some(({ text }) => optOuts('no for ever').test(text) || (kind === 'negative' && optOuts('for ever').test(text)))
  const isFinal = wordCount(text) <= MAX_FEW_WORDS && (isUnknown || isForEver())
  const mostOfKind = kind === 'positive' ? mostPositive : kind === 'neutral' ? mostNeutral : MOST
  // Whom the rules spared, and the model would have taken for an opt-out, is settled by a person.
  const isSparedOnly = points.isSpared && judged.opt_out >= HALF_BELIEVED
  const mostHeard = isMisheard || isWithheld || isFinal || isSparedOnly ? MOST_DOUBTED : MOST
  return { kind, confidence: rounded(Math.min(mostOfKind, mostHeard, chance)) }
}

/**
 * What the model makes of the one sentence of a letter that sounds most like an opt-out, 0 when there is none. Among courtesies
 * before and behind it the model of the whole does not hear it. What is wished for behind it takes it back.
 */
function loudestOptOut(text: string): number {
  const parts = partsOf(text)
  const whole = judgeText(text).opt_out
  if (parts.length < LEAST_LETTER_SENTENCES || whole < LEAST_OPT_OUT_OF_LETTER) return 0
  const least = whole >= HALF_BELIEVED ? HALF_BELIEVED : LEAST_OPT_OUT_IN_LETTER
  const chances = parts.map(part => judgeText(part).opt_out)
  const last = chances.findLastIndex(chance => chance >= least)
  const behind = parts.slice(last + 1).join('. ')
  const isTakenBack = () => pointsOf(sentencesOf(behind)).positive >= SAID_POINTS && judgeText(behind).positive >= HALF_BELIEVED
  return last < 0 || isTakenBack() ? 0 : (chances[last] as number)
}

/**
 * Whether the model hears at least something of the opt-out that a phrase was found for. What it has not learnt it cannot doubt, and
 * in a few words there is hardly anything but the phrase.
 */
function isHeard(text: string, isReferred: boolean): boolean {
  const least = isReferred ? LEAST_HEARD_OF_REFERRED : partsOf(text).length === 1 ? LEAST_HEARD : LEAST_HEARD_IN_TEXT
  return isForeign(text) || wordCount(text) <= MAX_PHRASE_WORDS || judgeText(text).opt_out >= least
}

const CONTACT_CONCEPTS = new Set(['write', 'send', 'list', 'box', 'remove', 'unsubscribe', 'never', 'fed up', 'spam', 'law', 'consent'])
const speaksOfContact = (text: string): boolean =>
  (text.match(/[a-z]+/g) ?? []).some(word => conceptsOf(word).some(concept => CONTACT_CONCEPTS.has(concept)))

const MAX_CURT_WORDS = 4
const MAX_PHRASE_WORDS = 6
const MAX_FEW_WORDS = 8
const wordCount = (text: string): number => text.match(/[\p{L}']+/gu)?.length ?? 0

const partsOf = (text: string): string[] => text.split(SENTENCE_END, MAX_LETTER_SENTENCES).filter(part => /\p{L}/u.test(part))

const SENTENCE_END = /[.!?;](?=\s)|\n\s*\n/

/** What looks like an opt-out and is none must not persuade the model either: what is left of the text decides on that. */
function withoutOptOut(whole: Readonly<Record<LearnedKind, number>>, ofRest: number): Record<LearnedKind, number> {
  const optOut = Math.min(whole.opt_out, SPARED * ofRest)
  const others = (1 - optOut) / Math.max(LEAST_CHANCE, 1 - whole.opt_out)
  return Object.fromEntries(LEARNED_KINDS.map(kind => [kind, kind === 'opt_out' ? optOut : whole[kind] * others])) as typeof whole
}

const LEAST_CHANCE = 1e-9

const rounded = (chance: number): number => Math.round(Math.min(MOST, chance) * 100) / 100
