import type { Chunk, Mention, Requirement, Source } from '../model.ts'
import { LABELS } from '../vocabulary/form-labels.ts'
import { entryOfWord } from '../vocabulary/lexicon.ts'
import { isPlaceWord } from '../vocabulary/place-words.ts'
import { phraseSet, wordRows, wordSet } from '../vocabulary/word-files.ts'
import { ARTICLES, CLOSINGS } from '../vocabulary/word-lists.ts'
import { isPerson } from './sender-offer.ts'
import type { Layout } from './sentences.ts'

/** "Scrap the employee limit", "the size does not matter after all": a field of which nothing is asked any more, and who says so. */
type WithdrawnField = { first: number; last: number; field: string }

const LIFTING = phraseSet('negation.txt', 'lifting')
const LIFTED_BEHIND = phraseSet('negation.txt', 'lifted behind')
const LIMITS = wordSet('negation.txt', 'limits')
const AFTER_ALL = phraseSet('negation.txt', 'after all')
/** The kinds of mentions that a field holds. */
const FIELDS: ReadonlyMap<string, readonly string[]> = new Map(wordRows('negation.txt', 'lifted fields'))
/** Nothing else goes by these names; "drop the companies" may refuse some. */
const ALONE = new Set(['employees', 'revenue', 'founded', 'funding', 'place'])
const TRADES = /^(?:industr(?:y|ie|ia)|se(?:cteu|kto|cto)r|branche|vertical)$/
/** "the minimum revenue requirement", "the 200 employee limit" */
const MOST_BETWEEN = 3

export function readWithdrawnFields(source: Source, { bounds }: Layout): WithdrawnField[] {
  const found: WithdrawnField[] = []
  for (const [start, end] of bounds)
    for (let first = start; first < end; first++) {
      if (first > start && source.items[first - 1]!.kind !== 'mark' && !AFTER_ALL.longestBefore(source.words, first)) continue
      const withdrawn = liftedAt(source, first, end)
      if (!withdrawn) continue
      found.push(withdrawn)
      first = withdrawn.last
    }
  return found
}

function liftedAt({ words, items }: Source, first: number, end: number): WithdrawnField | undefined {
  const verb = LIFTING.longest(words, first, end)?.length ?? 0
  let noun = first + verb
  while (noun < end && ARTICLES.has(words[noun]!)) noun++
  const isDefinite = noun > first + verb
  const from = noun
  while (noun < end && noun < from + MOST_BETWEEN && !LABELS.longest(words, noun, end)) noun++
  const label = LABELS.longest(words, noun, end)
  if (!label || !FIELDS.has(label.value)) return undefined
  let to = noun + label.length
  while (LIMITS.has(words[to] ?? '')) to++
  // "la limite d'effectif"
  const isLimit = to > noun + label.length || words.slice(from, noun).some(word => LIMITS.has(word))
  const behind = LIFTED_BEHIND.longest(words, to, end)?.length ?? 0
  if (verb === 0 && behind === 0) return undefined
  const isAlone = ALONE.has(label.value) || TRADES.test(words[noun]!)
  if (!isLimit && (noun > from || !isAlone || !(isDefinite || behind > 0 || verb > 3))) return undefined
  to += behind
  while (to < end && AFTER_ALL.longest(words, to, end)) to += AFTER_ALL.longest(words, to, end)!.length
  return to === end || items[to]!.kind === 'mark' ? { first, last: to - 1, field: label.value } : undefined
}

/** Earlier values of the field are dropped. */
export function dropWithdrawnFields(
  withdrawn: readonly WithdrawnField[],
  chunks: readonly Chunk[],
  mentions: readonly Mention[],
  requirements: readonly Requirement[],
): void {
  for (const { first, field } of withdrawn) {
    for (const mention of mentions)
      if (FIELDS.get(field)!.includes(mention.kind) && !mention.negated && chunks[mention.first]!.first < first) mention.dropped = true
    for (const requirement of requirements)
      if (field === 'email' && requirement.field.startsWith('email')) Object.assign(requirement, { field: 'none' })
  }
}

const LOOSE_CORRECTIONS = wordSet('negation.txt', 'loose corrections')
/** Corrections that are complete sentences: they need a mark on either side. */
const TIGHT_CORRECTIONS = wordSet('negation.txt', 'tight corrections')
const CONTRASTS = new Set('but aber mais pero'.split(' '))

/** Whether a phrase that may correct does so here. */
export function correctionFits({ items }: Source, phrase: string, end: number, chunks: readonly Chunk[]): boolean {
  // "…, please make it directors"
  const last = chunks.at(-1)
  const before = CLOSINGS.has(last?.word ?? '') ? chunks.at(-2) : last
  // "in Rome but actually Milan"
  const opens =
    CONTRASTS.has(last?.word ?? '') || before === undefined || ['break', 'comma', 'list', 'correction', 'gap'].includes(before.kind)
  const after = items[end]
  const closes = after === undefined || after.kind === 'mark'
  if (TIGHT_CORRECTIONS.has(phrase)) return opens && closes && before !== undefined
  return !LOOSE_CORRECTIONS.has(phrase) || opens || (closes && before !== undefined)
}

/** "CFOs in Leeds. Forget it, CMOs in York": between two wishes for a person. "Recruiters? Forget it." refuses them. */
export function restarts({ words, items }: Source, end: number, chunks: readonly Chunk[]): boolean {
  if (items[end]?.kind !== 'mark' || chunks.at(-1)?.word === '?') return false
  const behind = words.slice(end + 1, end + LONGEST_WISH)
  // "Laisse tomber : les stagiaires" refuses them.
  const isWhole = words[end] !== ':' || behind.some(word => isPlaceWord(word) || entryOfWord(word)?.industry !== undefined)
  const isAsked = chunks.slice(-LONGEST_WISH).some(({ role, entry }) => role || entry?.title || entry?.level)
  return isAsked && isWhole && behind.some(isPerson)
}
const LONGEST_WISH = 30
