import { EXCLUDED, IS, NOT, ONLY, TURNS_BACK, WELCOMES } from '../lists.ts'
import { isSeparator } from '../mentions/titles.ts'
import type { Chunk } from '../model.ts'
import { wordSet } from '../words.ts'
import { CUES } from './asides.ts'
import { report } from './doubts.ts'
import { asksElsewhere, endOfItem, FAR, IN_PLACES, isRefused, isWished, lastBefore, listFrom, type Node, type Row, type Scope } from './walker.ts'
import { addsBack, isWanted, isWelcomed } from './welcomed.ts'

/**
 * The last check of a sentence that refuses something: what stands between the refusal and the end of its sentence is asked for only
 * where something tells that the wish has come back, such as "but", "only", a preposition or somebody with words of their own. Anything
 * else is reported, because an exclusion that is read as a wish is the worst of all errors.
 */
export function doubtUnlicensed(row: Row, scopes: readonly Scope[]): void {
  for (const scope of scopes) doubtBehind(row, scope)
  const words = row.chunks.map(({ word }) => word)
  for (const [at, { kind }] of row.chunks.entries())
    if (REFUSALS.has(kind) || (kind === 'gap' && (EXCLUDED.longest(words, at) || NOT.longest(words, at)))) doubtBefore(row, at)
}

/** "Acme and its like, Globex and Initech are out": what begins the sentence of a refusal that stands at its end. */
function doubtBefore(row: Row, cue: number): void {
  const { chunks, nodes, asides } = row
  const nearest = nodes[lastBefore(row, cue)]
  if (!nearest || (chunks[cue]!.kind !== 'gap' && !isRefused(nearest))) return
  const found: Node[] = []
  let from = cue
  for (let index = lastBefore(row, cue); from >= 0; index--) {
    const node = nodes[index]
    const start = node ? node.last + 1 : 0
    for (from--; from >= start; from--) {
      const { kind, word } = chunks[from]!
      if (kind === 'break' && word !== ')' && !asides.within.has(from)) break
      if (CUES.has(kind) || (word === ')' && !asides.within.has(from)) || cue - from > LONGEST_SENTENCE) return
      if (kind === 'word' && !asides.within.has(from) && found.length > 0 && (comesBack(word) || IS.has(word) || leadsTo(row, from))) return
    }
    if (!node || from >= start) break
    if (found.length > 0 && isWanted(row, node.last + 1)) return
    found.push(node)
    from = node.first
  }
  const wished = found.filter(isWished)
  if (wished.length > 0 && asksElsewhere(row, from, cue)) report(wished.filter(({ family }) => family !== 'measure' || found.length > 1))
}

const REFUSALS: ReadonlySet<Chunk['kind']> = new Set(['excluded', 'refusal', 'negator', 'correction'])
const ADDS = wordSet('polarity.txt', 'adds')
const LIKEWISE = wordSet('polarity.txt', 'likewise')
const OPENERS = wordSet('polarity.txt', 'welcoming openers')
const REASONS = new Set('since because weil denn car parce puisque porque'.split(' '))
const THEREFORE = wordSet('polarity.txt', 'therefore')
const ARTICLES = wordSet('polarity.txt', 'articles')
const AT = new Set('at bei chez for with mit avec con using'.split(' '))
const STARTS: ReadonlySet<Chunk['kind']> = new Set(['break', 'comma', 'gap'])
const BRACKETS = new Set('()')
const LONGEST_SENTENCE = 40
const isAdding = (word: string): boolean => (ADDS.has(word) && word !== 'add') || LIKEWISE.has(word)
const comesBack = (word: string): boolean =>
  TURNS_BACK.has(word) || ONLY.has(word) || THEREFORE.has(word) || (OPENERS.has(word) && !isAdding(word) && !REASONS.has(word))

function doubtBehind(row: Row, { opener, until, reached, instead, indifferent }: Scope): void {
  const { chunks, asides } = row
  const { label, sentence, control } = chunks[opener]!
  if (instead || indifferent || label === 'exclude' || (control?.retraction && !reached) || chunks[opener + 1]?.word === '(') return
  // "Canada outside Ontario, owners": an exception right behind its place ends with it.
  const exception = reached?.family === 'place' && !STARTS.has(chunks[opener - 1]?.kind ?? 'break')
  const from = Math.max(until ?? 0, reached?.last ?? opener) + 1
  let doubted: Node | undefined
  let depth = 0
  for (let at = from; at < chunks.length && at < from + LONGEST_SENTENCE; at++) {
    const chunk = chunks[at]!
    if (chunk.sentence !== sentence || chunk.label !== label || CUES.has(chunk.kind) || comesBack(chunk.word)) return
    depth += chunk.word === '(' ? 1 : chunk.word === ')' ? -1 : 0
    if (chunk.kind === 'break' && !asides.within.has(at) && (depth < 0 || !BRACKETS.has(chunk.word))) return
    const node = row.at.get(at)
    if (!node) continue
    if (isWished(node) && node.family !== 'measure') {
      const goesOn = doubted && chunks.slice(doubted.last + 1, at).every(isSeparator)
      if (addsBack(chunks, opener, at) || (!goesOn && (isLicensed(row, listFrom(row, node), reached) || (exception && node.family !== 'place')))) return
      report([node])
      doubted = node
    }
    at = node.last
  }
}

/** "in Berlin", "at hotels" */
const leadsTo = ({ chunks, at: nodeAt }: Row, at: number): boolean =>
  nodeAt.has(ARTICLES.has(chunks[at + 1]?.word ?? '') ? at + 2 : at + 1) &&
  chunks[at]?.kind === 'word' &&
  (IN_PLACES.has(chunks[at]!.word) || AT.has(chunks[at]!.word))

/** Whether a list that begins behind a refusal is the wish's. */
function isLicensed(row: Row, list: readonly Node[], reached: Node | undefined): boolean {
  const { chunks, nodes } = row
  const { first, last, family, kind } = list[0]!
  let clause = first
  while (clause > 0 && first - clause < FAR && !isSeparator(chunks[clause - 1])) clause--
  const isJoined = chunks[clause - 1]?.kind === 'conjunction' || isAdding(chunks[first - 1]?.word ?? '')
  // "Acme, the market leader, …" tells of Acme.
  const isApposed = clause < first && ARTICLES.has(chunks[clause]!.word)
  const next = chunks[endOfItem(chunks, last) + 1]
  if (leadsTo(row, first - 1) || leadsTo(row, first - 2)) return true
  const end = list.at(-1)!.last + 1
  let said = end
  while (chunks[said]?.kind === 'word' && (isAdding(chunks[said]!.word) || !WELCOMES.has(chunks[said]!.word))) said++
  if (isWelcomed(row, list[0]!) || chunks[end]?.kind === 'correction' || WELCOMES.has(chunks[said]?.word ?? '')) return true
  if (kind === 'stage') return true
  const isOther = (other: Node) => (family === 'thing' ? other.kind === kind : other.family === family)
  const others = nodes.some(other => isOther(other) && !list.includes(other) && isWished(other))
  if (family === 'place') return !others || row.at.has(last + 1) || Boolean(chunks[last + 1]?.companyNoun)
  if (family === 'person') return !reached || !others || (next?.kind === 'word' && next.small && !isApposed)
  return reached !== undefined && reached.kind !== kind && kind !== 'company' && !isJoined && !others
}
