import { FUNDING_STAGES, type FundingStage } from '../search/terms/vocabulary.ts'
import type { Chunk, Mention } from './model.ts'
import { wordSet } from './words.ts'

/** Funding stages stand on a ladder: "seed to series B", "Series B+", "C or later". */

const LADDER = FUNDING_STAGES.slice(0, FUNDING_STAGES.indexOf('private_equity'))
const LATER = wordSet('numbers.txt', 'later')
const UPWARDS = new Set(['onwards', 'aufwarts', 'upwards', 'plus'])
const JOINS = new Set('and or und oder et ou y o en'.split(' '))
const SPANS = new Set('to through until bis a hasta thru up till jusqu - – — al tot'.split(' '))

const STAGE_NOUNS = new Set('round rounds stage stages funding runde runden ronda rondas tour tours'.split(' '))

const stageOfLetter = (letter: string): FundingStage => (letter > 'd' ? 'series_e_plus' : (`series_${letter}` as FundingStage))
const isLetter = (chunk: Chunk | undefined): boolean => /^[a-f]$/.test(chunk?.word ?? '')

/** All stages that one mention means, given what is written behind it. */
export function stagesOf(mention: Mention, next: Mention | undefined, chunks: readonly Chunk[]): readonly FundingStage[] {
  if (mention.value === 'vc_backed') return LADDER.slice(LADDER.indexOf('seed'))
  const stage = mention.value as FundingStage
  const from = LADDER.indexOf(stage)
  // "Series-B-Firmen oder später", "Series C round and up": the noun belongs to the stage.
  const noun = chunks[mention.last + 1]
  const behind = noun?.kind === 'word' && (noun.companyNoun || STAGE_NOUNS.has(noun.word)) ? 2 : 1
  const after = chunks.slice(mention.last + behind, mention.last + behind + 4)
  if (from < 0) return [stage]
  if (goesUp(after) || saysLeast(chunks, mention)) return LADDER.slice(from)
  const to = spanEnd(mention, next, chunks, after)
  if (to > from) return LADDER.slice(from, to + 1)
  const more = moreLetters(after)
  // The letters are part of the mention.
  if (more.length > 0) mention.last += behind - 1 + 2 * more.length
  return [...lettersBefore(chunks, mention.first), stage, ...more]
}

/** "at least Series B", "min. Series B", "Series B minimum", "ab Series A". */
function saysLeast(chunks: readonly Chunk[], mention: Mention): boolean {
  const behind = chunks[mention.last + 1]
  if (behind?.kind === 'word' && LEAST.has(behind.word)) {
    mention.last++
    return true
  }
  let first = mention.first - 1
  if (chunks[first]?.kind === 'gap' && chunks[first]!.word === '.') first--
  const before = chunks[first]
  const phrase = before?.kind === 'word' || before?.kind === 'gap' ? before.word : ''
  const least = LEAST.has(phrase) ? first : LEAST_PHRASES.has(`${chunks[first - 1]?.word} ${phrase}`) ? first - 1 : undefined
  if (least === undefined) return false
  mention.first = least
  return true
}
const LEAST = new Set('minimum min mindestens minimo ab upwards'.split(' '))
const LEAST_PHRASES = new Set(['at least', 'au moins', 'al menos', 'no earlier', 'a minimum'])

function goesUp([first, second, third]: readonly Chunk[]): boolean {
  if (first?.kind === 'list' && first.word === '+') return !(second?.kind === 'word' && second.entry?.stage) && !isLetter(second)
  if (first?.kind === 'word' && UPWARDS.has(first.word)) return true
  const joins = first?.kind === 'conjunction' || (first?.kind === 'word' && JOINS.has(first.word))
  // "série B et plus": the word joins elsewhere.
  if (joins && second?.word === 'plus') return true
  if (!joins || second?.kind !== 'word') return false
  // "seed ou en série A"
  if (LATER.has(second.word)) return !(second.word === 'en' && (third?.kind === 'place' || third?.entry?.stage))
  return second.small && third?.kind === 'word' && LATER.has(third.word)
}

/** The step of the ladder a span ends at, -1 where there is none: "seed to series B", "Series A-C". */
function spanEnd(mention: Mention, next: Mention | undefined, chunks: readonly Chunk[], after: readonly Chunk[]): number {
  const step = (stage: string) => (LADDER as readonly string[]).indexOf(stage)
  if (next && next.first - mention.last <= 4 && next.first > mention.last + 1) {
    if (chunks.slice(mention.last + 1, next.first).every(chunk => SPANS.has(chunk.word))) return step(next.value)
  }
  const [first, second] = after
  if (isLetter(first)) return step(stageOfLetter(first!.word))
  const spans = first && (SPANS.has(first.word) || first.kind === 'list') && first.word !== '/' && first.word !== '+'
  return spans && isLetter(second) ? step(stageOfLetter(second!.word)) : -1
}

/** "a B or C round": the letters before the one that says what they are. */
function lettersBefore(chunks: readonly Chunk[], at: number): FundingStage[] {
  const [letter, join] = [chunks[at - 2], chunks[at - 1]]
  if (!/ round$/.test(chunks[at]!.word) || !isLetter(letter) || !['comma', 'conjunction', 'list'].includes(join?.kind ?? '')) return []
  return [stageOfLetter(letter!.word)]
}

/** "Series A or B", "Series A/B": the letters after the first. */
function moreLetters(after: readonly Chunk[]): FundingStage[] {
  const found: FundingStage[] = []
  for (let at = 0; at + 1 < after.length; at += 2) {
    if (!['comma', 'conjunction', 'list'].includes(after[at]!.kind) || !isLetter(after[at + 1])) break
    found.push(stageOfLetter(after[at + 1]!.word))
  }
  return found
}

/** "public semiconductor companies"; "public transport companies" serve the public. */
export function isListed(chunks: readonly Chunk[], at: number): boolean {
  const [trade, noun] = chunks.slice(at + 1, at + 3)
  const namesTrade = trade?.kind === 'word' && trade.entry?.industry !== undefined && !FOR_EVERYBODY.has(trade.word.split(' ')[0]!)
  return chunks[at]!.word === 'public' && namesTrade && (LISTED_NOUNS.has(noun?.word ?? '') || / compan(?:y|ies)$/.test(trade.word))
}
const LISTED_NOUNS = new Set('company companies cos corporation corporations'.split(' '))
const FOR_EVERYBODY = wordSet('things-grammar.txt', 'for everybody')
