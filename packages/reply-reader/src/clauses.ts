import { readMeanings } from './phrase-files.ts'
import { readPhraseSets } from './phrases.ts'

/** A normalized text as sentences and clauses, in the spelling of the word files. */

export interface Clause {
  /** Each word is followed by one space. */
  text: string
  isQuestion: boolean
  /** The clauses with their weights: in "sounds great, BUT we have one", the part after "but" weighs more. */
  weight: number
}

export interface Sentence {
  text: string
  isQuestion: boolean
  clauses: Clause[]
}

const MAX_WORD_CHARS = 40
const BEFORE_BUT = 0.3
const AFTER_BUT = 1.3
const CONCEDED = 0.4
const BEFORE_TURN = 0.5
const MAX_INSIDE_CHARS = 25

const SPELLINGS = readMeanings('spellings.txt')
const idea = readPhraseSets('clauses.txt')
const SHORT_FORMS: Record<string, string> = { "n't": ' not', "'m": ' am', "'re": ' are', "'ve": ' have', "'ll": ' will', "'d": ' would' }
const SHORT_FORM = /(n't|'m|'re|'ve|'ll|'d)$/
const ELISION = /^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu)'/

/** Words, punctuation that ends something, and placeholders for addresses and links. */
const PIECE =
  /[^\s@<>()[\]",;]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+|(?:https?:\/\/|www\.)\S{1,500}(?<![.,;:!?)])|\d{1,2}\.\d{1,2}\.(?:\d{2,4})?|\d{1,2}\.(?= ?\p{L})|\d+(?:[.:/]\d+)*|[\p{L}\d']+|\n\s*\n|[.!?;,:\n§%€$£]/gu

export function sentencesOf(folded: string): Sentence[] {
  const sentences: Sentence[] = []
  let parts: string[] = []
  let words = ''
  let lineChars = 0
  const endClause = () => {
    if (words !== '') parts.push(words)
    words = ''
  }
  const endSentence = (isQuestion: boolean) => {
    endClause()
    if (parts.length > 0) sentences.push(sentenceOf(parts, isQuestion))
    parts = []
  }
  const plain = folded.replace(/\be-mail/g, 'email')
  let last = 0
  for (const match of plain.matchAll(PIECE)) {
    const piece = match[0]
    lineChars += match.index - last + piece.length
    last = match.index + piece.length
    if (/^[.!?;]$/.test(piece)) {
      // "Interested??" is one question.
      if (piece === '?' && words === '' && parts.length === 0) continue
      endSentence(piece === '?')
    } else if (piece[0] === '\n') {
      // A mail program breaks long lines; the writer ends short ones.
      if (piece.length > 1) endSentence(false)
      else if (lineChars < 45) endClause()
      lineChars = 0
    } else if (piece === ',' || piece === ':') endClause()
    else if (piece.includes('@') && piece.length > 2) words += '@address '
    else if (/^(?:https?:|www\.)/.test(piece)) words += '@link '
    else words += wordsOf(piece)
  }
  endSentence(false)
  return weighTurns(sentences)
}

/** "Your demo was great. Unfortunately, the board has other plans": text before the last such turn counts less. */
function weighTurns(sentences: Sentence[]): Sentence[] {
  const turn = sentences.findLastIndex(({ text }) => idea('turn').startsWith(text))
  for (const { clauses } of sentences.slice(0, Math.max(0, turn))) for (const clause of clauses) clause.weight *= BEFORE_TURN
  return sentences
}

function wordsOf(piece: string): string {
  let word = piece.replace(/^'+|'+$/g, '').slice(0, MAX_WORD_CHARS)
  let before = ''
  const elision = ELISION.exec(word)
  if (elision && word.length > elision[0].length) {
    before = `${elision[0]} `
    word = word.slice(elision[0].length)
  }
  const short = SHORT_FORM.exec(word)
  if (short && before === '') {
    const stem = word.slice(0, -short[0].length)
    word = `${stem === 'wo' ? 'will' : stem === 'ca' ? 'can' : stem}${SHORT_FORMS[short[0]]}`
  } else if (word.endsWith("'s")) word = `${word.slice(0, -2)} is`
  return word === '' ? '' : `${before}${SPELLINGS.get(word) ?? word} `
}

/** Clauses also end at "but" and "and". In a sentence with "but", the part after it decides. */
function sentenceOf(parts: string[], isQuestion: boolean): Sentence {
  const clauses: (Clause & { isAfter: boolean })[] = []
  let isAfter = false
  const add = (text: string) => {
    if (text !== '') clauses.push({ text, isQuestion: false, weight: idea('although').test(text) ? CONCEDED : 1, isAfter })
  }
  for (const part of parts) {
    let from = 0
    for (const turn of idea('joint').all(part)) {
      const isBut = idea('but').test(turn.text)
      // "das passt aber nicht": the turn follows the verb and applies to the whole clause.
      const isInside = isBut && clauses.length > 0 && from === 0 && turn.index < MAX_INSIDE_CHARS
      if (!isInside) add(part.slice(from, turn.index))
      isAfter ||= isBut
      from = isInside ? 0 : turn.index + turn.text.length
    }
    add(part.slice(from))
  }
  const hasTurn = clauses.some(clause => clause.isAfter) && clauses.some(clause => !clause.isAfter)
  for (const clause of clauses) if (hasTurn) clause.weight *= clause.isAfter ? AFTER_BUT : BEFORE_BUT
  const end = clauses.at(-1)
  if (end) end.isQuestion = isQuestion
  return { text: parts.join(', '), isQuestion, clauses }
}
