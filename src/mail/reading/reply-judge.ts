import { readFileSync } from 'node:fs'
import { stripQuotes } from '../inbound/quotes.ts'
import { foldText } from './fold.ts'
import { withoutFooters } from './footers.ts'
import { mendSpelling } from './misspelt.ts'
import { withoutOthersWords } from './others.ts'
import { LEARNED_KINDS, type LearnedKind, type ReplyModel, trainReplyModel } from './reply-model.ts'

const LANGUAGES = ['en', 'de', 'fr', 'es']

interface Lesson {
  text: string
  kind: LearnedKind
}

interface Labelled {
  split: string
  language: string
  kind: string
  text: string
}

/** The replies are read only for learning. Imported, they would stay in the memory of every thread that loads this file. */
const readReplies = (): Labelled[] =>
  (JSON.parse(readFileSync(new URL('./replies.data.json', import.meta.url), 'utf8')) as { replies: Labelled[] }).replies

/** Replies to learn from: never those that are held out to measure what was learnt, nor those in other languages. */
const lessons = (): Lesson[] =>
  readReplies()
    .filter(
      reply =>
        reply.split === 'tune' &&
        LANGUAGES.includes(reply.language) &&
        reply.text !== '' &&
        LEARNED_KINDS.includes(reply.kind as LearnedKind),
    )
    .map(reply => ({ text: withoutOthersWords(mendSpelling(foldText(ownText(reply.text)))), kind: reply.kind as LearnedKind }))

/** A single line holds neither a quote nor a footer. */
const ownText = (text: string): string => (text.includes('\n') ? withoutFooters(stripQuotes(text)) : text)

let trained: { model: ReplyModel; words: Set<string> } | undefined

function judge(): { model: ReplyModel; words: Set<string> } {
  trained ??= train(lessons())
  return trained
}

const train = (replies: Lesson[]) => ({
  model: trainReplyModel(replies),
  words: new Set(replies.flatMap(reply => wordsOf(reply.text))),
})

let last: { text: string; chances: Record<LearnedKind, number> } | undefined

/** Callers ask about the same reply several times in a row, so the last answer is cached. */
export function judgeText(foldedText: string): Readonly<Record<LearnedKind, number>> {
  if (last?.text !== foldedText) last = { text: foldedText, chances: judge().model(foldedText) }
  return last.chances
}

const MAX_CHARS = 2000
const KNOWN_SHARE = 0.55

const wordsOf = (foldedText: string): string[] => foldedText.slice(0, MAX_CHARS).match(/[\p{L}']{2,}/gu) ?? []

/** Whether the judge has seen most of the words before, so that what it says of them can be relied on. */
export function isFamiliar(foldedText: string): boolean {
  const words = wordsOf(foldedText)
  const known = words.filter(word => judge().words.has(word)).length
  return known >= words.length * KNOWN_SHARE
}
