import type { Bounce } from '../inbound/bounce.ts'
import type { InboundMessage } from '../inbound/inbound.ts'
import { clausesOf, conceptScore, NEGATIVE_CONCEPTS, NEUTRAL_CONCEPTS, OPT_OUT_CONCEPTS, POSITIVE_CONCEPTS } from './reply-concepts.ts'
import { isFamiliar, judgeText } from './reply-judge.ts'
import { HUMAN_KINDS, type HumanKind } from './reply-model.ts'
import { AUTO_BODY, AUTO_SUBJECT, NEGATIVE, NEUTRAL, OPT_OUT, POSITIVE, type Rule, WHOLE_REPLY } from './reply-rules.ts'
import { findReturnDate, foldText } from './return-date.ts'

/**
 * What a reply means, and how sure that is: headers and reports first, then phrases that leave no doubt, then phrases and
 * a small learned judge weighed together. `docs/replies.md` holds how often this is right.
 */

export type ReplyKind = 'bounce' | 'auto_reply' | 'opt_out' | 'positive' | 'negative' | 'neutral'

export interface Referral {
  email: string | null
  name: string | null
}

export interface ReplyClass {
  kind: ReplyKind
  /** 0 to 1. */
  confidence: number
  /** The day an absent person names for being back, YYYY-MM-DD; also for a person who says so themselves. */
  returnDate?: string
  /** The day from which on a person asks to be written to again, YYYY-MM-DD. */
  deferredUntil?: string
  /** Whom the writer names instead of themselves. */
  referral?: Referral
  bounce?: Bounce
}

/** From here on a judgement is acted on as it is. `docs/replies.md` has how often it is right then. */
const SURE = 0.8

/**
 * What follows from a judgement. Below `SURE` nobody is called interested: the person has answered, and somebody has to
 * look at what they said. An opt-out is believed at any confidence.
 */
export function settleKind({ kind, confidence }: ReplyClass): { kind: ReplyKind; needsLook: boolean } {
  const needsLook = confidence < SURE && ['positive', 'negative', 'neutral'].includes(kind)
  return { kind: needsLook && kind === 'positive' ? 'neutral' : kind, needsLook }
}

const MAX_SUBJECT_CHARS = 500
/** Nobody says what they want behind a dozen pages. */
const MAX_JUDGED_CHARS = 40_000

/** `receivedAt` stands in for a message that carries no readable date. */
export function classifyReply(message: InboundMessage, receivedAt: Date): ReplyClass {
  if (message.bounce) return { kind: 'bounce', confidence: 0.99, bounce: message.bounce }
  // A report that a message is late, was delivered, or was displayed. No person wrote it, so no date in it is theirs.
  if (message.report) return { kind: 'auto_reply', confidence: 0.99 }
  const writtenAt = message.date ?? receivedAt
  const subject = foldText(message.subject.slice(0, MAX_SUBJECT_CHARS)).trim()
  const own = message.text.slice(0, MAX_JUDGED_CHARS)
  const text = foldText(own)
  const back = findReturnDate(own, writtenAt)
  const dated = (result: ReplyClass): ReplyClass => (back ? { ...result, returnDate: back } : result)

  const auto = automaticConfidence(message, subject, text)
  if (auto >= 0.9) return dated({ kind: 'auto_reply', confidence: auto })

  const whole = wholeReply(text === '' ? subject.replace(/^((re|aw|antw|sv|fwd?|wg|tr|rv) ?: ?)+/, '') : text)
  if (whole) return whole
  const scores = scoreText(text)
  if (scores.optOut >= 4) return { kind: 'opt_out', confidence: scores.optOut >= 6 ? 0.97 : 0.93 }
  if (auto > 0 && scores.positive < 4) return dated({ kind: 'auto_reply', confidence: auto })
  return dated(decide(scores, text))
}

interface Scores {
  optOut: number
  negative: number
  neutral: number
  positive: number
}

