import { PLACE_KINDS } from '../lists.ts'
import { NAMELY } from '../mentions/name-openers.ts'
import type { Chunk } from '../model.ts'
import { asksElsewhere, listFrom, type Node, type Row, type Scope } from './walker.ts'
import { isWanted } from './welcomed.ts'

/** Who a refused group is: the names, places or sizes that a bracket, a colon or "i.e." tells of it. */

/** Among companies, the name of a product is its maker's: "(AWS, Google, Microsoft)". */
const isName = ({ mentions }: Node): boolean => mentions.every(({ kind }) => kind === 'company' || kind === 'technology')

/** "no groups (Siblu, Yelloh)", "except Bonn (and Kiel)", "no small ones (under 20 staff)": the end of a bracket that belongs to what is refused. */
export function endOfRefusedBracket(row: Row, { reached }: Scope, at: number): number | undefined {
  const { chunks } = row
  // "no agencies (50+ staff)": beside a noun of its own the number may be the wish's.
  const sizes = !reached || reached.mentions.every(({ kind, dropped, first }) => kind === 'size' || dropped || chunks[first - 1]?.idle)
  const goesOn = chunks[at + 1]?.kind === 'conjunction'
  let named = false
  for (let end = at + 1; end < chunks.length && end < at + 20; end++) {
    if (chunks[end]!.word === ')') return named ? end : undefined
    const node = row.at.get(end)
    if (!node) continue
    if (!isName(node) && !(node.family === 'measure' && sizes) && !(goesOn && node.family === reached?.family)) return undefined
    named ||= node.kind !== 'technology'
  }
  return undefined
}

/**
 * "none of the Big Four: PwC, EY", "no majors — Shell and BP", "no big cities, e.g. Rome": where the list ends that tells who a
 * refused group is, up to the last name or place.
 */
export function endOfMembers(row: Row, { opener, reached }: Scope, mark: number): number | undefined {
  const { chunks } = row
  const { word } = chunks[mark]!
  const behind = chunks.slice(mark + 1, mark + 5).map(chunk => chunk.word)
  const namely = NAMELY.longest(behind, 0)?.length ?? 0
  const group = chunks.slice(opener + 1, Math.min(mark, opener + MOST_IN_GROUP + 2))
  if (group.length > MOST_IN_GROUP || group.every(chunk => chunk.small) || !(namely > 0 || word === ':' || word === '—')) return undefined
  // "no juniors: Acme staff": no company is one of them, nor of another company.
  if (reached?.family === 'person' || (reached?.kind === 'company' && namely === 0)) return undefined
  // "no startups: Siemens, Bosch": whether they are of that size nobody knows.
  if (reached && isSize(reached) && namely === 0) return undefined
  let next = mark + 1 + namely
  while (chunks[next]?.small) next++
  const first = row.at.get(next)
  if (!first) return undefined
  const list = listFrom(row, first)
  const places = group.some(chunk => (chunk.kind === 'word' || !reached) && PLACE_KINDS.has(chunk.word))
  const other = list.findIndex(node => !(places ? node.family === 'place' : isName(node)))
  const last = list.at(other < 0 ? -1 : other - 1)!.last
  // "no agencies: Acme and Globex are fine"
  if (other !== 0 && first.kind !== 'technology') return isWanted(row, last + 1) ? undefined : last
  // Where somebody is asked for elsewhere, a colon may explain the group by any things to the end of the sentence.
  const isRest = word === ':' && !reached && list.every(node => node.family === 'thing') && endsSentence(chunks[list.at(-1)!.last + 1])
  return isRest && asksElsewhere(row, opener, list.at(-1)!.last) ? list.at(-1)!.last : undefined
}
const MOST_IN_GROUP = 6
const isSize = ({ family, kind }: Node): boolean => family === 'measure' || kind === 'size'

const endsSentence = (chunk: Chunk | undefined): boolean => chunk === undefined || chunk.kind === 'break'
