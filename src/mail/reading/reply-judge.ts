import { stripQuotes } from '../inbound/quotes.ts'
import data from './replies.data.json' with { type: 'json' }
import { HUMAN_KINDS, type HumanKind, type ReplyModel, trainReplyModel } from './reply-model.ts'
import { foldText } from './return-date.ts'

/** Replies to learn from: never those that are held out to measure what was learnt. */
const lessons = () =>
  data.replies
    .filter(reply => reply.split === 'tune' && HUMAN_KINDS.includes(reply.kind as HumanKind))
    .map(reply => ({ text: foldText(stripQuotes(reply.text)), kind: reply.kind as HumanKind }))

let trained: { model: ReplyModel; words: Set<string> } | undefined

function judge(): { model: ReplyModel; words: Set<string> } {
  if (!trained) {
    const replies = lessons()
    trained = { model: trainReplyModel(replies), words: new Set(replies.flatMap(reply => wordsOf(reply.text))) }
  }
  return trained
}

export const judgeText = (foldedText: string): Record<HumanKind, number> => judge().model(foldedText)

const MAX_CHARS = 2000
const KNOWN_SHARE = 0.5
/** "No" and "not" in languages that the rules do not speak. Half of the words around them may look familiar. */
const FOREIGN_NO = /(?<!\p{L})(?:nao|non|niente|geen|niet|nee|nej|nei|inte|ikke|nie|nem|nu|ei|ne|nima|nema|δεν|не|нет|ні)(?!\p{L})/u

const wordsOf = (foldedText: string): string[] => foldedText.slice(0, MAX_CHARS).match(/[\p{L}']{2,}/gu) ?? []

/** Whether the text is in a language that the judge has learnt, so that what it says of it can be relied on. */
export function isFamiliar(foldedText: string): boolean {
  const words = wordsOf(foldedText)
  const known = words.filter(word => judge().words.has(word)).length
  return known >= words.length * KNOWN_SHARE && !FOREIGN_NO.test(foldedText.slice(0, MAX_CHARS))
}
