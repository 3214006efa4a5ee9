import type { Chunk, Mention } from '../model.ts'
import { wordMap } from '../vocabulary/word-files.ts'
import { BEGAN, COMPETITORS, EMPLOYER_PHRASES, ONLY } from '../vocabulary/word-lists.ts'
import { BUILDS, isSeparator } from './titles.ts'

/** Products that are employers where the text speaks of working there: "people at Stripe", "competitors such as Zendesk". */
export function readEmployers(chunks: readonly Chunk[], people: readonly Mention[], sliceOf: (chunk: Chunk) => string): Mention[] {
  const mentions: Mention[] = []
  for (let at = 0; at < chunks.length; at++) {
    const chunk = chunks[at]!
    if (chunk.kind !== 'word' || chunk.used || !chunk.entry?.technology || chunk.entry.industry) continue
    // "at segment", "at hubspot agencies": an everyday word needs its capital, and before a noun it says what they use.
    const next = chunks[at + 1]
    if ((!chunk.capital && chunk.entry.weakTechnology) || (!next?.capital && (next?.companyNoun || next?.entry?.industry))) continue
    const before = chunks[at - 1]
    const employs =
      before?.kind === 'word' && ['at', 'bei', 'chez', 'from'].includes(before.word) && people.some(mention => mention.last < at)
    const listed = isSeparator(before) && (mentions.at(-1)?.last === at - 2 || (!chunk.capital && chunks[at - 2]?.kind === 'name'))
    if (!employs && !listed && !namesEmployer(chunks, at) && !amongRivals(chunks, at)) continue
    mentions.push({ kind: 'company', value: sliceOf(chunk), first: at, last: at })
    chunk.used = true
  }
  return mentions
}

/** Whether the words before say that a person works at what is named here: "people at", "who joined", "que entraron a". */
export function namesEmployer(chunks: readonly Chunk[], at: number): boolean {
  const before = chunks[at - 1]
  // "nobody from Shopify", "niemanden von SAP"
  if (before?.kind === 'negator') return NOBODY_AT.test(before.word)
  if (before?.kind !== 'word') return false
  if (EMPLOYER_PHRASES.has(`${chunks[at - 2]?.word ?? ''} ${before.word}`)) return true
  for (let verb = at - 1; verb >= 0 && at - verb < 5; verb--) {
    const chunk = chunks[verb]!
    if (chunk.kind !== 'word') return false
    if (BEGAN.has(chunk.word)) return (verb === at - 1 || ['a', 'en', 'to', 'by'].includes(before.word)) && personBefore(chunks, verb)
  }
  return false
}

const NOBODY_AT =
  /^(?:bitte )?(?:no ?one|nobody|none|niemand(?:en)?|nadie|personne|(?:no|keine|aucun) \S+) (?:de )?(?:from|at|von|bei|aus|chez|de)$/

function personBefore(chunks: readonly Chunk[], verb: number): boolean {
  for (let at = verb - 1; at >= 0 && verb - at < 8; at--) {
    const chunk = chunks[at]!
    if (chunk.kind === 'break' || chunk.companyNoun) return false
    if (chunk.peopleNoun || chunk.role || chunk.word === 'who' || (chunk.used && (chunk.entry?.title || chunk.entry?.level))) return true
  }
  return false
}

/** "competitors (Zendesk, Freshworks)", "competitors such as Zendesk": companies, whatever they make. */
export function amongRivals(chunks: readonly Chunk[], at: number): boolean {
  for (let position = at - 1; position >= 0 && at - position < 12; position--) {
    const chunk = chunks[position]!
    if (chunk.kind === 'word' && COMPETITORS.has(chunk.word)) return true
    if (['comma', 'conjunction', 'list', 'name'].includes(chunk.kind) || (chunk.kind === 'break' && chunk.word === '(')) continue
    if (chunk.kind !== 'word' || !(chunk.capital || chunk.small)) return false
  }
  return false
}

/** "analysts at asset managers": a trade in the plural, where another person is said to work. */
export function asEmployer(chunks: readonly Chunk[], mention: Mention, before: Mention | undefined, next: Mention | undefined): Mention {
  const industry = mention.kind === 'title' ? TRADES.get(mention.value) : undefined
  if (industry && !before && next && opensWithTrade(chunks, mention, next)) return { ...mention, kind: 'industry', value: industry }
  const { word } = chunks[mention.last]!
  // "GCs and home builders" are general contractors.
  const isBuilder = word.startsWith('gc') && [-2, 2].some(step => BUILDS.test(chunks[mention.last + step]?.entry?.industry ?? ''))
  if (isBuilder) return { ...mention, kind: 'industry', value: 'construction' }
  const at = chunks[mention.first - 1]?.word ?? ''
  // "bei Optikern", "bei Steuerberatern": German plurals have no s.
  const employs = AT.has(at) && (word.endsWith('s') || at === 'bei')
  // "Heads of Finance, Paris, asset managers only", but "recruiters, headhunters only"
  const isAll =
    word.endsWith('s') &&
    !chunks[mention.last]!.refused &&
    ONLY.has(chunks[mention.last + 1]?.word ?? '') &&
    !TRADES.has(before?.value ?? '')
  const isPerson = before?.kind === 'title' || before?.kind === 'level' || before?.kind === 'department'
  return industry && (employs || isAll) && isPerson ? { ...mention, kind: 'industry', value: industry } : mention
}

/** "Estate agents in Leeds, branch managers": the brief opens with the trade, and asks for those of a rank. */
function opensWithTrade(chunks: readonly Chunk[], { last }: Mention, next: Mention): boolean {
  const isPlace = ({ kind }: Chunk) => kind === 'place'
  // "Lawyers in Leeds but not partners", "Recruiters in Leeds and HR managers" ask for the people themselves.
  let before = next.first - 1
  while (chunks[before]!.kind === 'gap' || (chunks[before]!.kind === 'word' && !chunks[before]!.used && !chunks[before]!.entry)) before--
  const separated = chunks[before]!.kind === 'comma' || chunks[before]!.kind === 'break'
  const behind = chunks[next.last + 1]?.kind ?? 'break'
  if (!separated || chunks[next.first]!.refused || behind === 'excluded' || behind === 'refusal') return false
  const ranked =
    next.kind === 'level' || (next.kind === 'title' && (HOUSE_RANKS.has(chunks[next.last]!.role ?? '') || TOP_TITLES.has(next.value)))
  return (
    ranked && chunks[last]!.word.endsWith('s') && chunks.slice(last, next.first).some(isPlace) && !chunks.slice(next.last).some(isPlace)
  )
}
const TOP_TITLES = new Set(['owner', 'ceo', 'cfo', 'coo', 'cto', 'managing director', 'founder'])
const TRADES = wordMap('things-grammar.txt', 'trades as employers', value => value)
const AT = new Set('at within inside bei chez presso'.split(' '))
export const HOUSE_RANKS = new Set(['manager', 'director'])