function scoreText(text: string): Scores {
  // A matched phrase is taken out, so that no later group reads half of it.
  let rest = text
  const total = (group: Rule[]): number => {
    let sum = 0
    for (const { pattern, weight } of group) {
      let hits = 0
      rest = rest.replace(pattern, () => {
        hits += 1
        return '\u00a4'
      })
      // Saying it three times is not three reasons.
      if (hits > 0) sum += weight
    }
    return sum
  }
  const known = { optOut: total(OPT_OUT), negative: total(NEGATIVE), neutral: total(NEUTRAL), positive: total(POSITIVE) }
  if (known.optOut < 4) {
    const said = clausesOf(text)
    known.optOut += conceptScore(said, OPT_OUT_CONCEPTS)
    if (said.some(clause => wholeReply(clause)?.kind === 'opt_out')) known.optOut += 4
  }
  // Phrases are the surer sign: the broad tier speaks only where they have said little.
  if (Math.max(known.negative, known.neutral, known.positive) >= 3) return known
  const clauses = clausesOf(rest)
  return {
    optOut: known.optOut,
    negative: known.negative + conceptScore(clauses, NEGATIVE_CONCEPTS),
    neutral: known.neutral + conceptScore(clauses, NEUTRAL_CONCEPTS),
    positive: known.positive + conceptScore(clauses, POSITIVE_CONCEPTS),
  }
}

/** How much a point of the rules weighs against the learned judge; found by trying, on replies neither had seen. */
const RULE_WEIGHT = 0.25
/** Saying much does not make it truer. */
const MAX_SCORE = 8
const MOST = 0.95
const MOST_FOREIGN = 0.5

function decide(scores: Scores, text: string): ReplyClass {
  // Nothing but a picture or a sign: there are no words to judge.
  if (!/\p{L}/u.test(text)) return { kind: 'neutral', confidence: 0.4 }
  const learned = judgeText(text)
  const score = {
    opt_out: scores.optOut,
    positive: scores.positive,
    negative: scores.negative,
    neutral: scores.neutral,
  }
  const weighed = HUMAN_KINDS.map(kind => learned[kind] * Math.exp(RULE_WEIGHT * Math.min(MAX_SCORE, score[kind])))
  const best = Math.max(...weighed)
  const kind = HUMAN_KINDS[weighed.indexOf(best)] as HumanKind
  const chance = best / weighed.reduce((a, b) => a + b, 0)
  // A refusal in a language that nobody taught it looks to the judge like anything.
  const most = kind === 'positive' && !isFamiliar(text) ? MOST_FOREIGN : MOST
  return { kind, confidence: Math.round(Math.min(most, chance) * 100) / 100 }
}

function wholeReply(text: string): ReplyClass | null {
  const words = text
    .replace(/[^\p{L}\p{N}' -]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const found = WHOLE_REPLY.find(({ pattern }) => pattern.test(words))
  return found ? { kind: found.kind, confidence: found.confidence } : null
}

const AUTO_HEADERS = [
  ...['x-autoreply', 'x-autorespond', 'x-autoresponder', 'x-auto-reply', 'x-autoreply-from', 'x-mail-autoreply', 'x-autogenerated'],
  ...['x-vacation', 'x-vacation-reply', 'x-auto-reply-from', 'x-fc-machinegenerated'],
]

/** 0 when nothing speaks for a machine; 0.9 and above when its own headers say so. */
function automaticConfidence(message: InboundMessage, subject: string, text: string): number {
  const { headers } = message
  const header = (name: string) => headers.get(name)?.trim().toLowerCase() ?? ''
  const submitted = header('auto-submitted')
  if (submitted !== '' && !submitted.startsWith('no')) return 0.98
  if (AUTO_HEADERS.some(name => headers.has(name))) return 0.97
  if (/^(bulk|junk|list|auto_reply)$/.test(header('precedence')) || header('preference') === 'auto_reply') return 0.95
  // What answers by itself must not be answered: it leaves the sender of its envelope empty.
  if (/^<\s*>$/.test(header('return-path'))) return 0.95
  const bySubject = AUTO_SUBJECT.test(subject)
  const byBody = AUTO_BODY.test(text)
  if (bySubject) return byBody || headers.has('x-auto-response-suppress') ? 0.95 : 0.9
  return byBody ? 0.75 : 0
}
