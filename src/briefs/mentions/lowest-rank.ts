import type { Chunk, Mention } from '../model.ts'
import { wordSet } from '../words.ts'

/** "nobody below VP", "no need for anyone under director": where those below a rank are refused, which asks for it and those above. */
export function refusedBelow(chunks: readonly Chunk[], at: number): number {
  let [below, first] = [false, at]
  for (let opener = at - 1; opener >= 0 && opener > at - FARTHEST_REFUSAL; opener--) {
    const { kind, word, small, peopleNoun } = chunks[opener]!
    const isBelow = BELOW.has(word.slice(word.lastIndexOf(' ') + 1)) || BELOW.has(`${word} ${chunks[opener + 1]!.word}`)
    below ||= isBelow
    if (kind === 'negator' && below) first = opener
    else if (kind !== 'word' || !(isBelow || small || peopleNoun || PROFILES.has(word))) break
  }
  return first
}
const PROFILES = wordSet('titles-grammar.txt', 'profiles')
const BELOW = wordSet('titles-grammar.txt', 'below')
const FARTHEST_REFUSAL = 8

/** Where a rank begins with the refusal of those below it, which refuses nothing else and names nobody: "nobody more junior than VP". */
export function takeBelow(chunks: readonly Chunk[], at: number, mentions: Mention[] = []): number {
  const first = refusedBelow(chunks, at)
  while (first < at && mentions.length > 0 && mentions.at(-1)!.first > first) mentions.pop()
  for (const chunk of chunks.slice(first, at)) chunk.kind = 'word'
  return first
}
