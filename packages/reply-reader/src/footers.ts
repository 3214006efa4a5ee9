import { sentencesOf } from './clauses.ts'
import { normalizeText } from './normalize.ts'
import { readPhraseSets } from './phrases.ts'

/**
 * Removes the notices that an organization adds to all its mail. They mention unsubscribing, deletion and
 * other addresses, but are not written by the person.
 */

const idea = readPhraseSets('footers.txt')

/** The first paragraph after the greeting is never a footer, because such a message would be empty. */
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

/** "Dear Lena," or a few words without sentence punctuation. */
const isGreeting = (paragraph: string): boolean =>
  paragraph.length <= MAX_GREETING_CHARS && (/^[^\n.!?]+[,:]$/.test(paragraph) || /^\S+(?:\s\S+){0,2}(?<![.!?])$/.test(paragraph))

const PARAGRAPH_END = /\n[^\S\n]*\n/

function isFooter(paragraph: string): boolean {
  const sentences = sentencesOf(normalizeText(paragraph))
  const speaksOf = (name: string) => sentences.some(({ text }) => idea(name).test(text))
  return speaksOf('footer') && !speaksOf('written to us')
}
