import { FUNDING_STAGES, type FundingStage } from '../../../lead-terms/src/index.ts'
import { BEFORE, BEHIND, type Comparison } from '../mentions/numbers.ts'
import type { Chunk, Mention } from '../model.ts'

/** Funding stages stand on a ladder: "seed to series B", "Series B+", "C or later". */

const LADDER = FUNDING_STAGES.slice(0, FUNDING_STAGES.indexOf('private_equity'))
const JOINS = new Set('and or und oder et ou y o en'.split(' '))
const SPANS = new Set('to through until bis a hasta thru up till jusqu - – — al tot'.split(' '))

const BETWEEN = new Set('between zwischen entre tra tussen from de von'.split(' '))
const STAGE_NOUNS = new Set('round rounds stage stages funding runde runden ronda rondas tour tours'.split(' '))

const stageOfLetter = (letter: string): FundingStage => (letter > 'd' ? 'series_e_plus' : (`series_${letter}` as FundingStage))
const isLetter = (chunk: Chunk | undefined): boolean => /^[a-f]$/.test(chunk?.word ?? '')

/** All stages that one mention means, given what is written after it. */
export function stagesOf(mention: Mention, next: Mention | undefined, chunks: readonly Chunk[]): readonly FundingStage[] {
  if (mention.value === 'vc_backed') return LADDER.slice(LADDER.indexOf('seed'))
  const stage = mention.value as FundingStage
  const from = LADDER.indexOf(stage)
  // "Series-B-Firmen oder später", "Series C round and up": the noun belongs to the stage.
  const noun = chunks[mention.last + 1]
  const behind = noun?.kind === 'word' && (noun.companyNoun || STAGE_NOUNS.has(noun.word)) ? 2 : 1
  const after = chunks.slice(mention.last + behind, mention.last + behind + 4)
  if (from < 0) return [stage]
  if (goesUp(after)) return LADDER.slice(from)
  const to = spanEnd(mention, next, chunks, after)
  if (to > from) return LADDER.slice(from, to + 1)
  const comparison = comparisonOf(chunks, mention, after) ?? 'about'
  if (UP[comparison] !== undefined) return LADDER.slice(from + UP[comparison])
  if (DOWN[comparison] !== undefined) return LADDER.slice(1, from + DOWN[comparison])
  const more = moreLetters(after)
  // The letters are part of the mention.
  if (more.length > 0) mention.last += behind - 1 + 2 * more.length
  return [...lettersBefore(chunks, mention.first), stage, ...more]
}

/** How many steps up or down the ladder a comparison begins or ends. Who raised nothing stands on none. */
const UP: Partial<Record<Comparison, number>> = { atLeast: 0, since: 0, over: 1, after: 1 }
const DOWN: Partial<Record<Comparison, number>> = { atMost: 1, under: 0, before: 0 }

/** "at least Series B", "post-Series A", "Series B minimum": compared as numbers are, before or after. Its words are part of the mention. */
function comparisonOf(chunks: readonly Chunk[], mention: Mention, after: readonly Chunk[]): Comparison | undefined {
  let found: Comparison | undefined
  const [{ first }, words] = [mention, after.map(({ word }) => word)]
  for (let length = 1; length < words.length + 1; length++) {
    const behind = SIGNS.test(words[0]!) ? undefined : BEHIND.get(words.slice(0, length).join(' '))
    if (behind) [found, mention.last] = [behind, chunks.indexOf(after[length - 1]!, first)]
  }
  for (let at = first - 1, phrase = ''; at >= 0 && first - at < 6; at--) {
    const { word } = chunks[at]!
    if (phrase === '' && BESIDE.has(word)) continue
    phrase = `${word} ${phrase}`.trim()
    const before = phrase === 'from' || SIGNS.test(phrase) || chunks[at - 1]?.entry?.stage ? undefined : BEFORE.get(phrase)
    if (before) [found, mention.first] = [before, at]
  }
  return found
}
/** "fintech >> series A >> founders" compares nothing. */
const SIGNS = /^[<>]$/
const BESIDE = new Set('. a an the la le l der die das en'.split(' '))

function goesUp([first, second]: readonly Chunk[]): boolean {
  return first?.kind === 'list' && first.word === '+' && !(second?.kind === 'word' && second.entry?.stage) && !isLetter(second)
}

/** The step of the ladder a span ends at, -1 where there is none: "seed to series B", "Series A-C". */
function spanEnd(mention: Mention, next: Mention | undefined, chunks: readonly Chunk[], after: readonly Chunk[]): number {
  const step = (stage: string) => (LADDER as readonly string[]).indexOf(stage)
  if (next && next.first - mention.last <= 4 && next.first > mention.last + 1) {
    const isBetween = BETWEEN.has(chunks[mention.first - 1]?.word ?? '')
    const spans = ({ word }: Chunk) => SPANS.has(word) || (isBetween && JOINS.has(word)) || BESIDE.has(word)
    if (chunks.slice(mention.last + 1, next.first).every(spans)) return step(next.value)
  }
  const [first, second] = after
  const spans = first && (SPANS.has(first.word) || first.kind === 'list') && first.word !== '/' && first.word !== '+'
  if (spans && isLetter(second)) return step(stageOfLetter(second!.word))
  return isLetter(first) ? step(stageOfLetter(first!.word)) : -1
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
