import { CONJUNCTIONS, EXCEPT, NOT, PLAIN_REQUESTS, RELATIVES, SENDER } from '../lists.ts'
import { isPlaceWord } from '../mentions/place-words.ts'
import type { Source } from '../model.ts'
import { wordSet } from '../words.ts'
import type { Layout } from './sentences.ts'

/**
 * Clauses that name companies the sender deals with already: "we already work with Bosch", "mit Bosch sprechen wir schon",
 * "Bosch, on travaille déjà avec". Nobody asks for such a company again: its name is refused, the rest is about the sender.
 */

const ALREADY = wordSet('voices.txt', 'already')
const DEALS = wordSet('voices.txt', 'deals with')
const HAVE = new Set(['we have', 'we got', 've got', 'we own', 'we serve', 'haben wir', 'on a', 'nous avons', 'los tenemos', 'lo tenemos'])
const MORE = new Set('more mehr wollen suchen mas queremos buscamos voulons cherchons'.split(' '))
/** "we already work with Hays so not those": what follows from it is no part of the clause. */
const CLAUSE_ENDS = new Set([',', ';', '—', '(', ')', '.', '!', '?', '\n', ':', '-', 'so', 'therefore', 'hence', 'donc', 'daher'])

/** First and last item (exclusive) of each such clause. */
export function acquaintedClauses(source: Source, layout: Layout): [from: number, to: number][] {
  const { words } = source
  const found: [number, number][] = []
  for (let at = 0; at < words.length; at++) {
    const fronted = HAVE.has(`${words[at - 1]} ${words[at]}`) && (at + 1 === words.length || CLAUSE_ENDS.has(words[at + 1]!))
    if (!ALREADY.has(words[at]!) && !fronted) continue
    const [start, end] = layout.bounds[layout.sentence[at]!]!
    const from = clauseStart(source, start, at)
    // "…, Allianz we have": without a word for it, too, where the name comes first.
    if (fronted && !isName(source, from)) continue
    const to = clauseEnd(source, at, end)
    if (speaksOfDeals(words, from, to, at)) found.push([from, to])
    // A clause is looked at once, however often it says the word.
    at = Math.max(at, to - 1)
  }
  return found
}

/** "Nürnberg haben wir schon": places that begin the clause are what the sender has; the end of them. */
export function endOfPlaces(source: Source, from: number, to: number): number {
  let at = CONTRASTS.has(source.words[from]!) ? from + 1 : from
  while (at < to && ((isName(source, at) && isPlaceWord(source.words[at]!)) || (at > from && CONJUNCTIONS.has(source.words[at]!)))) at++
  return at
}

const CONTRASTS = new Set('though although but obwohl aber mais aunque pero'.split(' '))

function speaksOfDeals(words: readonly string[], from: number, to: number, already: number): boolean {
  // "Acme, already clients": what is known stands before the comma.
  if (to - from <= 2) return false
  const clause = words.slice(from, to)
  if (!clause.some(word => DEALS.has(word)) || clause.some(word => PLAIN_REQUESTS.has(word) || RELATIVES.has(word))) return false
  // "Wir arbeiten schon mit Banken und wollen mehr davon"
  if (clause.some(word => MORE.has(word))) return false
  let senders = 0
  for (let at = from; at < to; at++) {
    if (NOT.longest(words, at, to) || EXCEPT.longest(words, at, to)) return false
    if (SENDER.longest(words, at, to) || words[at] === 'on') senders++
  }
  // "Already talking to Acme": the sender need not name himself where the clause opens so.
  return senders > 0 || already === from
}

const isName = ({ items, tokens }: Source, item: number): boolean =>
  items[item]?.kind === 'domain' || (items[item]?.kind === 'word' && tokens[items[item]!.first]!.capital)

/** The beginning of the clause; a list of names goes on over its commas: "wir haben Acme, Globex und Initech schon". */
function clauseStart(source: Source, start: number, at: number): number {
  const { words } = source
  let from = at
  while (from > start) {
    if (!CLAUSE_ENDS.has(words[from - 1]!)) from--
    else if (words[from - 1] === ',' && isName(source, from) && isName(source, from - 2) && !isPlaceWord(words[from - 2]!)) from--
    else break
  }
  return from
}

/** The end of the clause, over the commas of a list of names as well. */
function clauseEnd(source: Source, at: number, end: number): number {
  const { words } = source
  let to = at
  while (to < end) {
    const joins = () => isName(source, to + 1) || (CONJUNCTIONS.has(words[to + 1] ?? '') && isName(source, to + 2))
    if (CLAUSE_ENDS.has(words[to]!) && !(words[to] === ',' && joins())) break
    to++
  }
  return to
}
