import { sentencesOf } from './clauses.ts'
import { normalizeText } from './normalize.ts'
import { readPhraseSets } from './phrases.ts'

/**
 * A reply without the notices that an office puts under all its mail. They speak of unsubscribing, of deleting and of
 * other addresses, and none of it is said by the person to us.
 */

const idea = readPhraseSets('footers.txt')

/** The first paragraph behind the greeting is never a footer: a message that begins so has nothing else to say. */
export function withoutFooters(text: string): string {
  const paragraphs = text.split(PARAGRAPH_END)
  if (paragraphs.length === 1) return text
  const said = paragraphs.map(paragraph => paragraph.trim())
  const first = Math.max(
    said.findIndex(paragraph => paragraph !== ''),
    said.findIndex(paragraph => paragraph !== '' && !isGreeting(paragraph)),
  )
  return paragraphs.filter((paragraph, i) => i <= first || !isFooter(paragraph)).join('\n\n')
}

const MAX_GREETING_CHARS = 60

/** "Dear Lena," or a few words that end no sentence. */
const isGreeting = (paragraph: string): boolean =>
  paragraph.length <= MAX_GREETING_CHARS && (/^[^\n.!?]+[,:]$/.test(paragraph) || /^\S+(?:\s\S+){0,2}(?<![.!?])$/.test(paragraph))

const PARAGRAPH_END = /\n[^\S\n]*\n/

function isFooter(paragraph: string): boolean {
  const sentences = sentencesOf(normalizeText(paragraph))
  const speaksOf = (name: string) => sentences.some(({ text }) => idea(name).test(text))
  return speaksOf('footer') && !speaksOf('written to us')
}
