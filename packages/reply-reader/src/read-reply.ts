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
 * The meaning of a reply, with a confidence: headers and reports first, then unambiguous phrases, then phrases and
 * a small model combined. The README states how often the result is right.
 */

/** A message as a mail parser returns it. Only the text and the date are required; everything else improves the reading. */
export interface ReplyMessage {
  /** The person's own text: `stripQuotes` removes quotes and the signature. */
  text: string
  /** When it was written, or else received. Days such as "next Monday" are relative to it. */
  date: Date
  subject?: string
  from?: { address: string } | null
  /** Names in lower case. */
  headers?: ReadonlyMap<string, string>
  /** The result of `readBounce`. */
  bounce?: Bounce | null
  /** The result of `readCalendar`. */
  calendar?: CalendarAnswer | null
  /** A mail system reports on another message: its delivery, a read receipt, or a complaint of its reader (RFC 5965). */
  report?: 'delivery' | 'disposition' | 'complaint' | null
  /** A mail program sent it because its user pressed the unsubscribe button. */
  isOptOutMail?: boolean
  /** The end of the message was not read. It may contain more text of the person. */
  isEndMissing?: boolean
}

/** Loads phrases and weights, which are otherwise loaded at first use. Call it at the start, so that the first message does not wait. */
export function loadReader(): void {
  decide('load', '', false)
}

const NO_HEADERS: ReadonlyMap<string, string> = new Map()
const MAX_SUBJECT_CHARS = 500
/** A longer reply needs review, because its point may come after the part that is read. */
const MAX_JUDGED_CHARS = 40_000

