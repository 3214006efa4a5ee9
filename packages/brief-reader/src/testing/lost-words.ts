import { foldText } from '../../../lead-terms/src/index.ts'
import type { BriefReading } from '../read-brief.ts'
import { cleanBrief } from '../text/clean.ts'
import { correctSpelling } from '../text/spelling.ts'
import { tokenize } from '../text/tokens.ts'
import { translateSmallWords } from '../text/translations.ts'
import { readAllWords } from '../vocabulary/word-files.ts'

/** Words that ask for nothing on their own: the lists of the grammar, and nothing of the vocabulary. */
const grammar = new Set(
  ['small.txt', 'negation.txt', 'labels.txt'].flatMap(file => [...readAllWords(file)]).flatMap(phrase => phrase.split(' ')),
)
// The speakers of a text of several turns.
grammar.add('user')

/** The words of a brief that are in no filter, no context, not reported as unmatched, and no words of the grammar. */
export function lostWords(brief: string, { explanations, context, unmatched }: BriefReading): string[] {
  const told = new Set(foldText([...explanations.map(each => each.text), ...context, ...unmatched].join(' ')).split(' '))
  const text = cleanBrief(brief).replace(/\S+@\S+/g, ' ')
  // A slip of a word of the grammar ("wihtout") is one.
  const tokens = tokenize(text)
  const typed = tokens.map(token => token.word)
  correctSpelling(tokens)
  for (const [at, token] of tokens.entries()) if (grammar.has(token.word)) told.add(typed[at]!)
  // So is a small word of another language.
  const translated = new Set(translateSmallWords(tokenize(text)).map(token => token.word))
  for (const word of typed) if (!translated.has(word)) told.add(word)
  return [...new Set(foldText(text).split(' '))].filter(word => word.length > 1 && !told.has(word) && !grammar.has(word))
}
