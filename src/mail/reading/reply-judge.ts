import { stripQuotes } from '../inbound/quotes.ts'
import { foldText } from './fold.ts'
import data from './replies.data.json' with { type: 'json' }
import { LEARNED_KINDS, type LearnedKind, type ReplyModel, trainReplyModel } from './reply-model.ts'

interface Lesson {
  text: string
  kind: LearnedKind
}

/** Replies to learn from: never those that are held out to measure what was learnt. */
const lessons = (): Lesson[] =>
  data.replies
    .filter(reply => reply.split === 'tune' && reply.text !== '' && LEARNED_KINDS.includes(reply.kind as LearnedKind))
    .map(reply => ({ text: foldText(stripQuotes(reply.text)), kind: reply.kind as LearnedKind }))

let trained: { model: ReplyModel; words: Set<string> } | undefined

function judge(): { model: ReplyModel; words: Set<string> } {
  trained ??= train(lessons())
  return trained
}

const train = (replies: Lesson[]) => ({
  model: trainReplyModel(replies),
  words: new Set(replies.flatMap(reply => wordsOf(reply.text))),
})

export const judgeText = (foldedText: string): Record<LearnedKind, number> => judge().model(foldedText)

const MAX_CHARS = 2000
const KNOWN_SHARE = 0.55
/** "No" and "not" in languages that the words do not cover. Half of the words around them may look familiar. */
const FOREIGN_NO = /(?<!\p{L})(?:nao|non|niente|geen|niet|nee|nej|nei|inte|ikke|nie|nem|nu|ei|ne|nimam?|nemam?|δεν|не|нет|ні)(?!\p{L})/u

/** Some of them are words of ours, too, and then stand among others. */
const OWN_SPEECH = /(?<!\p{L})(?:je|nous|vous|pas|mais|pour|votre|ich|wir|sie|und|nicht)(?!\p{L})/u

const wordsOf = (foldedText: string): string[] => foldedText.slice(0, MAX_CHARS).match(/[\p{L}']{2,}/gu) ?? []

/** Whether the text is in a language that the judge has learnt, so that what it says of it can be relied on. */
export function isFamiliar(foldedText: string): boolean {
  const words = wordsOf(foldedText)
  const known = words.filter(word => judge().words.has(word)).length
  const start = foldedText.slice(0, MAX_CHARS)
  return known >= words.length * KNOWN_SHARE && (!FOREIGN_NO.test(start) || OWN_SPEECH.test(start))
}