export function readReply(message: ReplyMessage): ReplyClass {
  // The recipient reported our message as spam, and their provider forwards the complaint, or pressed the unsubscribe button. Any other text and
  // headers come from the mail program.
  if (message.report === 'complaint' || message.isOptOutMail) return { kind: 'opt_out', confidence: 0.99 }
  if (message.bounce) return { kind: 'bounce', confidence: 0.99, bounce: message.bounce }
  // A report that a message is delayed, delivered or displayed. No person wrote it, so its dates mean nothing.
  if (message.report || isOfDaemon(message.from?.address ?? '')) return { kind: 'auto_reply', confidence: 0.99 }
  const subject = normalizeText((message.subject ?? '').slice(0, MAX_SUBJECT_CHARS)).trim()
  const own = withoutFooters(message.text.slice(0, MAX_JUDGED_CHARS))
  const text = withoutReportedSpeech(correctSpelling(normalizeText(own)))
  const back = findReturnDate(own, message.date)
  const announced = autoReplyConfidence(message.headers ?? NO_HEADERS, subject)
  const said = announced > 0 ? null : decide(text, withoutReplyPrefixes(subject), back !== null)
  // The unread part may contain an opt-out.
  const isPart = message.isEndMissing || message.text.length > MAX_JUDGED_CHARS
  const heard = isPart && said?.kind === 'auto_reply' ? { kind: 'neutral' as const, confidence: UNREAD } : said
  const verdict = byCalendar(message.calendar ?? null, text, heard) ?? heard ?? { kind: 'auto_reply' as const, confidence: announced }
  const isDoubted = isPart && verdict.kind !== 'opt_out' && verdict.kind !== 'auto_reply'
  const isOpen = verdict.kind === 'neutral' || verdict.kind === 'negative'
  const deferredUntil = isOpen ? findDeferral(own, message.date) : null
  // Uncertain interest may be that of another person: "send the slides to Claire, I am only the assistant".
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
 * A person pressed the calendar button, whatever the headers say. The text next to it may still be an opt-out,
 * or propose another time.
 */
function byCalendar(answer: CalendarAnswer | null, text: string, said: ReplyClass | null): ReplyClass | null {
  if (!answer || said?.kind === 'opt_out') return null
  if (answer === 'accepted') return { kind: 'positive', confidence: PRESSED }
  const isPositive = said?.kind === 'positive' && text.trim() !== ''
  if (answer === 'declined') return isPositive ? { kind: 'neutral', confidence: HALF_BELIEVED } : { kind: 'negative', confidence: PRESSED }
  return isPositive ? said : { kind: 'neutral', confidence: HALF_BELIEVED }
}

/** The weight of a point relative to the model, tuned on replies that neither had seen. */
const POINT_WEIGHT = 0.6
/** The maximum number of points, because repetition adds no evidence. */
const MAX_POINTS = 6
/** From this probability on, an automatic message mentions unsubscribing. */
const SURELY_PRINTED_POINTS = 8
/** The model knows the words of an opt-out, but not their object. */
const SPARED = 0.3
/** Below this, an opt-out that only the model finds needs review. */
const LEAST_OPT_OUT = 0.5
/** A lower threshold if no rule matches anything else, because treating the writer as a buyer would be worse. */
const LEAST_OPT_OUT_ALONE = 0.42
/** A reply without a word about mail, lists, rights or an end usually asks for something else: "please take your time". */
const LEAST_OPT_OUT_UNNAMED = 0.65
/** One sentence of a letter must be clear on its own, because the others were not judged, and the letter must allow for it. */
const LEAST_OPT_OUT_IN_LETTER = 0.75
const LEAST_OPT_OUT_OF_LETTER = 0.1
const LEAST_LETTER_SENTENCES = 3
/**
 * If the model gives an opt-out less than this, the phrase had another sense. Of replies that the model had not been trained
 * on, one of 90 single-sentence opt-outs falls below, and one of 372 longer ones.
 */
const LEAST_HEARD = 0.02
const LEAST_HEARD_IN_TEXT = 0.03
/** A short reply without a known phrase needs review if the model gives an opt-out at least this. */
const LEAST_HEARD_OF_FEW = 0.05
/** "No longer write to me about this, but to Ms Wolf" is not an opt-out. */
const LEAST_HEARD_OF_REFERRED = 0.2
const MAX_LETTER_SENTENCES = 60
/** The highest confidence for text written by a person. */
const MOST = 0.95
const MOST_GUESSED = 0.5
const SAID_POINTS = 2
/** A single sign of interest may be a word in another sense: two signs are required, or the model must agree. */
const WELL_SAID_POINTS = 4
const AGREED = 0.9
/** From here on, interest is right in 98 of 100 cases, measured on replies that the model had not been trained on. */
const WELL_BELIEVED = 0.92
const MOST_DOUBTED = 0.75
const HALF_BELIEVED = 0.5
/** The reply could not be classified, so it needs review. */
const UNREAD = 0.4

/** Classifies by the rules alone. They recognize automatic replies; everything else needs review. */
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
  // Only an image or a symbol: there are no words to classify.
  if (isEmpty || !/\p{L}/u.test(text)) return { kind: 'neutral', confidence: UNREAD }
  // In a language that the model was not trained on, a refusal can look like anything.
  if (isForeign(text)) return byWordsAlone(points)
  const judged = judgeText(text)
  const learned = points.isSpared ? withoutOptOut(judged, judgeText(points.rest).opt_out) : judged
  const weighed = LEARNED_KINDS.map(kind => {
    return learned[kind] * Math.exp(POINT_WEIGHT * Math.min(MAX_POINTS, points[kind]))
  })
  const sum = weighed.reduce((a, b) => a + b, 0)
  const [optOut, negative] = [LEARNED_KINDS.indexOf('opt_out'), LEARNED_KINDS.indexOf('negative')]
  // People who opt out usually refuse first: the refusal supports the opt-out.
  const refused = (weighed[negative] as number) - learned.negative
  const optOutChance = (weighed[optOut] as number) / (sum - refused)
  const isAllThereIs = !points.isSpared && Math.max(points.positive, points.negative, points.neutral, points.auto_reply) < SAID_POINTS
  const leastOptOut = !speaksOfContact(text) ? LEAST_OPT_OUT_UNNAMED : isAllThereIs ? LEAST_OPT_OUT_ALONE : LEAST_OPT_OUT
  if (optOutChance >= leastOptOut) return { kind: 'opt_out', confidence: rounded(optOutChance) }
  const saidInLetter = isMisheard ? 0 : loudestOptOut(points.isSpared ? points.rest : text)
  if (saidInLetter > 0) return { kind: 'opt_out', confidence: rounded(saidInLetter) }
  // A reply that is most similar to an opt-out, but below its threshold, needs review.
  const isWithheld = optOutChance >= HALF_BELIEVED || weighed[optOut] === Math.max(...weighed)
  weighed[optOut] = 0
  // Interest without any sign in the words, and with a low model confidence, is usually wrong. So is interest in a reply that cancels a call.
  if (points.positive < SAID_POINTS && (learned.positive < HALF_BELIEVED || points.isCalledOff))
    weighed[LEARNED_KINDS.indexOf('positive')] = 0
  const best = Math.max(...weighed)
  const kind = LEARNED_KINDS[weighed.indexOf(best)] as LearnedKind
  const chance = best / sum
  // An automatic reply without a matching phrase, but with a possible opt-out, may be from a person: "back off!" So may one that uses the words of
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
  // Unknown words without a known phrase: the model says neutral, and the reply needs review.
  const mostNeutral = points.neutral < SAID_POINTS && !isFamiliar(text) ? MOST_GUESSED : MOST
  // A few words without a known phrase, or a final refusal ("the answer is no, now and forever"), may be an opt-out.
  const isUnknown = points[kind] < SAID_POINTS && learned.opt_out >= LEAST_HEARD_OF_FEW
  const isForEver = () =>
    sentences.some(({ text }) => optOuts('no for ever').test(text) || (kind === 'negative' && optOuts('for ever').test(text)))
  const isFinal = wordCount(text) <= MAX_FEW_WORDS && (isUnknown || isForEver())
  const mostOfKind = kind === 'positive' ? mostPositive : kind === 'neutral' ? mostNeutral : MOST
  // If the rules prevented an opt-out that the model found, the reply needs review.
  const isSparedOnly = points.isSpared && judged.opt_out >= HALF_BELIEVED
  const mostHeard = isMisheard || isWithheld || isFinal || isSparedOnly ? MOST_DOUBTED : MOST
  return { kind, confidence: rounded(Math.min(mostOfKind, mostHeard, chance)) }
}

/**
 * The model's probability for the sentence of a letter that is most similar to an opt-out, 0 if there is none. Among courtesies
 * before and after it, the model of the whole text misses it. A wish after it cancels it.
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
 * Whether the model supports the opt-out of a phrase. It cannot contradict what it was not trained on, and
 * a short reply contains hardly anything but the phrase.
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

/** Words that only look like an opt-out must not influence the model: it gets the rest of the text. */
function withoutOptOut(whole: Readonly<Record<LearnedKind, number>>, ofRest: number): Record<LearnedKind, number> {
  const optOut = Math.min(whole.opt_out, SPARED * ofRest)
  const others = (1 - optOut) / Math.max(LEAST_CHANCE, 1 - whole.opt_out)
  return Object.fromEntries(LEARNED_KINDS.map(kind => [kind, kind === 'opt_out' ? optOut : whole[kind] * others])) as typeof whole
}

const LEAST_CHANCE = 1e-9

const rounded = (chance: number): number => Math.round(Math.min(MOST, chance) * 100) / 100
