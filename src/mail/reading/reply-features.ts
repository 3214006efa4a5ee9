import { conceptsOf } from './concepts.ts'

/** What the learned judge sees of a text: words, word pairs, how words begin and end, and what they are about. */

const MAX_CHARS = 600
const MAX_WORD_CHARS = 40
/** A word is known in its other forms by how it begins and ends. */
const BEGINNING_CHARS = [4, 6]
const END_CHARS = 3
/** How far apart two words may stand, to speak of one thing. */
const NEAR_WORDS = 3

export function featuresOf(foldedText: string): Set<string> {
  const features = new Set<string>()
  const tokens: string[] = []
  let sentence: string[] = []
  for (const piece of foldedText.slice(0, MAX_CHARS).match(/[a-z0-9']+|[?!.,;:\n]/g) ?? []) {
    if (piece === ',' || piece === ':') continue
    if (MARKS.has(piece)) {
      if (piece === '?' || piece === '!') tokens.push(piece)
      addConcepts(sentence, piece === '?', features)
      sentence = []
      continue
    }
    const word = piece.slice(0, MAX_WORD_CHARS)
    tokens.push(word <= '9' ? '0' : word)
    if (word.includes("'")) sentence.push(...wordsOf(word))
    else sentence.push(word)
  }
  addConcepts(sentence, false, features)
  addTokens(tokens, features)
  return features
}

const MARKS = new Set(['?', '!', '.', ';', '\n'])

/** "don't" is do and not, "m'envoyez" is m and envoyez. */
const wordsOf = (word: string): string[] => word.replace(/n't$/, "'not").split("'").filter(Boolean)

function addTokens(tokens: string[], features: Set<string>): void {
  // How it begins, how it ends and how long it is: "ok" alone is another word than in a letter.
  features.add(`^${tokens[0]}`)
  features.add(`$${tokens.at(-1)}`)
  features.add(`l:${Math.min(5, Math.floor(Math.log2(tokens.length + 1)))}`)
  tokens.forEach((token, i) => {
    features.add(`w:${token}`)
    for (const chars of BEGINNING_CHARS) if (token.length > chars) features.add(`p:${token.slice(0, chars)}`)
    if (token.length > END_CHARS + 1) features.add(`s:${token.slice(-END_CHARS)}`)
    if (i > 0) features.add(`b:${tokens[i - 1]} ${token}`)
  })
}

/** "Delete my address" and "borren mi correo" are the same three concepts beside each other. */
function addConcepts(words: string[], isQuestion: boolean, features: Set<string>): void {
  const concepts = words.map(conceptsOf)
  words.forEach((word, i) => {
    for (const before of concepts[i - 1] ?? []) features.add(`<${before} ${word}`)
    for (const after of concepts[i + 1] ?? []) features.add(`>${word} ${after}`)
    for (const concept of concepts[i] ?? []) {
      features.add(`k:${concept}`)
      if (i === 0) features.add(`k^${concept}`)
      if (isQuestion) features.add(`k?${concept}`)
      for (let near = i + 1; near <= i + NEAR_WORDS; near++) for (const other of concepts[near] ?? []) features.add(`n:${concept} ${other}`)
    }
  })
}
