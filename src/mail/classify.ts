import type { Bounce } from './bounce.ts'
import type { InboundMessage } from './inbound.ts'
import { AUTO_BODY, AUTO_SUBJECT, NEGATIVE, NEUTRAL, OPT_OUT, POSITIVE, type Rule, WHOLE_REPLY } from './reply-rules.ts'
import { findReturnDate, foldText } from './return-date.ts'

/** What a reply means, by rules, with how sure they are. `docs/replies.md` holds how often they are right. */

export type ReplyKind = 'bounce' | 'auto_reply' | 'opt_out' | 'positive' | 'negative' | 'neutral'

export interface ReplyClass {
  kind: ReplyKind
  /** 0 to 1. */
  confidence: number
  /** The day an absent person names for being back, YYYY-MM-DD; also for a person who says so themselves. */
  returnDate?: string
  bounce?: Bounce
}

/** `receivedAt` stands in for a message that carries no readable date. */
export function classifyReply(message: InboundMessage, receivedAt: Date): ReplyClass {
  if (message.bounce) return { kind: 'bounce', confidence: 0.99, bounce: message.bounce }
  const writtenAt = message.date ?? receivedAt
  const subject = foldText(message.subject)
  const text = foldText(message.text)
  const back = findReturnDate(message.text, writtenAt)
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
  return { optOut: total(OPT_OUT), negative: total(NEGATIVE), neutral: total(NEUTRAL), positive: total(POSITIVE) }
}

function decide({ optOut, negative, neutral, positive }: Scores, text: string): ReplyClass {
  const ranked: [ReplyKind, number][] = [
    ['neutral', neutral],
    ['negative', negative + optOut],
    ['positive', positive],
  ]
  // The sort is stable: at equal scores the kind that does least harm stays in front.
  ranked.sort((a, b) => b[1] - a[1])
  const [[kind, best], [, second]] = ranked as [[ReplyKind, number], [ReplyKind, number]]
  if (best === 0) return { kind: 'neutral', confidence: text.includes('?') ? 0.55 : 0.4 }
  // Only hints: too little to stop writing to somebody, or to call a salesperson.
  if (best < 2 && text.length > 40) return { kind: 'neutral', confidence: 0.4 }
  const confidence = Math.min(0.95, 0.5 + 0.1 * (best - second) + (best >= 4 ? 0.05 : 0))
  return { kind, confidence: Math.round(confidence * 100) / 100 }
}

function wholeReply(text: string): ReplyClass | null {
  const words = text
    .replace(/[^\p{L}\p{N}' -]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const found = WHOLE_REPLY.find(({ pattern }) => pattern.test(words))
  return found ? { kind: found.kind, confidence: found.confidence } : null
}

/** 0 when nothing speaks for a machine; 0.9 and above when its own headers say so. */
function automaticConfidence(message: InboundMessage, subject: string, text: string): number {
  const { headers } = message
  const header = (name: string) => headers.get(name)?.trim().toLowerCase() ?? ''
  const submitted = header('auto-submitted')
  if (submitted !== '' && !submitted.startsWith('no')) return 0.98
  if (['x-autoreply', 'x-autorespond', 'x-autoresponder', 'x-auto-reply'].some(name => headers.has(name))) return 0.97
  if (/^(bulk|junk|list|auto_reply)$/.test(header('precedence'))) return 0.95
  const bySubject = AUTO_SUBJECT.test(subject)
  const byBody = AUTO_BODY.test(text)
  if (bySubject) return byBody || headers.has('x-auto-response-suppress') ? 0.95 : 0.9
  return byBody ? 0.75 : 0
}
