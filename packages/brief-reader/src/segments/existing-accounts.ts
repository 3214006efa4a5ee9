import type { Source } from '../model.ts'
import { isPlaceWord } from '../vocabulary/place-words.ts'
import { phraseSet, wordSet } from '../vocabulary/word-files.ts'
import { CONJUNCTIONS, EXCEPT, NOT, PLAIN_REQUESTS, RELATIVES, SENDER } from '../vocabulary/word-lists.ts'
import { delegatedLength } from './compound-refusals.ts'
import type { Layout } from './sentences.ts'

/**
 * Clauses that name companies the sender deals with already: "we already work with Bosch", "mit Bosch sprechen wir schon",
 * "Bosch, on travaille déjà avec". No one asks for such a company again: its name is refused, the rest is about the sender.
 */

const ALREADY = wordSet('segments.txt', 'already')
const DEALS = wordSet('segments.txt', 'deals with')
const HAVE = phraseSet('segments.txt', 'have')
const ARTICLES = wordSet('negation.txt', 'articles')
const MORE = new Set('more mehr wollen suchen mas queremos buscamos voulons cherchons'.split(' '))
/** "we already work with Hays so not those": what follows from it is no part of the clause. */
const CLAUSE_ENDS = new Set([',', ';', '—', '(', ')', '.', '!', '?', '\n', ':', '-', 'so', 'therefore', 'hence', 'donc', 'daher'])

/** First and last item (exclusive) of each such clause. */
export function existingAccountClauses(source: Source, layout: Layout): [from: number, to: number][] {
  const { words } = source
  const found: [number, number][] = []
  for (let at = 0; at < words.length; at++) {
    const have = ALREADY.has(words[at]!) ? undefined : HAVE.longest(words, at)
    if (!ALREADY.has(words[at]!) && !have) continue
    const [start, end] = layout.bounds[layout.sentence[at]!]!
    const isCovered = words.slice(at, Math.min(end, at + FAR_COVERED)).some(word => COVERED.has(word))
    const ends = (item: number) => CLAUSE_ENDS.has(words[item]!) && !partsNames(source, item, isCovered)
    if (have && at + have.length < end && !ends(at + have.length)) continue
    let [from, to] = [at, at]
    while (from > start && !ends(from - 1) && !(words[from - 1] === ',' && partsWish(source, start, from - 1))) from--
    while (to < end && !ends(to)) to++
    // "…, Allianz we have": without a word for it, too, where the clause has nothing but names before.
    // "Florida is already covered by our dealer" refuses what it is said of, and needs nothing more.
    const isHanded = words.slice(from, to).some((_, next) => delegatedLength(source, from + next) > 0)
    if (!isHanded && (have ? namesOnly(source, from, at) : speaksOfDeals(words, from, to, at))) found.push([from, to])
    // Each clause is read once, however often it says the word.
    at = Math.max(at, to - 1)
  }
  return found
}

/**
 * "Nürnberg haben wir schon": places that begin the clause are what the sender has; the end of them. Where he says that places are
 * covered, all of his clause is: "we already have the UK and France covered".
 */
export function endOfCoveredPlaces(source: Source, from: number, to: number): number {
  const clause = source.words.slice(from, to)
  if (clause.some(word => COVERED.has(word)) && clause.some((word, at) => isName(source, from + at) && isPlaceWord(word))) return to
  let at = CONTRASTS.has(source.words[from]!) ? from + 1 : from
  while (at < to && ((isName(source, at) && isPlaceWord(source.words[at]!)) || (at > from && CONJUNCTIONS.has(source.words[at]!)))) at++
  return at
}

const COVERED = new Set('covered abgedeckt versorgt couvert couverts couverte couvertes cubierto cubierta cubiertos cubiertas'.split(' '))
const FAR_COVERED = 20
const CONTRASTS = new Set('though although but obwohl aber mais aunque pero'.split(' '))

function speaksOfDeals(words: readonly string[], from: number, to: number, already: number): boolean {
  const clause = to - from > 2 ? words.slice(from, to) : [] // "Acme, already clients": what is known comes before the comma.
  if (!clause.some(word => DEALS.has(word)) || clause.some(word => PLAIN_REQUESTS.has(word) || RELATIVES.has(word) || MORE.has(word)))
    return false
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

function namesOnly(source: Source, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const word = source.words[at]!
    if (!isName(source, at) && word !== ',' && !CONJUNCTIONS.has(word) && !ARTICLES.has(word)) return false
  }
  return to > from
}

/** "CFOs in Germany, Bavaria is covered already": before the comma stands the wish, neither names alone nor what the sender has. */
function partsWish(source: Source, start: number, comma: number): boolean {
  let from = comma
  while (from > start && !CLAUSE_ENDS.has(source.words[from - 1]!)) from--
  return (
    source.words[comma] === ',' && !namesOnly(source, from, comma) && !source.words.slice(from, from + 3).some(word => SENDER.has(word))
  )
}

/** Whether a comma only parts two names of a list: "wir haben Acme, Globex und Initech schon". */
function partsNames(source: Source, comma: number, isCovered: boolean): boolean {
  const { words } = source
  const next = CONJUNCTIONS.has(words[comma + 1] ?? '') ? comma + 2 : comma + 1
  return words[comma] === ',' && isName(source, next) && isName(source, comma - 1) && (isCovered || !isPlaceWord(words[comma - 1]!))
}
