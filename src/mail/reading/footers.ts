import { sentencesOf } from './clauses.ts'
import { foldText } from './fold.ts'
import { readIdeas } from './ideas.ts'

/**
 * A reply without the notices that an office puts under all its mail. They speak of unsubscribing, of deleting and of
 * other addresses, and none of it is said by the person to us.
 */

const idea = readIdeas('footers.txt')

/** The first paragraph is never a footer: a message that begins so has nothing else to say. */
export function withoutFooters(text: string): string {
  const paragraphs = text.split(PARAGRAPH_END)
  if (paragraphs.length === 1) return text
  const first = paragraphs.findIndex(paragraph => paragraph.trim() !== '')
  return paragraphs.filter((paragraph, i) => i <= first || !isFooter(paragraph)).join('\n\n')
}

const PARAGRAPH_END = /\n[^\S\n]*\n/

function isFooter(paragraph: string): boolean {
  const sentences = sentencesOf(foldText(paragraph))
  const speaksOf = (name: string) => sentences.some(({ text }) => idea(name).test(text))
  return speaksOf('footer') && !speaksOf('written to us')
}
